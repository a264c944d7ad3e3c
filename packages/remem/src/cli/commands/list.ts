import type { MemoryRecord, MemoryState } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { Selection } from "../../core/ports/memory-store.ts";
import type { OpenedStore } from "../../runtime/memory.ts";
import { usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { parseCount } from "../input/parse-count.ts";
import { parseKinds, STATEMENT_KINDS } from "../input/parse-kinds.ts";
import { parseTime } from "../input/parse-time.ts";
import { noStore } from "../no-store.ts";
import { memoryData, memoryTable } from "../output/memory-view.ts";
import { namedProject, usualScopes } from "../project-scopes.ts";

const SHOWN = 50;
const MOST = 10_000;
const STATES: Readonly<Record<string, readonly MemoryState[]>> = {
  active: ["active"],
  candidate: ["candidate"],
  superseded: ["superseded"],
  all: ["active", "candidate", "superseded"],
};

/** `remem list`: what is remembered, newest first. */
export const listCommand: CommandDefinition = {
  name: "list",
  summary: "what is remembered here and everywhere, newest first",
  usage:
    "[--all | --global | --project KEY] [--kind KIND] [--state STATE] [--session ID] [--since TIME] [--before TIME] [--pinned] [--verbatim] [--limit N]",
  words: { least: 0, most: 0 },
  options: {
    all: { short: "a", summary: "of every project" },
    global: { short: "g", summary: "only what holds everywhere" },
    project: { value: "KEY", summary: "only of this project (. is the current folder's)" },
    kind: { value: "KIND", short: "k", multiple: true, summary: "only these kinds" },
    state: {
      value: "STATE",
      summary: "active, candidate, superseded or all (default: active and candidate)",
    },
    session: { value: "ID", summary: "only of this session" },
    since: { value: "TIME", summary: "said at or after: 2026-11-30, or 12h, 30d, 4w ago" },
    before: { value: "TIME", summary: "said before" },
    pinned: { summary: "only pinned ones" },
    verbatim: { summary: "prompts, answers and tool notes, too" },
    limit: { value: "N", short: "n", summary: `at most so many (default ${SHOWN})` },
  },
  async run(call) {
    const { memory } = call;
    const limit = parseCount(call.value("limit"), "limit", SHOWN, MOST);
    const filters = readFilters(call);
    const opened = await memory.reading();
    if (opened === undefined) return { blocks: [await noStore(memory)], data: { memories: [], more: false } };
    const scopes = await scopesOf(call, opened);
    const found = await listScopes(opened, scopes, filters, limit + 1);
    const shown = found.slice(0, limit);
    const more = found.length > limit;
    return {
      blocks: [
        ...(shown.length === 0 ? ["Nothing is remembered that fits."] : [memoryTable(shown)]),
        ...(more ? [`There are more: --limit ${limit * 5} shows them.`] : []),
      ],
      data: { memories: shown.map(memoryData), more },
    };
  },
};

function readFilters(call: CommandCall): Selection {
  const { clock } = call.world;
  const time = (name: string): number | undefined => {
    const written = call.value(name);
    return written === undefined ? undefined : parseTime(written, name, clock.now());
  };
  const state = call.value("state");
  if (state !== undefined && !Object.hasOwn(STATES, state))
    throw usageError(
      `--state ${JSON.stringify(state)} is no state`,
      `states: ${Object.keys(STATES).join(", ")}`,
    );
  const kinds = parseKinds(call.values("kind")) ?? (call.flag("verbatim") ? undefined : STATEMENT_KINDS);
  const [from, before, sessionId] = [time("since"), time("before"), call.value("session")];
  return {
    states: state === undefined ? ["active", "candidate"] : STATES[state]!,
    ...(kinds === undefined ? {} : { kinds }),
    ...(from === undefined ? {} : { from }),
    ...(before === undefined ? {} : { before }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(call.flag("pinned") ? { pinned: true } : {}),
  };
}

/** Undefined: of everything. */
async function scopesOf(call: CommandCall, opened: OpenedStore): Promise<readonly MemoryScope[] | undefined> {
  const project = call.value("project");
  const asked = ["all", "global"].filter((name) => call.flag(name)).length + (project === undefined ? 0 : 1);
  if (asked > 1) throw usageError("--all, --global and --project exclude each other", "give one of them");
  if (call.flag("global")) return [{ kind: "global" }];
  if (project !== undefined) return [await namedProject(project, call, opened)];
  // A session's memories are asked for by its id alone.
  return call.flag("all") || call.value("session") !== undefined ? undefined : usualScopes(call);
}

async function listScopes(
  { memories }: OpenedStore,
  scopes: readonly MemoryScope[] | undefined,
  filters: Selection,
  limit: number,
): Promise<MemoryRecord[]> {
  if (scopes === undefined) return memories.list(filters, limit);
  const lists: MemoryRecord[] = [];
  for (const scope of scopes) lists.push(...(await memories.list({ ...filters, scope }, limit)));
  return lists.sort((one, other) => other.at - one.at).slice(0, limit);
}
