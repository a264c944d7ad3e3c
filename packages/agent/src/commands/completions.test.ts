import { expect, test } from "bun:test";
import type { CommandOption } from "../contract/command.ts";
import { type CompletionSources, completeLine } from "./completions/complete-line.ts";
import { plainWord } from "./completions/plain-word.ts";
import { usageForms } from "./completions/usage-forms.ts";
import { completionsCommand } from "./completions.ts";

const option = (name: string, kind: CommandOption["kind"] = "flag"): CommandOption => ({
  name,
  kind,
  summary: `about ${name}`,
});

const SOURCES: CompletionSources = {
  flags: [
    { name: "print", short: "p", summary: "answer once" },
    { name: "mode", value: "print|json", summary: "how" },
    { name: "model", value: "provider/model", summary: "which" },
    { name: "ca-cert", short: "c", value: "pem", summary: "trust" },
    { name: "header", value: "k=v", repeatable: true, summary: "more" },
    { name: "subagent", hidden: true, summary: "own" },
  ],
  commands: [
    {
      name: "things",
      summary: "all about things",
      usage:
        "pi things [FORM ...]\n   list [--all]\n   show ID [--json]\n   save FILE|FOLDER [--format html|json] [--limit N]",
      options: [
        option("all"),
        option("json"),
        option("format", "value"),
        option("limit", "value"),
        option("quiet"),
      ],
    },
    {
      name: "log",
      summary: "log in",
      usage: "pi log [provider] [--key | --device] | pi log --status",
      options: [option("key"), option("device"), option("status")],
    },
    { name: "thin", summary: "", usage: "pi thin", options: [] },
  ],
  values: async (kind) => [
    { value: `${kind}-1`, description: "first" },
    { value: `${kind} 2`, description: "" },
  ],
};

async function offered(...words: string[]): Promise<string[]> {
  const { candidates, files } = await completeLine(words, SOURCES);
  return [...candidates.map(({ value }) => value), ...(files ? [":files"] : [])];
}

test.each<[string[], string[]]>([
  [["th"], ["things", "thin"]],
  [["-"], ["--print", "-p", "--mode", "--model", "--ca-cert", "-c", "--header"]],
  [["--mo"], ["--mode", "--model"]],
  [
    ["--mode", ""],
    ["print", "json"],
  ],
  [["--mode", "j"], ["json"]],
  [["--mode=p"], ["--mode=print"]],
  [
    ["--model", ""],
    ["models-1", "models 2"],
  ],
  [["--model=models-"], ["--model=models-1"]],
  [["--ca-cert", ""], [":files"]],
  [["--ca-cert=x"], [":files"]],
  [["-c", ""], [":files"]],
  [["-c", "x", "--c"], []],
  [["-p", "--p"], []],
  [["--print=x"], []],
  [["--unknown=x"], []],
  [["--header", ""], []],
  [["--header", "a=b", "--he"], ["--header"]],
  [["--print", "--pr"], []],
  [
    ["things", ""],
    ["list", "show", "save"],
  ],
  [
    ["things", "show", ""],
    ["sessions-1", "sessions 2"],
  ],
  [["things", "show", "x", ""], []],
  [["things", "save", ""], [":files"]],
  [
    ["things", "save", "x", "--format", ""],
    ["html", "json"],
  ],
  [["things", "save", "x", "--format=j"], ["--format=json"]],
  [["things", "save", "x", "--limit", ""], []],
  [["things", "show", "x", "--a"], []],
  [["things", "list", "--a"], ["--all"]],
  [["things", "list", "--q"], ["--quiet"]],
  [["things", "nothing", ""], []],
  [
    ["things", "list", "--mo"],
    ["--mode", "--model"],
  ],
  [
    ["log", ""],
    ["providers-1", "providers 2"],
  ],
  [
    ["log", "--"],
    ["--key", "--device", "--status", "--print", "--mode", "--model", "--ca-cert", "--header"],
  ],
  [["thin", ""], []],
  [["fix", "th"], [":files"]],
  [["-p", "th"], [":files"]],
  [["--mode", "json", "th"], [":files"]],
  [["--", "th"], [":files"]],
  [["-p", "--", "--mo"], [":files"]],
])("after %j comes %j", async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test.each([
  ["plain", "plain"],
  ["a\\ b", "a b"],
  ["'a b", "a b"],
  ['"a\\"b\\$c\\d"', 'a"b$c\\d'],
  ["a'b'\"c\"d", "abcd"],
  ["$(touch x)", "$(touch x)"],
  ["'it'\\''s'", "it's"],
  ["end\\", "end\\"],
])("%s as typed is the word %s", (typed, word) => {
  expect(plainWord(typed)).toBe(word);
});

test("a usage that says nothing of words has one form without any", () => {
  expect(usageForms("pi thin", "thin")).toEqual([{ words: [], options: [], values: new Map() }]);
});

test("words to choose from, an end that is left open and notes in parentheses are told apart", () => {
  const [form] = usageForms("pi memory add|list|… (see: pi memory help)", "memory");
  expect(form?.words).toEqual([{ literals: ["add", "list"] }]);
});

const run = (words: string[]) =>
  completionsCommand.run(
    { words, options: {} },
    { completions: { sources: async () => SOURCES } },
    new AbortController().signal,
  );

test("a candidate is a line with its description; one that breaks lines is left out", async () => {
  const odd = {
    ...SOURCES,
    values: async () => [
      { value: "a\nb", description: "" },
      { value: "ok", description: "two\nlines\t!" },
    ],
  };
  const result = await completionsCommand.run(
    { words: ["candidates", "--model", ""], options: {} },
    { completions: { sources: async () => odd } },
    new AbortController().signal,
  );
  expect(result.blocks).toEqual([{ kind: "text", text: "ok\ttwo lines !" }]);
});

test("words as they were typed lose their quotes first", async () => {
  expect((await run(["typed", "--model", "'models "])).blocks).toEqual([
    { kind: "text", text: "models 2\t" },
  ]);
  expect((await run(["candidates", "--model", "'models "])).blocks).toEqual([]);
});

test("a shell without a script is refused with those that have one; a longer line is a prompt", async () => {
  await expect(run(["tcsh"])).rejects.toMatchObject({ exitCode: 2, hint: "pi completions bash|zsh|fish" });
  await expect(run([])).rejects.toMatchObject({ exitCode: 2 });
  expect(completionsCommand.accepts({ words: ["are", "broken"], options: {} })).toBe(false);
});
