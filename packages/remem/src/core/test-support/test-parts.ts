import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { MemoryEngine } from "../engine.ts";
import type { NewMemory, Provenance } from "../memory/record.ts";
import type { MemoryContext } from "../orchestrator/memory-context.ts";
import type { MemoryProvider } from "../orchestrator/memory-provider.ts";
import type { Clock } from "../ports/clock.ts";
import type { StatefulStore } from "../ports/engine-state.ts";
import type { Screen } from "../ports/screen.ts";

export const PROJECT = { kind: "project", id: "p" } as const;
export const FOREIGN = { kind: "project", id: "q" } as const;
export const GLOBAL = { kind: "global" } as const;

export const CONTEXT: MemoryContext = {
  sessionId: "now",
  project: "p",
  scopes: [GLOBAL, PROJECT, { kind: "session", id: "now" }],
  writes: PROJECT,
};

export const TYPED: Provenance = {
  host: "test",
  sessionId: "before",
  author: { role: "user" },
  typed: true,
};

export const fact = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({
  kind: "fact",
  scope: PROJECT,
  text,
  provenance: TYPED,
  ...more,
});

/** Takes the word "hunter2" for a secret, and nothing else. */
export const TEST_SCREEN: Screen = {
  screen: async (text) => ({
    text: text.replaceAll("hunter2", "[redacted:password]"),
    findings: [...text.matchAll(/hunter2/gu)].map(({ index }) => ({
      rule: "password",
      category: "secret",
      offset: index,
      length: 7,
    })),
  }),
};

export interface TestProvider extends AsyncDisposable {
  readonly store: StatefulStore;
  readonly engine: MemoryEngine;
  readonly provider: MemoryProvider;
}

/** A provider on an empty store in memory, with counted ids. */
export async function testProvider(
  clock: Clock,
  id = "main",
  more: Partial<MemoryProvider> = {},
): Promise<TestProvider> {
  let count = 0;
  const newId = (): string => `${id}${String(++count).padStart(4, "0")}`;
  const store = await openSqliteStore({ path: ":memory:", clock, newId });
  const engine = new MemoryEngine({ store, clock });
  return {
    store,
    engine,
    provider: { id, engine, store, timeoutMs: 200, primary: id === "main", ...more },
    [Symbol.asyncDispose]: () => store.close(),
  };
}
