import type { MemoryRecord } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";
import { titleOf } from "../../core/orchestrator/frame-summary.ts";
import type { MemorySession } from "../../runtime/memory.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { parseCount } from "../input/parse-count.ts";
import { parseKinds } from "../input/parse-kinds.ts";
import { day, memoryData } from "../output/memory-view.ts";

const SHOWN = 10;
const MOST = 50;
const LONGEST_LINE = 200;

/** A memory that answers, and how well. */
interface Hit {
  readonly record: MemoryRecord;
  /** The place it was found in. */
  readonly provider: string;
  readonly score: number;
}

/** `remem search WORDS`: what answers a question, best first. */
export const searchCommand: CommandDefinition = {
  name: "search",
  summary: "what answers a question, best first",
  usage: "WORDS … [--all] [--kind KIND] [--limit N]",
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  options: {
    all: { short: "a", summary: "in every project, not only in this one" },
    kind: { value: "KIND", short: "k", multiple: true, summary: "only these kinds" },
    limit: { value: "N", short: "n", summary: `at most so many (default ${SHOWN}, at most ${MOST})` },
  },
  notes: ["Exits with 3 when nothing was found. Searching leaves no trace in the store."],
  async run(call) {
    const query = call.words.join(" ").trim();
    if (query === "") throw usageError("there is nothing to search for", "give some words");
    const limit = parseCount(call.value("limit"), "limit", SHOWN, MOST);
    const kinds = parseKinds(call.values("kind"));
    const options = { limit, signal: call.world.signal, ...(kinds === undefined ? {} : { kinds }) };
    const hits = call.flag("all") ? await everywhere(call, query, options) : await here(call, query, options);
    return {
      exitCode: hits.length === 0 ? EXIT.nothing : EXIT.done,
      blocks:
        hits.length === 0
          ? [`Nothing is remembered of ${JSON.stringify(query)}. What waits for review is not searched.`]
          : hits.map(
              ({ record }) =>
                `${record.id}  ${record.kind}, ${day(record.at)}${record.state === "active" ? "" : `, ${record.state}`}\n  ${lineOf(record)}`,
            ),
      data: {
        query,
        hits: hits.map(({ record, provider, score }) => ({
          ...memoryData(record),
          provider,
          score: Math.round(score * 1_000) / 1_000,
        })),
      },
    };
  },
};

type Options = NonNullable<Parameters<MemorySession["search"]>[1]>;

async function here({ memory }: CommandCall, query: string, options: Options): Promise<readonly Hit[]> {
  const answer = await (await memory.session()).search(query, options);
  if (answer.outcome === "not_looked") {
    // The search tells no reason in full; opening the store does.
    await memory.reading();
    throw new CliError(
      "not_looked",
      `nothing was searched: ${answer.reason ?? "memory did not answer"}`,
      "try again",
    );
  }
  for (const { provider, reason } of answer.gaps)
    memory.notices.push(`"${provider}" was not searched (${reason.replaceAll("_", " ")})`);
  return answer.memories;
}

async function everywhere({ memory }: CommandCall, query: string, options: Options): Promise<readonly Hit[]> {
  const opened = await memory.reading();
  if (opened === undefined) return [];
  const projects = await opened.state.projects();
  const scopes: MemoryScope[] = [
    { kind: "global" },
    ...projects.map(({ key }): MemoryScope => ({ kind: "project", id: key })),
  ];
  const engine = await memory.engine(opened);
  const { hits } = await engine.search(query, { ...options, scopes });
  return hits.map(({ record, score }) => ({ record, score, provider: "primary" }));
}

function lineOf(record: MemoryRecord): string {
  const text = record.text.replace(/\s+/g, " ").trim();
  const line = record.title === "" ? text : `${titleOf(record)}: ${text}`;
  const letters = [...line];
  return letters.length > LONGEST_LINE ? `${letters.slice(0, LONGEST_LINE - 1).join("")}…` : line;
}
