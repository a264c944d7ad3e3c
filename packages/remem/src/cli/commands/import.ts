import { createReadStream, existsSync } from "node:fs";
import { resolve } from "node:path";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { TransferSource } from "../../core/memory/transfer-item.ts";
import type { ImportReport } from "../../transfer/import-items.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { counted } from "../output/memory-view.ts";
import { isPerson, needPerson } from "../person.ts";
import { namedProject } from "../project-scopes.ts";
import { ReadableCopies } from "../readable-copies.ts";
import { detectFormat, FORMATS, type ImportFormat } from "../transfer/detect-format.ts";

const MOST_NAMED = 10;

/** `remem import PATH`: memories of a file, a folder or a database. */
export const importCommand: CommandDefinition = {
  name: "import",
  summary: "bring in an export, notes, or a database of claude-mem or pi-go",
  usage: `FILE|FOLDER|DATABASE [--from ${FORMATS.join("|")}] [--project KEY] [--as-written]`,
  words: { least: 1, most: 1 },
  options: {
    from: { value: "FORMAT", summary: "what it is (default: looked at)" },
    project: {
      value: "KEY",
      summary: "the project everything holds in (. is the current folder's), whatever it says itself",
    },
    "as-written": { summary: "keep who said what: only for an export of your own (needs a terminal)" },
  },
  notes: [
    "What comes in has nobody's authority, whatever it says: its author is import. Outside of a terminal it waits for review as well.",
    "Twice the same is there once. What was erased before stays erased. Secrets are taken out on the way. The source is only read.",
  ],
  async run(call) {
    const { memory, world, words } = call;
    const path = resolve(world.cwd, words[0]!);
    if (!existsSync(path))
      throw new CliError("no_file", `there is nothing at ${path}`, "check the path; nothing was imported");
    const asWritten = call.flag("as-written");
    if (asWritten) needPerson(world, "take over who said what");
    const format = await formatOf(call, path);
    const copies = new ReadableCopies();
    try {
      const opened = await memory.writing();
      const project = call.value("project");
      const here = await memory.projectHere(opened);
      const scope =
        project === undefined
          ? undefined
          : project === "."
            ? here
            : await namedProject(project, call, opened);
      const source = await sourceOf(format, { path, scope, here, call, copies });
      const { importItems } = await import("../../transfer/import-items.ts");
      const report = await importItems(prepared(source, scope, !isPerson(world)), {
        store: opened.memories,
        screen: await memory.screen(),
        provenance: asWritten ? "as-written" : "import",
        signal: world.signal,
      });
      return outcomeOf(report, format, !isPerson(world), call);
    } finally {
      copies.remove();
    }
  },
};

async function formatOf(call: CommandCall, path: string): Promise<ImportFormat> {
  const written = call.value("from");
  if (written === undefined) return detectFormat(path);
  const format = FORMATS.find((one) => one === written);
  if (format !== undefined) return format;
  throw usageError(`--from ${JSON.stringify(written)} is no format`, `formats: ${FORMATS.join(", ")}`);
}

interface Import {
  readonly path: string;
  readonly scope: MemoryScope | undefined;
  /** Where notes hold that do not say it. */
  readonly here: MemoryScope;
  readonly call: CommandCall;
  readonly copies: ReadableCopies;
}

async function sourceOf(
  format: ImportFormat,
  { path, scope, here, call, copies }: Import,
): Promise<TransferSource> {
  const { clock } = call.world;
  switch (format) {
    case "jsonl": {
      const { readJsonLines } = await import("../../transfer/json-lines.ts");
      return readJsonLines(createReadStream(path));
    }
    case "markdown": {
      const { readNotes } = await import("../transfer/markdown-notes.ts");
      return readNotes(path, here);
    }
    case "claude-mem":
    case "pi-go": {
      const { readForeignDatabase } = await import("../../store/sqlite/foreign/read-database.ts");
      return readForeignDatabase({ path, clock, ...(scope === undefined ? {} : { scopeOf: () => scope }) });
    }
    case "store":
      return storeOf(copies.of(path), call);
  }
}

/** A store of this engine, read in a copy: opening one may bring it up to date. */
async function* storeOf(copy: string, { world }: CommandCall): TransferSource {
  const { openSqliteStore } = await import("../../store/sqlite/open-store.ts");
  const { storeSource } = await import("../../transfer/store-source.ts");
  const store = await openSqliteStore({ path: copy, clock: world.clock });
  try {
    yield* storeSource(store, world.signal);
  } finally {
    await store.close();
  }
}

/** Items in the scope that was asked for; with `review`, what would hold waits for a person. */
async function* prepared(
  source: TransferSource,
  scope: MemoryScope | undefined,
  review: boolean,
): TransferSource {
  for await (const item of source) {
    if (item.type === "memory") {
      const { record } = item;
      yield {
        type: "memory",
        record: {
          ...record,
          ...(scope === undefined ? {} : { scope }),
          ...(review && record.state === "active" ? { state: "candidate" as const } : {}),
        },
      };
    } else if (item.type === "summary" && scope?.kind === "project")
      yield { type: "summary", summary: { ...item.summary, project: scope.id } };
    else yield item;
  }
}

function outcomeOf(
  report: ImportReport,
  format: ImportFormat,
  review: boolean,
  { world, memory }: CommandCall,
) {
  for (const { where, reason } of report.brokenItems.slice(0, MOST_NAMED))
    memory.notices.push(`${where} was left out: ${reason}`);
  const rest: [number, string][] = [
    [report.known, "known already"],
    [report.forgotten, "erased once, and left out"],
    [report.summaries, "summaries of sessions"],
    [report.redactions, "secrets or private parts taken out"],
    [report.broken, "could not be read"],
  ];
  return {
    exitCode: report.read === 0 ? EXIT.nothing : report.read === report.broken ? EXIT.failed : EXIT.done,
    blocks: [
      `${counted(report.added, "memory", "memories")} came in from ${format}.`,
      ...rest.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
      ...(review && report.added > 0 ? [`They wait for review: ${world.program} review`] : []),
    ],
    data: {
      format,
      read: report.read,
      added: report.added,
      known: report.known,
      forgotten: report.forgotten,
      summaries: report.summaries,
      redactions: report.redactions,
      broken: report.broken,
      broken_items: report.brokenItems.map(({ where, reason }) => ({ where, reason })),
      for_review: review,
    },
  };
}
