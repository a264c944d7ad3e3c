import { MEMORY_FRAME, type MemoryLook, type RecalledMemory } from "../../../contract/memory.ts";
import type { ToolOutcome } from "../../../contract/tool.ts";
import { empty, failed, failureOf, found, notLooked } from "../outcome.ts";

/** The outcome of a look into memory. `none` is said when all was looked at and nothing is there; `body` renders what was found. */
export async function lookInto(
  look: () => Promise<MemoryLook>,
  texts: {
    none: string;
    body(memories: readonly RecalledMemory[]): { head: string; lines: readonly string[] };
  },
): Promise<ToolOutcome> {
  let seen: MemoryLook;
  try {
    seen = await look();
  } catch (thrown) {
    return failureOf(thrown);
  }
  switch (seen.state) {
    case "refused":
      return failed(seen.reason, { code: "invalid_arguments" });
    case "not_looked":
      return notLooked(`Memory was not looked at: ${seen.reason}. What is remembered is not known.`);
    case "empty":
      return empty(texts.none, { memories: [] });
    case "found": {
      const { head, lines } = texts.body(seen.memories);
      const gaps = seen.gaps.map((gap) => `Not looked at: ${gap}.`);
      const text = [head, MEMORY_FRAME.open, ...lines, MEMORY_FRAME.close, ...gaps].join("\n");
      return found(text, { memories: seen.memories.map(detailsOf), gaps: [...seen.gaps] });
    }
  }
}

/** A memory as one line of an index: enough to decide whether to read it whole, and what that costs. */
export function indexLine({
  id,
  date,
  kind,
  by,
  typed,
  state,
  tokens,
  provider,
  line,
}: RecalledMemory): string {
  const marks = [typed ? `typed by ${by}` : `by ${by}`, ...(state === "" ? [] : [state]), `${tokens} tokens`];
  if (provider !== "") marks.push(`in ${provider}`);
  return `${id} ${date} ${kind} (${marks.join(", ")}): ${line}`;
}

/** Ids and marks for programs; the text is in what the model reads, and nowhere twice. */
function detailsOf({ id, kind, by, typed, date, state, tokens, files }: RecalledMemory) {
  return { id, kind, by, typed, date, state, tokens, files: [...files] };
}
