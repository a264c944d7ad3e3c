import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Message, UserMessage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import type { ToolKind } from "../../contract/tool.ts";
import type { CallFacts } from "./call-rules.ts";
import { elsewhereProblem } from "./elsewhere-rules.ts";
import { gitProblem } from "./git-rules.ts";
import { SwitchedPlanMode } from "./plan-mode.ts";

const SIGNAL = new AbortController().signal;

function mode(options: { on?: boolean; facts?: Partial<CallFacts>; quiet?: boolean } = {}) {
  const messages: Message[] = [];
  const saved: boolean[] = [];
  const plan = new SwitchedPlanMode({
    on: options.on ?? true,
    quiet: options.quiet ?? false,
    conversation: { messages: () => messages, append: (message) => void messages.push(message) },
    save: (on) => void saved.push(on),
    facts: {
      own: () => true,
      files: { root: "/p", real: (path) => join("/p", path) },
      confinement: () => ({ tier: "read-only", active: true }),
      agentTypes: () => [],
      agentTypeOf: () => undefined,
      declaredReadOnly: async () => false,
      specProblem: async () => undefined,
      ...options.facts,
    },
  });
  const judge = async (name: string, kind: ToolKind, input = {}) =>
    (await plan.callbacks.beforeTool!({ id: "1", name, kind, input }, SIGNAL))?.block;
  const ask = async () => {
    const request = { messages: [...messages] } as unknown as ModelRequest;
    return ((await plan.callbacks.beforeModel!(request, SIGNAL)) ?? request).messages;
  };
  return { plan, messages, saved, judge, ask };
}

const textsOf = (messages: readonly Message[]) =>
  messages.map((message) => {
    const [part] = (message as UserMessage).parts;
    return part?.type === "text" ? part.text : "";
  });

test("where there is no sandbox commands are refused, and the reason is told [X03]", async () => {
  const { judge } = mode({
    facts: { confinement: () => ({ tier: "read-only", active: false, reason: "bwrap is not installed" }) },
  });
  expect(await judge("bash", "run", { command: "ls" })).toContain("bwrap is not installed");
});

test("a tool that nobody knows is refused unless it only looks [X03]", async () => {
  const { judge } = mode();
  expect(await judge("deploy", "network")).toContain("deploy may change something");
  expect(await judge("patch", "edit", { target: "a.ts" })).toContain("does not say which file");
  expect(await judge("look", "inspect")).toBeUndefined();
});

test("a tool that an extension puts in the place of bash is not taken for bash [X03]", async () => {
  const { judge } = mode({ facts: { own: () => false } });
  expect(await judge("bash", "run", { command: "ls" })).toContain("bash may change something");
});

test("the switch acts at the next call and is kept with the session [X03]", async () => {
  const { plan, judge, saved } = mode({ on: false });
  const write = () => judge("write", "edit", { file_path: "a.ts" });
  expect(await write()).toBeUndefined();
  plan.set(true);
  expect(await write()).toContain("plan mode is on");
  plan.set(false);
  expect(await write()).toBeUndefined();
  expect(saved).toEqual([true, false]);
});

test("the model is told of each change once, and again when a compaction took the words away [X03][C06]", async () => {
  const { plan, messages, ask } = mode();
  expect(textsOf(await ask())).toEqual([expect.stringContaining("Plan mode is on")]);
  expect(await ask()).toHaveLength(1);
  messages.splice(0);
  expect(textsOf(await ask())).toEqual([expect.stringContaining("Plan mode is on")]);
  plan.set(false);
  expect(textsOf(await ask()).at(-1)).toContain("Plan mode is off");
  expect(await ask()).toHaveLength(2);
  expect(messages).toHaveLength(2);
});

test("a conversation that never planned is told nothing [X03]", async () => {
  expect(await mode({ on: false }).ask()).toEqual([]);
});

test.each([
  ["git commit -m x", "git commit"],
  ["cd a && git -C b -c user.name=x commit", "git commit"],
  ["GIT_DIR=x git push origin main", "git push"],
  ["sudo git reset --hard", "git reset"],
  ["sh -c 'git merge x'", "git merge"],
  ["git send-pack ../other main", "git send-pack"],
  ["git subtree push --prefix a origin b", "git subtree push"],
  ["git lfs push origin main", "git lfs push"],
  ["git lfs ls-files; git svn log", undefined],
  ["git log | head; git diff --stat; git branch", undefined],
  ["echo git commit", undefined],
  ["git --version", undefined],
])("%p is refused as %p [X03]", (line, verb) => {
  const problem = gitProblem(line);
  if (verb === undefined) expect(problem).toBeUndefined();
  else expect(problem).toStartWith(verb);
});

test.each([
  ["npm publish", "npm publish"],
  ["npm test && cargo publish --token x", "cargo publish"],
  ["docker run -v $PWD:/w alpine rm -rf /w", "docker run"],
  ["docker compose up -d", "docker compose"],
  ["kubectl -n shop delete pod a", "kubectl shop"],
  ["gh pr create --fill", "gh pr"],
  ["sh -c 'gh issue close 3'", "gh issue"],
  ["gh api repos/a/b/issues -f title=x", "gh api"],
  ["npm test; npm view left-pad; cargo build", undefined],
  ["docker ps -a; docker compose logs web; docker image ls", undefined],
  ["kubectl -n shop get pods; kubectl logs a", undefined],
  ["gh pr view 3 --comments; gh run list; gh api repos/a/b; gh pr create --help", undefined],
])("%p, which reaches what no sandbox here protects, is refused as %p [X03]", (line, shown) => {
  const problem = elsewhereProblem(line);
  if (shown === undefined) expect(problem).toBeUndefined();
  else expect(problem).toStartWith(shown);
});
