/** `remem` on a real PostgreSQL server. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { workspace } from "@pi-ts/testkit";
import { postgresPrograms, startPostgres } from "../packages/remem/src/store/postgres/__fixtures__/server.ts";
import { remem, rememData } from "./support/remem.ts";

const programs = postgresPrograms();
const onServer = test.skipIf("missing" in programs);

onServer(
  "a PostgreSQL store is filled, searched, backed up and restored from the command line [B-CLI-02][B-CORE-02]",
  async () => {
    await using space = await workspace();
    await using server = await startPostgres(space, (programs as { folder: string }).folder);
    await using ws = await workspace();
    const options = { env: { REMEM_DATABASE_URL: server.url } };
    expect((await remem(ws, ["add", "The staging port is 9090."], options)).code).toBe(0);
    expect(await rememData(ws, ["backup", "-o", "one.jsonl"], options)).toMatchObject({
      file: ws.at("one.jsonl"),
    });
    expect((await remem(ws, ["add", "Said after the backup."], options)).code).toBe(0);

    const asked = await remem(ws, ["restore", "one.jsonl"], options);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain("--confirm");
    const restored = await rememData<{ kept: string }>(ws, ["restore", "one.jsonl", "--confirm"], options);
    const texts = async () =>
      (await remem(ws, ["list", "--json"], options)).stdout.match(/staging port|after the backup/g);
    expect(await texts()).toEqual(["staging port"]);
    expect(readFileSync(restored.kept, "utf8")).toContain("Said after the backup.");
    expect(readdirSync(ws.path).sort()).toEqual([restored.kept.split("/").at(-1)!, "one.jsonl"].sort());
  },
);
