import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../../contract/consent.ts";
import type { EventUpdates } from "./event-updates.ts";
import type { FileChanges } from "./file-changes.ts";
import { inlineCode } from "./markdown.ts";
import { content, textBlock } from "./result-content.ts";
import type { SessionFolder } from "./session-folder.ts";
import { toolCallView } from "./tool-call-view.ts";

/** What questions need of the session that they are asked in; known once it is open. */
export interface AskingSession {
  id: string;
  folder: SessionFolder;
  updates: EventUpdates;
  changes: FileChanges;
}

/** Puts a question to the editor; what `signal` aborts is withdrawn. */
export type RequestPermission = (
  request: RequestPermissionRequest,
  signal: AbortSignal,
) => Promise<RequestPermissionResponse>;

interface Choice {
  option: PermissionOption;
  answer: ConsentAnswer;
}

/** Asks the editor's person before a call: once, for the session, for good, or not at all. Whatever is no clear yes is a no. */
export function permissionRequests(session: () => AskingSession, request: RequestPermission): AskDoor {
  return {
    async decide(question, signal) {
      const { id: sessionId, folder, updates, changes } = session();
      const { id, name, input } = question.call;
      const shown = explained(question, changes);
      updates.waiting(question.call, shown);
      const choices = choicesOf(question);
      const toolCall = {
        toolCallId: id,
        name,
        ...toolCallView(name, input, folder),
        status: "pending" as const,
        rawInput: input,
        content: shown,
      };
      const options = choices.map(({ option }) => option);
      const { outcome } = await request({ sessionId, toolCall, options }, signal);
      if (outcome.outcome !== "selected") return { answer: "refuse" };
      const chosen = choices.find(({ option }) => option.optionId === outcome.optionId);
      return chosen?.answer ?? { answer: "refuse" };
    },
  };
}

function explained({ call, rule, reason }: ConsentQuestion, changes: FileChanges): ToolCallContent[] {
  return [
    content(textBlock(`The rule ${inlineCode(rule)} asks: ${reason}`)),
    ...changes.proposed(call.name, call.input).map((diff) => ({ type: "diff" as const, ...diff })),
  ];
}

function choicesOf({ suggestions, lasting }: ConsentQuestion): Choice[] {
  const what = suggestions.length === 0 ? "this very call" : suggestions.join(", ");
  const choices: Choice[] = [
    choice("once", "allow_once", "Allow once"),
    choice("session", "allow_always", `Allow in this session: ${what}`),
  ];
  if (lasting) choices.push(choice("always", "allow_always", `Always allow: ${what}`));
  return [...choices, choice("refuse", "reject_once", "Reject")];
}

function choice(answer: ConsentAnswer["answer"], kind: PermissionOption["kind"], name: string): Choice {
  return { option: { optionId: answer, kind, name }, answer: { answer } };
}
