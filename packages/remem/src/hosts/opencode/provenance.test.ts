import { expect, test } from "bun:test";
import { commandLineWords, type Entrance, entranceOf, isRunByAgent, originOf } from "./provenance.ts";

const ARGV = ["bun", "/$bunfs/root/src/index.js"];

test.each<[Entrance, string[], boolean]>([
  ["tui", ["bun", "/$bunfs/root/src/cli/tui/worker.js"], false],
  ["tui", ["bun", "B:\\~BUN\\root\\src\\cli\\tui\\worker.js"], false],
  ["run", [...ARGV, "run", "hello"], true],
  ["serve", [...ARGV, "serve"], true],
  ["serve", [...ARGV], true],
  ["serve", ["bun", "/$bunfs/root/src/cli/other/worker.js"], false],
])("an entrance is told by the command line: %s", (entrance, argv, isMainThread) => {
  expect(entranceOf(argv, isMainThread)).toBe(entrance);
});

const TYPED = { sessionID: "s", agent: "build", model: {} };
const origin = (change: Partial<Parameters<typeof originOf>[0]>) =>
  originOf({
    entrance: "tui",
    argv: ARGV,
    typed: new Set(),
    isAgents: false,
    input: TYPED,
    words: "hello",
    fromCommand: false,
    isSubagent: false,
    ...change,
  }).source;

test("only typing in the terminal program is a person's, unless the user says more [R03]", () => {
  expect(origin({})).toBe("interactive");
  expect(origin({ input: { sessionID: "s" } })).toBe("extension");
  expect(origin({ input: { ...TYPED, messageID: "m" } })).toBe("extension");
  expect(origin({ fromCommand: true })).toBe("skill");
  expect(origin({ isSubagent: true })).toBe("subagent");
  expect(origin({ isSubagent: undefined })).toBe("subagent");
  expect(origin({ isAgents: true })).toBe("rpc");
  expect(origin({ entrance: "serve" })).toBe("rpc");
  expect(origin({ entrance: "serve", typed: new Set(["run"]) })).toBe("rpc");
  expect(origin({ entrance: "serve", typed: new Set(["serve"]) })).toBe("interactive");
  const run = { entrance: "run", argv: [...ARGV, "run", "hello"] } as const;
  expect(origin(run)).toBe("rpc");
  expect(origin({ ...run, typed: new Set(["run"]) })).toBe("interactive");
  expect(origin({ ...run, typed: new Set(["run"]), words: "piped in" })).toBe("rpc");
});

test.each([
  [["run", "how", "are", "you"], "how are you", "how are you"],
  [["run", "--format", "json", "we use pnpm", "here"], '"we use pnpm" here', "we use pnpm here"],
  [["run", "look at this"], '"look at this"\npiped text', "look at this"],
  [["run"], "piped text", undefined],
  [["run", "look"], "piped look", undefined],
])("the words of the command line %p in the prompt %p", (words, prompt, own) => {
  expect(commandLineWords([...ARGV, ...words], prompt)).toBe(own);
});

test("an agent that runs the host is known by what it left in the environment; the host's own mark is none", () => {
  expect(isRunByAgent({ OPENCODE: "1", PATH: "/bin" })).toBe(false);
  expect(isRunByAgent({ OPENCODE: "1", CLAUDECODE: "1" })).toBe(true);
  expect(isRunByAgent({ REMEM_AGENT: "1" })).toBe(true);
});
