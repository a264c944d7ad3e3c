import { expect, test } from "bun:test";
import type { Message } from "../../contract/messages.ts";
import { calling, resulting } from "../test-support/long-history.ts";
import { fileListText, filesIn } from "./file-list.ts";

const kindOf = (name: string) => (name === "read" ? ("inspect" as const) : ("edit" as const));
const words = (text: string) => text.split(/\s+/).length;
const did = (id: string, name: string, path: string): Message[] => [
  calling(id, name, { file_path: path }),
  resulting(id, name, "ok"),
];
const carried = (text: string): Message => ({
  role: "user",
  origin: "summary",
  parts: [
    { type: "text", text: "notes" },
    { type: "text", text },
  ],
});

test("a list goes through any number of summaries unchanged, whatever the names", () => {
  const names = ["a.ts", 'with "quotes".ts', "line\nbreak.ts", "- dash", "日本.ts", "Changed:", " "];
  let messages: Message[] = names.flatMap((name, n) => did(`c${n}`, n % 2 === 0 ? "edit" : "read", name));
  const first = filesIn(messages, kindOf);
  for (let round = 0; round < 3; round++) {
    messages = [carried(fileListText(filesIn(messages, kindOf), 1_000, words))];
    expect(filesIn(messages, kindOf)).toEqual(first);
  }
  expect([...first.changed, ...first.read].sort()).toEqual([...names].sort());
});

test("a file that was read and then changed is listed once, as changed", () => {
  const files = filesIn(
    [...did("a", "read", "x"), ...did("b", "edit", "x"), ...did("c", "read", "x")],
    kindOf,
  );
  expect(files).toEqual({ changed: ["x"], read: [] });
});

test("where there is no room for all, the latest stay and the number of the others is said", () => {
  const messages = Array.from({ length: 50 }, (_, n) => did(`c${n}`, "edit", `f${n}`)).flat();
  const text = fileListText(filesIn(messages, kindOf), 60, words);
  expect(text).toContain('"f49"');
  expect(text).not.toContain('"f0"');
  expect(text).toMatch(/\(\d+ earlier ones are not listed\)/);
  expect(words(text)).toBeLessThan(70);
});

test("a call that failed changed nothing", () => {
  const failed = did("a", "edit", "x");
  if (failed[1]?.role === "tool") failed[1].parts[0]!.isError = true;
  expect(filesIn(failed, kindOf)).toEqual({ changed: [], read: [] });
  expect(fileListText({ changed: [], read: [] }, 100, words)).toBe("");
});
