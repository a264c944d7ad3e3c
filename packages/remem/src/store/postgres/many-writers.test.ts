import { expect, test } from "bun:test";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { StoreError } from "../../core/errors.ts";
import { measureManyWriters } from "../__fixtures__/many-writers.ts";
import { addAll, fact, PROJECT } from "../conformance/memories.ts";
import { postgresPrograms, startPostgres } from "./__fixtures__/server.ts";
import { openPostgresStore } from "./open-store.ts";
import { connectPg } from "./pg-database.ts";
import { Transactions } from "./transactions.ts";

const clock = { now: () => 0 };
const programs = postgresPrograms();
const folder = "folder" in programs ? programs.folder : "";
const needs = "missing" in programs ? ` (left out: ${programs.missing})` : "";

test.skipIf(folder === "")(
  `programs that make one PostgreSQL store at the same moment and write to it lose nothing while one is killed [R01]${needs}`,
  async () => {
    await using space = await workspace();
    await using server = await startPostgres(space, folder);
    const report = await measureManyWriters({
      script: join(import.meta.dir, "__fixtures__/writer.ts"),
      place: server.url,
      environment: space.env(),
      open: () => openPostgresStore({ url: server.url, clock }),
      each: 25,
      killedAfter: 5,
    });
    expect(report).toMatchObject({ writers: 6, failed: 0, lost: 0, contradictions: 0, problems: [] });
    expect(report.acknowledged).toBeGreaterThanOrEqual(6 * 25 + 5);
  },
);

test.skipIf(folder === "")(
  `says so when another program holds the store, the database is read-only, or is not there, and goes on afterwards [R01]${needs}`,
  async () => {
    await using space = await workspace();
    await using server = await startPostgres(space, folder);
    const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
      const error: unknown = await promise.then(
        () => "no error",
        (reason: unknown) => reason,
      );
      return StoreError.is(error) ? error.code : error;
    };
    const store = await openPostgresStore({ url: server.url, clock, lockTimeoutMs: 50 });
    const other = await connectPg({ url: server.url, connectTimeoutMs: 5_000 });
    const options = { database: other, schema: "remem", statementTimeoutMs: 60_000, lockTimeoutMs: 60_000 };
    await new Transactions(options).write(async () => {
      expect(await codeOf(addAll(store, fact("waits")))).toBe("busy");
      // Who only reads waits for nobody.
      expect(await store.list({ scope: PROJECT }, 5)).toEqual([]);
    });
    expect(await addAll(store, fact("waits"))).toMatchObject([{ outcome: "added" }]);
    await other.transaction("SELECT 1", (session) =>
      session.run("ALTER DATABASE postgres SET default_transaction_read_only = on"),
    );
    const reader = await openPostgresStore({ url: server.url, clock });
    expect(await codeOf(addAll(reader, fact("refused")))).toBe("read_only");
    expect(await reader.list({ scope: PROJECT }, 5)).toHaveLength(1);
    const nowhere = server.url.replace("/postgres?", "/nothing?");
    expect(await codeOf(openPostgresStore({ url: nowhere, clock }))).toBe("unavailable");
    await Promise.all([store.close(), reader.close(), other.close()]);
  },
);
