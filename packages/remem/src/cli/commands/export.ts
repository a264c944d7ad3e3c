import { closeSync, existsSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MemoryScope } from "../../core/memory/scope.ts";
import { scopeKey } from "../../core/memory/scope.ts";
import type { TransferSource } from "../../core/memory/transfer-item.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "../command.ts";
import { noStore } from "../no-store.ts";
import { counted } from "../output/memory-view.ts";
import { namedProject } from "../project-scopes.ts";

/** `remem export`: everything, for keeping or for another machine. */
export const exportCommand: CommandDefinition = {
  name: "export",
  summary: "everything as JSON Lines, or as one Markdown note a memory",
  usage: "[--format jsonl|markdown] [--output FILE|FOLDER] [--project KEY]",
  words: { least: 0, most: 0 },
  options: {
    format: { value: "FORMAT", summary: "jsonl (default) or markdown" },
    output: { value: "PATH", short: "o", summary: "a new file, or for markdown a new or empty folder" },
    project: { value: "KEY", summary: "only of this project (. is the current folder's)" },
  },
  notes: [
    "Without --output, JSON Lines go to stdout, and on a terminal into a new file of the current folder.",
    "Summaries of sessions are in the JSON Lines only. Files are readable by you only.",
  ],
  async run(call) {
    const { memory, world, json } = call;
    const format = call.value("format") ?? "jsonl";
    if (format !== "jsonl" && format !== "markdown")
      throw usageError(`--format ${JSON.stringify(format)} is no format`, "formats: jsonl, markdown");
    const output = call.value("output");
    if (output === undefined && (format === "markdown" || json))
      throw usageError(
        format === "markdown" ? "notes need a folder" : "with --json, the export itself needs a file",
        "name it: --output PATH",
      );
    const opened = await memory.reading();
    if (opened === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(memory)], data: { file: null, memories: 0 } };
    const { storeSource } = await import("../../transfer/store-source.ts");
    const project = call.value("project");
    const scope = project === undefined ? undefined : await namedProject(project, call, opened);
    const all = storeSource(opened.memories, world.signal);
    const source = counting(call, scope === undefined ? all : onlyOf(all, scope));
    const target = output === undefined ? undefined : resolve(world.cwd, output);
    if (format === "markdown") return exportNotes(source, target!);
    return exportLines(call, source, target ?? (world.output.isTerminal ? freeFile(call) : undefined));
  },
};

/** Items on their way, counted; what could not be read is told. */
interface CountedSource {
  readonly items: TransferSource;
  readonly counts: { memories: number; summaries: number };
}

function counting({ memory }: CommandCall, source: TransferSource): CountedSource {
  const counts = { memories: 0, summaries: 0 };
  async function* items(): TransferSource {
    for await (const item of source) {
      if (item.type === "memory") counts.memories++;
      else if (item.type === "summary") counts.summaries++;
      else memory.notices.push(`${item.where}: ${item.reason}`);
      yield item;
    }
  }
  return { items: items(), counts };
}

async function* onlyOf(source: TransferSource, scope: MemoryScope): TransferSource {
  const wanted = scopeKey(scope);
  for await (const item of source) {
    if (item.type === "memory" && scopeKey(item.record.scope) !== wanted) continue;
    if (item.type === "summary" && scope.kind === "project" && item.summary.project !== scope.id) continue;
    yield item;
  }
}

async function exportNotes({ items, counts }: CountedSource, folder: string): Promise<CommandOutcome> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CliError(
      "file_exists",
      `${folder} is not empty: nothing was written`,
      "name a new or empty folder",
    );
  const { writeNotes } = await import("../transfer/markdown-notes.ts");
  await writeNotes(items, folder);
  return told(folder, counts);
}

async function exportLines(
  { world }: CommandCall,
  { items, counts }: CountedSource,
  file: string | undefined,
): Promise<CommandOutcome> {
  const { writeJsonLines } = await import("../../transfer/json-lines.ts");
  if (file === undefined) {
    for await (const line of writeJsonLines(items)) await world.output.out(line);
    return { blocks: [], data: {} };
  }
  const descriptor = openNew(file);
  try {
    // Not writeSync: a disk that is full takes the first part of a line and says nothing.
    for await (const line of writeJsonLines(items)) writeFileSync(descriptor, line);
  } catch (error) {
    // A part of an export would pass for the whole, and keep the next try from its name.
    rmSync(file, { force: true });
    throw Object.assign(error as Error, { path: file });
  } finally {
    closeSync(descriptor);
  }
  return told(file, counts);
}

function told(file: string, { memories, summaries }: CountedSource["counts"]): CommandOutcome {
  return {
    blocks: [
      `${file}: ${counted(memories, "memory", "memories")}${summaries === 0 ? "" : `, ${counted(summaries, "summary", "summaries")}`}`,
    ],
    data: { file, memories, summaries },
  };
}

function openNew(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CliError(
      "file_exists",
      `${file} exists already: nothing was written`,
      "name a file that does not exist",
    );
  }
}

function freeFile({ world }: CommandCall): string {
  const day = new Date(world.clock.now()).toISOString().slice(0, 10);
  for (let index = 1; ; index++) {
    const file = resolve(world.cwd, `remem-export-${day}${index === 1 ? "" : `-${index}`}.jsonl`);
    if (!existsSync(file)) return file;
  }
}
