import { expect, test } from "bun:test";
import type { MemoryRecord } from "../memory/record.ts";
import { RecalledEcho } from "./recalled-echo.ts";

const record = (text: string): MemoryRecord => ({ title: "", text, attachment: "" }) as MemoryRecord;

test("knows what was shown again, whatever its spelling of spaces and case [R03]", () => {
  const echo = new RecalledEcho();
  echo.shown([record("The deployment key lies in the vault of the second floor.")]);
  expect(echo.repeats("the  DEPLOYMENT key lies in the vault of the second floor")).toBe(true);
  expect(echo.repeats("The deployment key was moved to the safe in the basement.")).toBe(false);
  expect(echo.repeats("")).toBe(false);
});

test("takes the sentences that repeat out of an answer and leaves its own [R03]", () => {
  const echo = new RecalledEcho();
  echo.shown([record("The deployment key lies in the vault of the second floor.")]);
  const answer =
    "From memory: The deployment key lies in the vault of the second floor. I changed the script to read it from there.";
  expect(echo.strip(answer)).toContain("I changed the script");
  expect(echo.strip(answer)).not.toContain("second floor");
});

test("a frame of recalled memories is never part of a text, even one that was cut off [R03]", () => {
  const echo = new RecalledEcho();
  expect(echo.strip("before <recalled-memory a>\nx</recalled-memory> after")).toBe("before   after");
  expect(echo.strip("before <recalled-memory a>\nx and on")).toBe("before  ");
});
