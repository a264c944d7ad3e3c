import { expect, test } from "bun:test";
import { canary, workspace } from "@pi-ts/testkit";
import { measureHygiene } from "./hygiene.ts";
import { memoryFolder, memoryOf } from "./test-support/test-memory.ts";

/** Joined here, so that no scanner takes this file for a leak. */
const secret = (index: number): string =>
  ["ghp", `${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8v"}${String(index).padStart(8, "0")}`].join("_");

test("200 turns replayed twice with injection on: nothing recalled is learned, under 1 % twice, no secret of 200 [R03] [R09] [R11]", async () => {
  await using space = await workspace({}, { git: true });
  const secrets = Array.from({ length: 200 }, (_, index) => secret(index));
  const report = await measureHygiene({ open: () => memoryOf(space), secrets });
  expect(report.injections).toBeGreaterThan(20);
  expect(report.recaptured).toBe(0);
  expect(report.secretsStored).toBe(0);
  expect(report.duplicateShare).toBeLessThan(0.01);
  expect(report.rows[0]).toBeGreaterThan(400);
  expect(report.rows[1] - report.rows[0]).toBeLessThan(report.rows[0] * 0.01);
  for (const one of [secrets[0]!, secrets[100]!, secrets[199]!]) canary(one).absentFrom(memoryFolder(space));
});
