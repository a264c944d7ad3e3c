import { readToken } from "../../core/manager/forget-preview.ts";
import type { MemoryRecord } from "../../core/memory/record.ts";
import type { Selection } from "../../core/ports/memory-store.ts";
import type { OpenedStore } from "../../runtime/memory.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "../command.ts";
import { parseKinds } from "../input/parse-kinds.ts";
import { parseTime } from "../input/parse-time.ts";
import { noStore } from "../no-store.ts";
import { counted, memoryData, memoryTable, moment } from "../output/memory-view.ts";
import { render } from "../output/render.ts";
import { actorOf, confirmed, isPerson, refuseAgent } from "../person.ts";
import { namedProject, usualScopes } from "../project-scopes.ts";
import { type ScrubReport, scrubCopies } from "../scrub-copies.ts";

/** One preview erases at most so many. */
const MOST = 10_000;
const MOST_FOUND = 50;

/** `remem forget …`: erases memories, after a look at what would go. */
export const forgetCommand: CommandDefinition = {
  name: "forget",
  summary: "erase memories for good, after a look at what would go",
  usage:
    "ID … | --search WORDS | [--session ID] [--project KEY] [--kind KIND] [--since TIME] [--before TIME] | --all | --confirm TOKEN",
  words: { least: 0, most: MOST },
  options: {
    search: {
      value: "WORDS",
      summary: "what a search in this project finds (look at the preview with care)",
    },
    session: { value: "ID", summary: "everything of a session, with its summary" },
    project: { value: "KEY", summary: "everything of a project (. is the current folder's)" },
    kind: { value: "KIND", short: "k", multiple: true, summary: "only these kinds" },
    since: { value: "TIME", summary: "said at or after: 2026-11-30, or 12h, 30d, 4w ago" },
    before: { value: "TIME", summary: "said before" },
    all: { summary: "everything, of every project" },
    confirm: { value: "TOKEN", summary: "erase what a preview showed, within 15 minutes" },
  },
  notes: [
    "In a terminal you are shown what would go and asked. Elsewhere nothing is erased: the preview ends with a token, and forget --confirm TOKEN erases exactly what it showed.",
    "What is erased leaves the store, its indexes, its vectors, the summaries and traces of its sessions, and the copies beside the store. The same text is not learned again. Backups that you put elsewhere are yours to delete.",
  ],
  async run(call) {
    refuseAgent(call.world, "erase memories");
    const token = call.value("confirm");
    if (token !== undefined) {
      if (call.words.length > 0)
        throw usageError(
          "--confirm erases what the preview showed, and nothing else can be named with it",
          "leave the ids out",
        );
      return confirm(call, token);
    }
    checkWays(call);
    const reading = await call.memory.reading();
    if (reading === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(call.memory)], data: { erased: 0 } };
    return preview(call, await selectionOf(call, reading), reading);
  },
};

async function preview(
  call: CommandCall,
  selection: Selection,
  reading: OpenedStore,
): Promise<CommandOutcome> {
  const { world, memory } = call;
  const manager = await memory.manager(reading);
  const seen = await manager.previewForget(selection);
  const copies = await copiesBeside(call);
  const shown = [
    memoryTable(seen.sample),
    ...(seen.memories > seen.sample.length
      ? [`… and ${counted(seen.memories - seen.sample.length, "more", "more")}`]
      : []),
    `${counted(seen.memories, "memory", "memories")} of ${counted(seen.sessions, "session")} would be erased for good, with the summaries and traces of ${seen.sessions === 1 ? "that session" : "those sessions"}${
      copies === 0 ? "" : `, also from the ${counted(copies, "copy", "copies")} beside the store`
    }.`,
  ];
  const data = {
    erased: 0,
    preview: {
      memories: seen.memories,
      sessions: seen.sessions,
      copies,
      sample: seen.sample.map(memoryData),
      token: seen.token,
      expires_at: new Date(seen.expiresAt).toISOString(),
    },
  };
  if (!isPerson(world) || call.json)
    return {
      blocks: [
        ...shown,
        `Nothing was erased. To erase exactly this before ${moment(seen.expiresAt)}:`,
        `${world.program} forget --confirm ${seen.token}`,
      ],
      data,
    };
  await world.output.out(render(shown, world.output));
  if (!(await confirmed(world, "Erase them?"))) return { blocks: ["Nothing was erased."], data };
  return confirm(call, seen.token);
}

