import { expect, test } from "bun:test";
import { measureIsolation } from "./__fixtures__/isolation.ts";

test("of all pairs of real folders, memories reach those of one project and no others [R02] [C1] [C2] [C3]", async () => {
  const report = await measureIsolation();
  expect({ leaks: report.leaks, missed: report.missed }).toEqual({ leaks: [], missed: [] });
  expect(report.folders).toBeGreaterThanOrEqual(30);
  expect(report.shared).toBeGreaterThan(report.folders);
});
