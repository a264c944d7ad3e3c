import type { PendingCall } from "../../contract/callbacks.ts";
import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../../contract/consent.ts";
import type { FileDoor } from "../../contract/files.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolKind } from "../../contract/tool.ts";
import { createPermissions, type Permissions } from "../permissions.ts";
import type { RuleList } from "../rule.ts";

const KINDS: Readonly<Record<string, ToolKind>> = { bash: "run", edit: "edit", write: "edit" };

let calls = 0;

export function pendingCall(name: string, input: JsonObject): PendingCall {
  calls++;
  return { id: `call-${calls}`, name, kind: KINDS[name] ?? "inspect", input };
}

export function bashCall(command: string): PendingCall {
  return pendingCall("bash", { command });
}

/** A project without links; tests about links use the real door. */
export const plainFiles: Pick<FileDoor, "root" | "key"> = {
  root: "/project",
  key: (path) => new URL(path, "file:///project/").pathname,
};

export function permissions(
  rules: Partial<Record<RuleList, readonly string[]>>,
  more: Partial<Parameters<typeof createPermissions>[0]> = {},
): Permissions {
  return createPermissions({
    rules: { deny: [], ask: [], allow: [], ...rules },
    ask: null,
    files: plainFiles,
    ...more,
  });
}

/** `run`, `ask` or `deny` for a command. */
export async function decision(checked: Permissions, command: string): Promise<string> {
  return (await checked.verdict(bashCall(command))).kind;
}

/** A person who gives these answers in order, and remembers the questions. */
export function person(...answers: ConsentAnswer[]): AskDoor & { questions: ConsentQuestion[] } {
  const questions: ConsentQuestion[] = [];
  return {
    questions,
    async decide(question) {
      questions.push(question);
      return answers[questions.length - 1] ?? { answer: "refuse", reason: "no answer was planned" };
    },
  };
}
