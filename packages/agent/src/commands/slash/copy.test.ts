import { expect, test } from "bun:test";
import { type AssistantMessage, type Message, noUsage, type UserMessage } from "../../contract/messages.ts";
import { copyCommand } from "./copy.ts";
import { run } from "./test-support/run-command.ts";

const user = (text: string, origin: UserMessage["origin"] = "user"): Message => ({
  role: "user",
  origin,
  parts: [{ type: "text", text }],
});
const assistant = (...parts: AssistantMessage["parts"]): Message => ({
  role: "assistant",
  parts,
  source: { provider: "anthropic", wire: "anthropic", model: "claude" },
  stop: "end",
  usage: noUsage(),
});
const answer = (text: string) => assistant({ type: "text", text });
const result = (text: string, isError = false): Message => ({
  role: "tool",
  parts: [{ type: "tool_result", id: "1", name: "bash", content: [{ type: "text", text }], isError }],
});

async function copy(
  argument: string,
  messages: Message[],
  how: "clipboard" | "terminal" | { reason: string } = "clipboard",
) {
  const written: string[] = [];
  const outcome = await run(copyCommand, argument, {
    conversation: { messages: () => messages },
    clipboard: {
      async write(text: string) {
        written.push(text);
        return how;
      },
    },
  });
  return { ...outcome, written };
}

test("/copy takes the last answer that has text", async () => {
  const call = assistant({ type: "tool_call", id: "1", name: "bash", arguments: { command: "ls" } });
  const { written, said } = await copy("", [user("hi"), answer("first"), answer("\nthe last\n"), call]);
  expect(written).toEqual(["the last"]);
  expect(said).toBe("The last answer is on the clipboard (8 characters, 1 line).");
});

test("/copy says that a terminal may drop it", async () => {
  expect((await copy("last", [answer("x")], "terminal")).said).toContain("does not allow that drops it");
});

test("/copy says why it could not", async () => {
  const { said, failed } = await copy("", [answer("x")], {
    reason: "No program for the clipboard was found.",
  });
  expect(failed).toBe(true);
  expect(said).toBe("The last answer was not copied: No program for the clipboard was found.");
});

test("/copy without an answer fails", async () => {
  expect(await copy("", [user("hi")])).toMatchObject({ failed: true, written: [] });
  expect(await copy("all", [])).toMatchObject({ failed: true, written: [] });
});

test("/copy all gives the conversation as Markdown, with tool calls and failures", async () => {
  const { written } = await copy("all", [
    user("list it"),
    assistant(
      { type: "thinking", text: "secret thoughts" },
      { type: "text", text: "I look." },
      { type: "tool_call", id: "1", name: "bash", arguments: { command: "echo `x`" } },
    ),
    result("a\n```\nb", true),
    answer("Done."),
    user("$ git status\nclean", "shell"),
  ]);
  expect(written[0]).toBe(
    [
      "## User\n\nlist it",
      "## Assistant\n\nI look.",
      "**bash** `` echo `x` ``",
      "````\na\n```\nb\n````",
      "*(failed)*",
      "Done.",
      "## User\n\n```\n$ git status\nclean\n```\n",
    ].join("\n\n"),
  );
});

test("/copy all shows the head of a long result and counts the rest", async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  const { written } = await copy("all", [result(lines)]);
  expect(written[0]).toContain("line 39\n```\n\n*(60 more lines)*");
  expect(written[0]).not.toContain("line 40");
});

const TWO = "Use\n\n```ts\nconst a = 1;\n```\n\nor\n\n1. so:\n   ~~~\n   two\n     deep\n   ~~~\n\nend";

test.each([
  ["code", "two\n  deep"],
  ["code 1", "const a = 1;"],
  ["code 2", "two\n  deep"],
])("/copy %s copies that block without its fences and indent", async (argument, expected) => {
  expect((await copy(argument, [answer(TWO), answer("no code")])).written).toEqual([expected]);
});

test.each([
  ["code 3", "has 2 code blocks"],
  ["code zero", "is no number"],
  ["everything", "does not know"],
])("/copy %s is refused", async (argument, why) => {
  const { said, failed, written } = await copy(argument, [answer(TWO)]);
  expect({ failed, written }).toEqual({ failed: true, written: [] });
  expect(said).toContain(why);
});

test.each([
  ["a longer fence around a shorter one", "````md\n```\nx\n```\n````", "```\nx\n```"],
  ["a block that is never closed", "```\nx\ny", "x\ny"],
  ["backticks in a line of text", "```inline``` text\n\n```\nx\n```", "x"],
])("%s is one block", async (_what, text, expected) => {
  expect((await copy("code 1", [answer(text)])).written).toEqual([expected]);
});

test("/copy code without any code block fails", async () => {
  expect((await copy("code", [answer("plain")])).failed).toBe(true);
});
