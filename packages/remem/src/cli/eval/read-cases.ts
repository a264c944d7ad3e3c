import type { MemoryScope } from "../../core/memory/scope.ts";
import { CliError } from "../cli-error.ts";
import type { RecallCase } from "./evaluate-cases.ts";

/** The cases of a labelled file. Throws a CliError that names the line that is wrong. */
export function readCases(text: string, scopes: readonly MemoryScope[]): RecallCase[] {
  return text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [{ ...readCase(line, index + 1), scopes }]));
}

function readCase(line: string, number: number): Pick<RecallCase, "query" | "expect"> {
  try {
    const { query, expect } = JSON.parse(line) as { query?: unknown; expect?: unknown };
    if (
      typeof query === "string" &&
      query !== "" &&
      Array.isArray(expect) &&
      expect.every((one) => typeof one === "string" && one !== "")
    )
      return { query, expect: expect as string[] };
  } catch {
    // told below, as what is JSON and no case
  }
  throw new CliError(
    "wrong_case",
    `line ${number} is no case`,
    'write a line like {"query": "which package manager", "expect": ["we use pnpm"]}',
  );
}
