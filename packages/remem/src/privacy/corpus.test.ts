import { expect, test } from "bun:test";
import { join } from "node:path";
import { canary, workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import { benignCorpus } from "./__fixtures__/benign-corpus.ts";
import { chance } from "./__fixtures__/chance.ts";
import { secretCorpus } from "./__fixtures__/secret-corpus.ts";
import { createScreen } from "./create-screen.ts";

const LEAST_RECALL = 0.97;
const LEAST_PRECISION = 0.98;
/** So many characters of a secret in a row are a piece of it. */
const PIECE = 10;

/** Whether a text still holds a secret, or a longer piece of it. */
function holds(text: string, secret: string): boolean {
  const body = secret.replace(/-----[A-Z ]+-----/g, "");
  for (let at = 0; at + PIECE <= body.length; at++)
    if (text.includes(body.slice(at, at + PIECE))) return true;
  return text.includes(secret);
}

test("of a labelled corpus nearly every secret goes and nearly nothing else does [A-MEM-09] [C14] [X05]", async () => {
  const screen = createScreen();
  const secrets = secretCorpus();
  const benign = benignCorpus();
  expect(secrets.length).toBeGreaterThanOrEqual(200);
  expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40);
  expect(benign.length).toBeGreaterThanOrEqual(400);
  let found = 0;
  for (const { text, secret } of secrets) if (!holds((await screen.screen(text)).text, secret)) found++;
  let wrong = 0;
  for (const text of benign) if ((await screen.screen(text)).text !== text) wrong++;
  const recall = found / secrets.length;
  const precision = found / (found + wrong);
  console.log(
    `secrets ${secrets.length}, benign ${benign.length}: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`,
  );
  expect(recall).toBeGreaterThanOrEqual(LEAST_RECALL);
  expect(precision).toBeGreaterThanOrEqual(LEAST_PRECISION);
});

test("of 200 secrets planted in observations none is left [A-MEM-09] [R09] [X05]", async () => {
  const screen = createScreen();
  const c = chance(21);
  const benign = benignCorpus(22);
  const left: string[] = [];
  for (const { kind, secret, text } of secretCorpus(23).slice(0, 200)) {
    const before = Array.from({ length: 12 }, () => c.pick(benign)).join("\n");
    const after = Array.from({ length: 12 }, () => c.pick(benign)).join("\n");
    const observation = `tool bash, exit code 1\n${before}\n\n${text}\n\n${after}`;
    if (holds((await screen.screen(observation)).text, secret)) left.push(kind);
  }
  expect(left).toEqual([]);
});

test("no byte of the store's files holds a secret that was planted in what it keeps [A-MEM-09] [R09] [X05]", async () => {
  await using space = await workspace();
  const screen = createScreen();
  const store = await openSqliteStore({ path: join(space.outside, "memory.db"), clock: { now: () => 0 } });
  const planted = secretCorpus(29).filter(({ secret }) => !/[\n\\ ]/.test(secret) && secret.length >= 12);
  const entries = await Promise.all(
    planted.map(async ({ text }, index) => ({
      memory: {
        kind: "toolnote" as const,
        scope: { kind: "project" as const, id: "p" },
        text: `note ${index}: ${(await screen.screen(text)).text}`,
        provenance: { host: "test", sessionId: "s", author: { role: "tool" as const }, typed: false },
      },
    })),
  );
  await store.add(entries);
  // Before closing, the write-ahead log holds them, too.
  for (const { secret } of planted) canary(secret).absentFrom(space.outside);
  await store.close();
  for (const { secret } of planted) canary(secret).absentFrom(space.outside);
  expect(planted.length).toBeGreaterThan(200);
});
