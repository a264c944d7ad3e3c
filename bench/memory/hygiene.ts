import { workspace } from "@pi-ts/testkit";
import { secretCorpus } from "../../packages/remem/src/privacy/__fixtures__/secret-corpus.ts";
import { measureHygiene } from "../../packages/remem/src/runtime/hygiene.ts";
import { openMemory } from "../../packages/remem/src/runtime/open-memory.ts";
import type { Figure } from "../report.ts";
import { exactly } from "./exactly.ts";
import { percent } from "./retrieval-metrics.ts";

/** What two replays of one session leave behind, with memories put before the model and secrets in every turn. */
export async function benchHygiene(turns: number): Promise<Figure[]> {
  await using space = await workspace({}, { git: true });
  const report = await measureHygiene({
    open: () =>
      openMemory({
        host: "bench",
        cwd: space.path,
        home: space.home,
        environment: space.env(),
        settings: { capture: { enabled: true } },
      }),
    secrets: secretCorpus()
      .slice(0, turns)
      .map(({ secret }) => secret),
    turns,
  });
  const beside = `${turns} turns, twice; ${report.injections} injections, ${report.rows[1]} memories`;
  return [
    exactly(0, "hygiene, recalled memories learned again", report.recaptured, beside),
    exactly(0, "hygiene, planted secrets stored", report.secretsStored, `${turns} planted`),
    {
      name: "hygiene, memories that are there twice",
      value: percent(report.duplicateShare),
      beside: `${report.duplicates} of ${report.rows[1]}`,
      goal: "< 1",
      met: report.duplicateShare < 0.01,
    },
  ];
}
