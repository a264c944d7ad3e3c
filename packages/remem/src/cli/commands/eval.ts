import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { type EvaluatedCase, evaluateCases } from "../eval/evaluate-cases.ts";
import { readCases } from "../eval/read-cases.ts";
import { tracedCases } from "../eval/traced-cases.ts";
import { parseCount } from "../input/parse-count.ts";
import { noStore } from "../no-store.ts";

const REPLAYED = 50;
const MOST = 500;

/** `remem eval`: whether recall finds what it should, in the user's own store. */
export const evalCommand: CommandDefinition = {
  name: "eval",
  summary: "whether recall finds what it should, in your own store",
  usage: "[FILE] [--limit N]",
  words: { least: 0, most: 1 },
  options: { limit: { value: "N", short: "n", summary: `at most so many cases (default ${REPLAYED})` } },
  notes: [
    "Without a file, the newest prompts that memory answered are asked again: is what was shown then still among the first ten? A change shows what new memories or another embedder did.",
    'With a file, each line is {"query": "…", "expect": ["ID or words of the memory", …]}; "expect": [] says that nothing should be recalled.',
  ],
  async run(call) {
    const { memory, world, words, value } = call;
    const limit = parseCount(value("limit"), "limit", REPLAYED, MOST);
    const opened = await memory.reading();
    if (opened === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(memory)], data: { cases: 0 } };
    const cases =
      words[0] === undefined
        ? await tracedCases(opened, limit)
        : readCases(readFileSync(resolve(world.cwd, words[0]), "utf8"), await scopesHere(call)).slice(
            0,
            limit,
          );
    if (cases.length === 0)
      return {
        exitCode: EXIT.nothing,
        blocks: ["There is nothing to ask: memory answered no prompt yet. Give a file of cases."],
        data: { cases: 0 },
      };
    const results = await evaluateCases(await memory.engine(opened), cases, world.signal);
    const share = (test: (result: EvaluatedCase) => boolean): number =>
      results.filter(test).length / results.length;
    const at = (rank: number): number => share((result) => result.best !== undefined && result.best <= rank);
    const meanRank =
      results.reduce((sum, { best }) => sum + (best === undefined ? 0 : 1 / best), 0) / results.length;
    const found = results.reduce((sum, result) => sum + result.found, 0);
    const wanted = results.reduce((sum, result) => sum + result.wanted, 0);
    const missed = results.filter(({ best }) => best === undefined);
    return {
      blocks: [
        `${results.length} cases, ${wanted} memories wanted`,
        {
          head: [],
          rows: [
            ["first", percent(at(1))],
            ["in the first five", percent(at(5))],
            ["in the first ten", percent(at(10))],
            [
              "memories found in the first ten",
              wanted === 0 ? "-" : `${found} of ${wanted} (${percent(found / wanted)})`,
            ],
            ["mean reciprocal rank", meanRank.toFixed(3)],
          ],
        },
        ...(missed.length === 0
          ? []
          : [
              "",
              "Not found:",
              ...missed.slice(0, 10).map(({ query }) => `  ${query.replace(/\s+/g, " ").slice(0, 100)}`),
            ]),
      ],
      data: {
        cases: results.length,
        at_1: round(at(1)),
        at_5: round(at(5)),
        at_10: round(at(10)),
        wanted,
        found,
        mean_reciprocal_rank: round(meanRank),
        missed: missed.map(({ query }) => query),
      },
    };
  },
};

async function scopesHere(call: CommandCall) {
  const { usualScopes } = await import("../project-scopes.ts");
  return usualScopes(call);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
