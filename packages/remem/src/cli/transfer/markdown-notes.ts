import { join } from "node:path";
import type { MemoryRecord } from "../../core/memory/record.ts";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { TransferSource } from "../../core/memory/transfer-item.ts";
import { FolderNotes } from "../../store/markdown/folder-notes.ts";
import { writeNote } from "../../store/markdown/note/note-record.ts";
import { noteName, writeFiles } from "../../store/markdown/note-files.ts";

/** Notes at once; each is a file that is flushed. */
const AT_ONCE = 100;

/** The notes of a folder; `scope` is where those hold that do not say it. The folder is only read. */
export async function* readNotes(folder: string, scope: MemoryScope): TransferSource {
  const notes = new FolderNotes(folder, scope);
  await notes.refresh();
  for (const [where, { record, problem }] of notes.notes)
    if (record !== undefined) yield { type: "memory", record };
    else yield { type: "broken", where, reason: problem ?? "it cannot be read" };
}

/** Writes memories as notes into a folder, one a file; gives how many. Summaries are no notes and are left out. */
export async function writeNotes(source: TransferSource, folder: string): Promise<number> {
  let waiting = new Map<string, string>();
  let written = 0;
  for await (const item of source) {
    if (item.type !== "memory") continue;
    waiting.set(freeName(folder, item.record, waiting), await writeNote(item.record));
    written++;
    if (waiting.size >= AT_ONCE) {
      await writeFiles(waiting);
      waiting = new Map();
    }
  }
  await writeFiles(waiting);
  return written;
}

/** A name ends with the memory's id, so that two share one only where ids differ in letters that a name cannot have. */
function freeName(folder: string, record: MemoryRecord, taken: ReadonlyMap<string, string>): string {
  const path = join(folder, noteName(record));
  return taken.has(path) ? path.replace(/\.md$/, "-2.md") : path;
}
