import { expect, test } from "bun:test";
import type { Message } from "../contract/messages.ts";
import { onlyNew } from "./recalled-text.ts";

const memory = (id: string, text: string) => `<memory id="${id}" kind="fact" by="user">\n${text}\n</memory>`;
const title = (id: string) => `<title id="${id}" kind="fact" date="2026-11-30">a line</title>`;
const framed = (...pieces: string[]) =>
  `<recalled-memory trust="untrusted">\n${pieces.join("\n")}\n</recalled-memory>`;
const shown = (text: string): Message => ({
  role: "user",
  origin: "memory",
  parts: [{ type: "text", text }],
});

test("what stands in the conversation is not repeated, and the rest stays byte for byte [R14]", () => {
  const text = framed(memory("a", "one"), memory("b", "two"));
  expect(onlyNew(text, [shown(framed(memory("a", "one")))])).toBe(framed(memory("b", "two")));
  expect(onlyNew(text, [])).toBe(text);
});

test("nothing new is nothing at all, not an empty frame [R14]", () => {
  const text = framed(memory("a", "one"), title("b"));
  expect(onlyNew(text, [shown(text)])).toBe("");
  expect(onlyNew("", [])).toBe("");
});

test("a whole memory stands for its line, a line does not stand for the memory", () => {
  expect(onlyNew(framed(title("a")), [shown(framed(memory("a", "one")))])).toBe("");
  const whole = framed(memory("a", "one"));
  expect(onlyNew(whole, [shown(framed(title("a")))])).toBe(whole);
});

test("a prompt that quotes a frame hides nothing", () => {
  const text = framed(memory("a", "one"));
  const quoted: Message = { role: "user", origin: "user", parts: [{ type: "text", text }] };
  expect(onlyNew(text, [quoted])).toBe(text);
});

test("the same summary of a session comes once", () => {
  const text = framed('<session-summary date="2026-11-30">\nrequest: x\n</session-summary>');
  expect(onlyNew(text, [], text)).toBe("");
});
