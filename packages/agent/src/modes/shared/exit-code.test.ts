import { expect, test } from "bun:test";
import type { RunStop } from "../../contract/events.ts";
import { exitCode, type Interruption } from "./exit-code.ts";

const table: [RunStop, string, Interruption, number][] = [
  ["end", "text", null, 0],
  ["end", "", null, 1],
  ["end", " \n\t", null, 1],
  ["length", "text", null, 1],
  ["error", "text", null, 1],
  ["max_turns", "text", null, 3],
  ["limit", "", null, 3],
  ["aborted", "", "SIGINT", 130],
  ["aborted", "", "SIGTERM", 143],
  ["aborted", "", "SIGHUP", 129],
  ["aborted", "", "timeout", 124],
];
for (const [stop, text, interruption, code] of table)
  test(`${stop} with ${text === "" ? "no text" : "text"} after ${interruption ?? "nothing"} exits with ${code} [H03]`, () => {
    expect(exitCode(stop, text, interruption)).toBe(code);
  });