async function confirm(call: CommandCall, token: string): Promise<CommandOutcome> {
  const { world, memory } = call;
  const { selection } = readToken(token);
  const opened = await memory.writing();
  const records = await opened.memories.list(selection, MOST);
  const manager = await memory.manager(opened);
  // The token says that somebody has looked at exactly this; agents were refused before.
  const { memories, summaries } = await manager.forget(token, { ...actorOf(world), interactive: true });
  const scrubbed = await scrub(call, records);
  for (const path of scrubbed.unread)
    memory.notices.push(
      `${path} cannot be opened: what was erased may still be in it. Delete it if you do not need it`,
    );
  return {
    blocks: [
      `Erased ${counted(memories, "memory", "memories")}${summaries === 0 ? "" : ` and ${counted(summaries, "summary", "summaries")}`}.`,
      ...(scrubbed.clean === 0
        ? []
        : [
            `The ${counted(scrubbed.clean, "copy", "copies")} beside the store ${scrubbed.clean === 1 ? "does" : "do"} not hold them any more either.`,
          ]),
    ],
    data: {
      erased: memories,
      summaries,
      copies: { clean: scrubbed.clean, erased: scrubbed.erased, unread: scrubbed.unread },
    },
  };
}

async function scrub({ memory, world }: CommandCall, records: readonly MemoryRecord[]): Promise<ScrubReport> {
  const { storage } = (await memory.config()).settings;
  return storage.kind === "sqlite"
    ? scrubCopies(storage.path, records, world.clock)
    : { clean: 0, erased: 0, unread: [] };
}

async function copiesBeside({ memory }: CommandCall): Promise<number> {
  const { storage } = (await memory.config()).settings;
  if (storage.kind !== "sqlite") return 0;
  const { listKeptCopies } = await import("../../store/sqlite/backup/list-kept.ts");
  return listKeptCopies(storage.path).length;
}

const FILTERS = ["session", "project", "kind", "since", "before"] as const;

/** Throws unless the line says in exactly one way what is meant. */
function checkWays(call: CommandCall): void {
  const { world, words } = call;
  const filtered = FILTERS.some((name) => call.value(name) !== undefined || call.values(name).length > 0);
  const ways = [words.length > 0, call.value("search") !== undefined, call.flag("all"), filtered];
  const asked = ways.filter(Boolean).length;
  if (asked === 0) throw usageError("forget needs to know what", `see: ${world.program} help forget`);
  if (asked > 1)
    throw usageError("ids, --search, --all and the other filters exclude each other", "give one of them");
}

async function selectionOf(call: CommandCall, reading: OpenedStore): Promise<Selection> {
  const { world, words } = call;
  if (words.length > 0) return { ids: [...new Set(words)] };
  // A selection that names nothing is refused everywhere; everything is what was said before the end of time.
  if (call.flag("all")) return { before: Number.MAX_SAFE_INTEGER };
  const search = call.value("search");
  if (search === undefined) return filtersOf(call, reading);
  const engine = await call.memory.engine(reading);
  const { hits } = await engine.search(search, {
    scopes: await usualScopes(call),
    states: ["active", "candidate", "superseded"],
    limit: MOST_FOUND,
    signal: world.signal,
  });
  if (hits.length > 0) return { ids: hits.map(({ record }) => record.id) };
  throw new CliError(
    "nothing_selected",
    `nothing is remembered of ${JSON.stringify(search)}: nothing would be erased`,
    "search with other words, or list memories",
    EXIT.nothing,
  );
}

async function filtersOf(call: CommandCall, reading: OpenedStore): Promise<Selection> {
  const now = call.world.clock.now();
  const [sessionId, project, since, before] = ["session", "project", "since", "before"].map((name) =>
    call.value(name),
  );
  const kinds = parseKinds(call.values("kind"));
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(project === undefined ? {} : { scope: await namedProject(project, call, reading) }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(since === undefined ? {} : { from: parseTime(since, "since", now) }),
    ...(before === undefined ? {} : { before: parseTime(before, "before", now) }),
  };
}
