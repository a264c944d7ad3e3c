import { expect, test } from "bun:test";
import { characterClass } from "../audit/character-class.ts";
import { GENUINE } from "../audit/test-support/corpus.ts";
import { Notices } from "./notices.ts";
import { loadTextGuard, mayHide } from "./text-guard.ts";

const HARMLESS = ["visible", "odd-space", "private-use", "blank-symbol", "carriage-return"];

test("no character that can be critical is taken for harmless without a look [A-AUDIT-01]", () => {
  const missed: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++)
    if (!HARMLESS.includes(characterClass(point)) && !mayHide(String.fromCodePoint(point)))
      missed.push(point.toString(16));
  expect(missed).toEqual([]);
});

test("accents, dashes and most scripts need no scanner", () => {
  for (const text of ["café — “quoted”…", "日本語", "Привет", "שלום"]) expect(mayHide(text)).toBe(false);
});

test("the guard names the source and gives genuine text as it is", async () => {
  const notices = new Notices();
  const guard = await loadTextGuard(notices);
  for (const text of Object.values(GENUINE)) expect(guard("x", text)).toBe(text);
  expect(notices.take()).toEqual([]);
  expect(guard("tool x of server y", "list files\n\u202esecret")).toBe("list files\n\\u{202e}secret");
  expect(notices.take()[0]?.message).toStartWith("tool x of server y:2 has hidden characters (U+202E");
});
