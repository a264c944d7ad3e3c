import type { NewMemory, Provenance } from "../../core/memory/record.ts";
import type { AddResult, MemoryStore, SessionSummary } from "../../core/ports/memory-store.ts";

export const PROJECT = { kind: "project", id: "p" } as const;
export const OTHER = { kind: "project", id: "q" } as const;
export const SPACE = "space-a";
export const NOW = Date.UTC(2026, 0, 1);

export const typed: Provenance = { host: "test", sessionId: "s1", author: { role: "user" }, typed: true };
export const byAgent: Provenance = { host: "test", sessionId: "s1", author: { role: "agent" }, typed: false };

export const fact = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({
  kind: "fact",
  scope: PROJECT,
  text,
  at: NOW,
  provenance: typed,
  ...more,
});

export const addAll = (store: MemoryStore, ...memories: NewMemory[]): Promise<AddResult[]> =>
  store.add(memories.map((memory) => ({ memory })));

export const idOf = (result: AddResult | undefined): string => {
  if (result === undefined || result.outcome === "forgotten") throw new Error("nothing was added");
  return result.id;
};

export const search = async (
  store: MemoryStore,
  term: string,
  scopes: NewMemory["scope"][] = [PROJECT],
): Promise<string[]> => {
  const { rows } = await store.lexical({ terms: [term], scopes, states: ["active"], limit: 10 });
  const records = await store.records(rows);
  return rows.map((row) => records.get(row)?.text ?? "");
};

export const summaryOf = (sessionId: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId,
  project: "p",
  request: "",
  investigated: "",
  learned: "",
  completed: "",
  nextSteps: "",
  at: NOW,
  ...more,
});

/** Runs each use on a store of its own, which is closed afterwards. */
export function opened<S extends MemoryStore>(
  open: () => Promise<S>,
): (use: (store: S) => Promise<void>) => Promise<void> {
  return async (use) => {
    const store = await open();
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };
}
