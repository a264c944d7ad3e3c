import type { OwnedProcess } from "../../contract/process.ts";
import type { ToolContext } from "../../contract/tool.ts";

/** Tests the lines of texts against one regular expression. */
export interface LineMatcher {
  /** Indexes of the lines that match; null when it took too long and was given up. */
  matches(lines: readonly string[]): Promise<number[] | null>;
  close(): void;
}

/** What can make a match take longer than its text is long: an unbounded repetition. */
const REPEATS = /[*+]|\{\d+,\}/;

/** Runs in a process of its own: expression first, then for each line of JSON the indexes that match. */
const SCRIPT = `let expression;
for await (const line of console) {
  if (line === "") continue;
  const value = JSON.parse(line);
  if (expression === undefined) expression = new RegExp(value[0], value[1]);
  else console.write(JSON.stringify(value.flatMap((text, index) => (expression.test(text) ? [index] : []))) + "\\n");
}`;

/**
 * A matcher that always comes back. JavaScript's engine can be busy for years with a line (`(.*)(.*)(.*)=$`) and nothing
 * stops it from inside, not even the end of a worker: what repeats runs in a process that can be killed, after `patienceMs` for
 * one text.
 */
export function lineMatcher(expression: RegExp, context: ToolContext, patienceMs: number): LineMatcher {
  if (!REPEATS.test(expression.source))
    return {
      matches: async (lines) => lines.flatMap((line, index) => (expression.test(line) ? [index] : [])),
      close: () => undefined,
    };
  let running: Matching | undefined;
  return {
    async matches(lines) {
      running ??= startMatching(expression, context);
      const answer = await running.ask(lines, patienceMs);
      if (answer === null) running = undefined;
      return answer;
    },
    close: () => running?.end(),
  };
}

interface Matching {
  ask(lines: readonly string[], patienceMs: number): Promise<number[] | null>;
  end(): void;
}

function startMatching(expression: RegExp, context: ToolContext): Matching {
  const child = context.processes.start({
    argv: [process.execPath, "--no-env-file", "-e", SCRIPT],
    // Nothing of the project may act on it.
    cwd: "/",
    env: { BUN_BE_BUN: "1" },
    stdin: "pipe",
    label: "search",
  });
  const answers = linesOf(child);
  const end = () => {
    child.stdin?.end();
    void child.end(0);
  };
  child.stdin?.write(`${JSON.stringify([expression.source, expression.flags])}\n`);
  return {
    async ask(lines, patienceMs) {
      const text = `${JSON.stringify(lines)}\n`;
      child.stdin?.write(text);
      // A second more for each MB: handing it over takes its time on a busy machine.
      const limit = AbortSignal.timeout(patienceMs + Math.round(text.length / 1_000));
      const tooLong = AbortSignal.any([context.signal, limit]);
      tooLong.addEventListener("abort", end, { once: true });
      const { value } = await answers.next();
      tooLong.removeEventListener("abort", end);
      return typeof value === "string" ? (JSON.parse(value) as number[]) : null;
    },
    end,
  };
}

async function* linesOf(child: OwnedProcess): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
