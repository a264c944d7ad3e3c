import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../contract/json.ts";
import type { SpillDoor, ToolOutcome } from "../../contract/tool.ts";
import { type Compactor, createCompactor } from "../compactor.ts";

/** A spill door in memory. */
export function memorySpill(): SpillDoor & { files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    open(label) {
      const path = `/spill/${label.replaceAll(" ", "-")}-${files.size + 1}.txt`;
      files.set(path, "");
      let written = 0;
      return {
        path,
        dropped: 0,
        get written() {
          return written;
        },
        write(bytes) {
          written += bytes.length;
          files.set(path, files.get(path) + new TextDecoder().decode(bytes));
        },
        close: () => undefined,
      };
    },
  };
}

export interface Shortened {
  outcome: ToolOutcome | undefined;
  spill: ReturnType<typeof memorySpill>;
  compactor: Compactor;
}

export function outcomeOf(text: string, details: JsonObject = {}): ToolOutcome {
  return { outcome: "found", isError: false, text, details };
}

/** Runs a result of a tool through a compactor. */
export async function shorten(
  tool: string,
  input: JsonObject,
  text: string,
  more: { details?: JsonObject; options?: Partial<Parameters<typeof createCompactor>[0]> } = {},
): Promise<Shortened> {
  const spill = memorySpill();
  const compactor = createCompactor({ enabled: () => true, spill, ...more.options });
  const call = { id: "call", name: tool, kind: "run" as const, input };
  const outcome = await compactor.afterTool(
    call,
    outcomeOf(text, more.details),
    new AbortController().signal,
  );
  return { outcome, spill, compactor };
}

/** A real output of a real program, without its last line end. */
export function fixture(name: string): string {
  return readFileSync(join(import.meta.dir, "..", "__fixtures__", `${name}.txt`), "utf8").trimEnd();
}

/** Two hundred lines of a test run that passed, around one failure. */
export function testRun(failure = "(fail) cart > sums [1.00ms]"): string {
  const passed = (from: number) =>
    Array.from({ length: 100 }, (_, index) => `(pass) cart > case ${from + index} [0.10ms]`);
  return [
    "bun test v1.4.5",
    "",
    ...passed(0),
    "error: 1 is not 2",
    failure,
    ...passed(100),
    "",
    " 200 pass",
    " 1 fail",
  ].join("\n");
}
