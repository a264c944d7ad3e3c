import { expect, test } from "bun:test";
import {
  commandOfExtension,
  type ExtensionsPorts,
  extensionsCommand,
  type ListedExtension,
} from "./extensions.ts";
import { completed, run } from "./test-support/run-command.ts";

const LISTED: ListedExtension[] = [
  {
    name: "good",
    file: "~/.pi-go/extensions/good.ts",
    state: "ready",
    loadMs: 12.4,
    tools: ["echo"],
    commands: ["hello", "bye"],
    faults: [{ where: "turn_end", message: "oh no", times: 3 }],
  },
  {
    name: "bad",
    file: "~/bad.ts",
    state: "failed",
    error: "no",
    loadMs: 1,
    tools: [],
    commands: [],
    faults: [],
  },
];

function ports(more: Partial<ExtensionsPorts["extensions"]> = {}): ExtensionsPorts & { done: string[] } {
  const done: string[] = [];
  return {
    done,
    extensions: {
      off: () => null,
      list: () => LISTED,
      problems: () => ['the package "x" is not installed'],
      reload: async () => void done.push("reload"),
      has: (name) => name === "hello",
      run: async (name, argument) => void done.push(`${name} ${argument}`),
      complete: async () => [{ value: "you", label: "you" }],
      ...more,
    },
  };
}

test("/extensions lists what each brought, what failed, and what went wrong", async () => {
  const { blocks } = await run(extensionsCommand, "", ports());
  expect(blocks).toEqual([
    {
      kind: "table",
      head: ["extension", "", "tools", "commands", "loaded in"],
      rows: [
        ["good", "~/.pi-go/extensions/good.ts", "echo", "/hello, /bye", "12 ms"],
        ["bad", "failed: ~/bad.ts", "", "", "1 ms"],
      ],
    },
    { kind: "table", head: ["not loaded", "why"], rows: [["bad", "no"]] },
    { kind: "table", head: ["went wrong", "in", ""], rows: [["good", "turn_end", "oh no (3 times)"]] },
    { kind: "text", text: 'the package "x" is not installed' },
  ]);
});

test("/extensions reload loads all anew and lists them", async () => {
  const given = ports();
  const { blocks } = await run(extensionsCommand, "reload", given);
  expect(given.done).toEqual(["reload"]);
  expect(blocks[0]).toMatchObject({ kind: "table" });
});

test("without extensions it says where they are looked for; switched off it says why", async () => {
  const none = await run(extensionsCommand, "", ports({ list: () => [], problems: () => [] }));
  expect(none.blocks).toEqual([
    { kind: "text", text: "There are no extensions. docs/extensions.md says where they are looked for." },
  ]);
  const off = await run(extensionsCommand, "", ports({ off: () => "it was started with --no-extensions" }));
  expect(off.failed).toBe(true);
});

test("another word is refused with the forms", async () => {
  expect((await run(extensionsCommand, "remove x", ports())).failed).toBe(true);
});

test("a command of an extension runs with its argument and completes by the extension", async () => {
  const given = ports();
  await run(commandOfExtension("hello"), "you", given);
  expect(given.done).toEqual(["hello you"]);
  expect(await completed(commandOfExtension("hello"), "y", given)).toEqual(["you"]);
});
