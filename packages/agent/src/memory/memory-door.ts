import type { FoundMemory, MemoryAnswer } from "agentic-remem/core";
import type { MemorySession } from "agentic-remem/runtime";
import type { MemoryDoor, MemoryLook, RecalledMemory } from "../contract/memory.ts";

type Engine = typeof import("agentic-remem/core");

export interface MemoryDoorParts {
  /** Opens memory at the first need. */
  session(): Promise<MemorySession>;
  /** Why it may not be looked at now; null when it may. */
  off(): string | null;
}

const LINE_CHARACTERS = 160;

/** Memory as the tools look into it. */
export function memoryDoor({ session, off }: MemoryDoorParts): MemoryDoor {
  const look = async (ask: (memory: MemorySession) => Promise<MemoryAnswer>): Promise<MemoryLook> => {
    const reason = off();
    if (reason !== null) return { state: "not_looked", reason };
    const answer = await ask(await session());
    if (answer.outcome === "not_looked")
      return { state: "not_looked", reason: answer.reason ?? "no store answered" };
    const gaps = answer.gaps.map(({ provider, reason: why }) => `${provider} (${why.replaceAll("_", " ")})`);
    if (answer.memories.length > 0) {
      const engine = await import("agentic-remem/core");
      return { state: "found", memories: answer.memories.map((one) => recalled(one, engine)), gaps };
    }
    // Nothing in a part of the places does not mean that there is nothing.
    return gaps.length === 0
      ? { state: "empty" }
      : { state: "not_looked", reason: `nothing was found, but these gave no answer: ${gaps.join(", ")}` };
  };
  return {
    async search(query, { limit, type, provider, signal }) {
      const { MEMORY_KINDS: kinds } = await import("agentic-remem/core");
      const kind = kinds.find((each) => each === type);
      if (type !== undefined && kind === undefined)
        return {
          state: "refused",
          reason: `there is no type ${JSON.stringify(type.slice(0, 40))}\nTypes: ${kinds.join(", ")}.`,
        };
      return look((memory) =>
        memory.search(query, {
          limit,
          signal,
          ...(kind === undefined ? {} : { kinds: [kind] }),
          ...(provider === undefined ? {} : { provider }),
        }),
      );
    },
    timeline: (anchor, options) => look((memory) => memory.timeline(anchor, options)),
    get: (ids, signal) => look((memory) => memory.get(ids, { signal })),
  };
}

function recalled({ record, provider }: FoundMemory, engine: Engine): RecalledMemory {
  const inert = engine.inertText;
  const { provenance, title, text, attachment } = record;
  const whole = [title, text, attachment === "" ? "" : `[${attachment}]`].filter((part) => part !== "");
  const standing = [
    record.state === "active" ? "" : record.state,
    record.freshness === "stale" ? "stale" : "",
  ];
  return {
    id: inert(record.id).replaceAll('"', "'"),
    kind: record.kind,
    by: inert(provenance.author.name ?? provenance.author.role).replaceAll('"', "'"),
    typed: provenance.typed,
    date: new Date(record.at).toISOString().slice(0, 10),
    state: standing.filter((word) => word !== "").join(", "),
    line: inert(oneLine(title === "" ? text : title)),
    text: inert(whole.join("\n")),
    files: record.files.map((file) => oneLine(inert(file))),
    tokens: engine.estimateTokens(whole.join("\n")),
    provider: provider === "primary" ? "" : provider,
  };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const letters = [...line];
  return letters.length > LINE_CHARACTERS ? `${letters.slice(0, LINE_CHARACTERS - 1).join("")}…` : line;
}
