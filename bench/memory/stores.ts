import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import type { MemoryStore } from "../../packages/remem/src/core/ports/memory-store.ts";
import {
  pgliteDatabase,
  startPglite,
} from "../../packages/remem/src/store/postgres/__fixtures__/pglite-database.ts";
import {
  postgresPrograms,
  startPostgres,
} from "../../packages/remem/src/store/postgres/__fixtures__/server.ts";
import { openPostgresStore, openStoreIn } from "../../packages/remem/src/store/postgres/open-store.ts";
import { openSqliteStore } from "../../packages/remem/src/store/sqlite/open-store.ts";

/** Where the memories of a benchmark are. Everything in it is gone when it is disposed. */
export interface BenchStores extends AsyncDisposable {
  readonly name: string;
  /** One of its stores; the same again for the same name (small letters). */
  open(name: string): Promise<MemoryStore>;
  /** One that nobody has used, where it is fastest. */
  openNew(): Promise<MemoryStore>;
  /** The size of a store on disk, where it is known. */
  megabytes(name: string): number | undefined;
}

const clock = { now: () => Date.now() };

/** By the word after `--store`. `postgres` is a real server of this machine, `pglite` PostgreSQL with pgvector in this process. */
export const STORES: Readonly<Record<string, () => Promise<BenchStores>>> = {
  sqlite: async () => sqliteStores(),
  postgres: serverStores,
  pglite: pgliteStores,
};

function sqliteStores(): BenchStores {
  const folder = mkdtempSync(join(tmpdir(), "bench-memory-"));
  const pathOf = (name: string): string => join(folder, `${name}.db`);
  return {
    name: "SQLite",
    open: (name) => openSqliteStore({ path: pathOf(name), clock }),
    openNew: () => openSqliteStore({ path: ":memory:", clock }),
    megabytes: (name) => statSync(pathOf(name)).size / 1e6,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function serverStores(): Promise<BenchStores> {
  const programs = postgresPrograms();
  if ("missing" in programs) throw new Error(`--store postgres: ${programs.missing}; take --store pglite`);
  const space = await workspace();
  const server = await startPostgres(space, programs.folder);
  return {
    ...inSchemas((schema) => openPostgresStore({ url: server.url, clock, schema })),
    name: "PostgreSQL, a server on this machine, fsync off",
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await space[Symbol.asyncDispose]();
    },
  };
}

async function pgliteStores(): Promise<BenchStores> {
  const pglite = await startPglite();
  return {
    ...inSchemas((schema) => openStoreIn(pgliteDatabase(pglite), { clock, schema })),
    name: "PGlite",
    [Symbol.asyncDispose]: () => pglite.close(),
  };
}

/** Each store a schema of one database. */
function inSchemas(
  open: (schema: string) => Promise<MemoryStore>,
): Pick<BenchStores, "open" | "openNew" | "megabytes"> {
  let schemas = 0;
  return { open, openNew: () => open(`new${schemas++}`), megabytes: () => undefined };
}
