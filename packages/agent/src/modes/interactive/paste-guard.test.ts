import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { freePastes } from "./paste-guard.ts";

function seenOf(chunks: readonly string[]): string[] {
  const input = new EventEmitter();
  const seen: string[] = [];
  input.on("data", (data: string) => seen.push(data));
  const end = freePastes(input as unknown as Parameters<typeof freePastes>[0]);
  for (const chunk of chunks) input.emit("data", chunk);
  end();
  input.emit("data", "after");
  return seen;
}

test("Ctrl+C after half a paste ends the paste first [T06]", () => {
  expect(seenOf(["\x1b[200~half", "\x03"])).toEqual(["\x1b[200~half", "\x1b[201~", "\x03", "after"]);
});

test("Ctrl+C after a whole paste, and text within one, are left as they are", () => {
  const chunks = ["\x1b[200~whole\x1b[201~", "\x03", "\x1b[200~a\x03b", "c\x1b[201~", "\x1b[99;5u"];
  expect(seenOf(chunks)).toEqual([...chunks, "after"]);
});
