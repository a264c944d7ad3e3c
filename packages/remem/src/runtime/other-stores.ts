import { StoreError } from "../core/errors.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import type { OpenedStore } from "./memory.ts";
import type { StoreRequest } from "./memory-options.ts";

/** Opens a store that is no SQLite file. Rejects with a StoreError. */
export function openOtherStore(request: StoreRequest): Promise<OpenedStore> {
  return request.kind === "postgres" ? openPostgres(request) : openMarkdown(request);
}

async function openPostgres({ databaseUrl, clock, newId }: StoreRequest): Promise<OpenedStore> {
  if (databaseUrl === undefined)
    throw new StoreError(
      "unavailable",
      "the address of the PostgreSQL store is not set",
      "set storage.databaseUrl, or REMEM_DATABASE_URL in the environment",
    );
  const { openPostgresStore } = await import("../store/postgres/open-store.ts");
  const store = await openPostgresStore({
    url: databaseUrl,
    clock,
    ...(newId === undefined ? {} : { newId }),
  });
  return { memories: store, state: store.state };
}

/** Notes have no place for traces, projects and counters: those are in a small database beside the folder. */
async function openMarkdown(request: StoreRequest): Promise<OpenedStore> {
  const { path, clock, newId, busyTimeoutMs } = request;
  const [{ openMarkdownStore }, { openSqliteStore }] = await Promise.all([
    import("../store/markdown/open-store.ts"),
    import("../store/sqlite/open-store.ts"),
  ]);
  const ids = newId === undefined ? {} : { newId };
  const notes = await openMarkdownStore({ folder: path, clock, scope: { kind: "global" }, ...ids });
  try {
    const beside = await openSqliteStore({ path: `${path}.state.db`, clock, busyTimeoutMs });
    return { memories: closingBoth(notes, beside), state: beside.state };
  } catch (error) {
    await notes.close();
    throw error;
  }
}

function closingBoth(notes: MemoryStore, beside: MemoryStore): MemoryStore {
  return new Proxy(notes, {
    get: (target, name) => {
      if (name === "close") return () => Promise.all([target.close(), beside.close()]).then(() => undefined);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
