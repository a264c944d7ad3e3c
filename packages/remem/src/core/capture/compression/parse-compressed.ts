import type { MemoryKind } from "../../memory/record.ts";
import type { SessionSummary } from "../../ports/memory-store.ts";
import { shorten } from "../tools/error-line.ts";

/** One observation as a model wrote it, within its limits. */
export interface CompressedObservation {
  readonly title: string;
  readonly kind: Extract<MemoryKind, "decision" | "bugfix" | "feature" | "refactor" | "discovery" | "change">;
  readonly text: string;
  readonly files: readonly string[];
}

const KINDS: ReadonlySet<string> = new Set([
  "decision",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
  "change",
]);
const MOST = 5;
const MOST_FILES = 20;
const LONGEST = { title: 100, text: 500, summary: 300, file: 300 } as const;

/** The observations of an answer; undefined when the answer is not what was asked for, so that nothing of it counts. */
export function parseObservations(answer: string): readonly CompressedObservation[] | undefined {
  const list = parseJson(answer, "[", "]");
  if (!Array.isArray(list)) return undefined;
  const found: CompressedObservation[] = [];
  for (const one of list as unknown[]) {
    if (typeof one !== "object" || one === null) return undefined;
    const { title, type, text, files } = one as Record<string, unknown>;
    if (typeof title !== "string" || typeof text !== "string" || !KINDS.has(String(type))) return undefined;
    if (title.trim() === "" || text.trim() === "") continue;
    found.push({
      title: shorten(title, LONGEST.title),
      kind: type as CompressedObservation["kind"],
      text: shorten(text, LONGEST.text),
      files: (Array.isArray(files) ? (files as unknown[]) : [])
        .filter((file): file is string => typeof file === "string" && file.length <= LONGEST.file)
        .slice(0, MOST_FILES),
    });
  }
  return found.slice(0, MOST);
}

/** The parts of a session's summary; undefined when the answer is not what was asked for, or says nothing. */
export function parseSummary(
  answer: string,
): Omit<SessionSummary, "sessionId" | "project" | "at"> | undefined {
  const value = parseJson(answer, "{", "}");
  if (typeof value !== "object" || value === null) return undefined;
  const part = (name: string): string => {
    const text = (value as Record<string, unknown>)[name];
    return typeof text === "string" ? shorten(text, LONGEST.summary) : "";
  };
  const summary = {
    request: part("request"),
    investigated: part("investigated"),
    learned: part("learned"),
    completed: part("completed"),
    nextSteps: part("next_steps"),
  };
  return summary.request === "" && summary.completed === "" ? undefined : summary;
}

/** The JSON of an answer, also out of a code fence. */
function parseJson(answer: string, open: string, close: string): unknown {
  const start = answer.indexOf(open);
  const end = answer.lastIndexOf(close);
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(answer.slice(start, end + 1));
  } catch {
    return undefined;
  }
}
