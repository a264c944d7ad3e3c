import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryRecord } from "../../core/memory/record.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { CliWorld } from "../cli-world.ts";
import type { CommandDefinition } from "../command.ts";
import { noStore } from "../no-store.ts";
import { actorOf, needPerson } from "../person.ts";

/** `remem edit ID`: a new wording. */
export const editCommand: CommandDefinition = {
  name: "edit",
  summary: "give a memory a new wording; the old one stays, linked to it",
  usage: "ID [--text TEXT] [--title TITLE] [--subject WORDS]",
  words: { least: 1, most: 1 },
  options: {
    text: { value: "TEXT", summary: "the new wording; without it, $VISUAL or $EDITOR is opened" },
    title: { value: "TITLE", summary: "a new line to list it by" },
    subject: { value: "WORDS", summary: "what it is about" },
  },
  notes: ["Only in a terminal: a new wording counts at once, with your authority."],
  async run({ words, value, world, memory }) {
    needPerson(world, "change what is remembered");
    const [id] = words;
    if ((await memory.reading()) === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(memory)], data: { outcome: "nothing" } };
    const opened = await memory.writing();
    const [record] = await opened.memories.get([id!]);
    if (record === undefined)
      throw new CliError(
        "unknown_memory",
        `there is no memory with the id ${JSON.stringify(id)}`,
        `${world.program} list or search finds the right one`,
        EXIT.nothing,
      );
    const [title, subject] = [value("title"), value("subject")];
    const text =
      value("text") ??
      (title === undefined && subject === undefined ? await edited(record, world) : record.text);
    if (text === record.text && title === undefined && subject === undefined)
      return { blocks: ["Nothing was changed."], data: { outcome: "unchanged", id: record.id } };
    const manager = await memory.manager(opened);
    const result = await manager.update(
      record.id,
      { text, ...(title === undefined ? {} : { title }), ...(subject === undefined ? {} : { subject }) },
      actorOf(world),
    );
    if (result.outcome === "forgotten")
      throw new CliError(
        "forgotten",
        "this wording was erased once, and what was erased does not come back by itself",
        "say it in other words; the memory was not changed",
      );
    return {
      blocks: [
        result.outcome === "known"
          ? `This is remembered already, as ${result.id}; ${record.id} points to it now.`
          : `Remembered as ${result.id}; ${record.id} stays as what held before.`,
      ],
      data: { outcome: result.outcome, id: result.id, superseded: [record.id] },
    };
  },
};

/** The text of a memory after the user's editor had it. */
export async function edited(record: Pick<MemoryRecord, "text">, world: CliWorld): Promise<string> {
  const { environment } = world;
  const usual = process.platform === "win32" ? "notepad" : "vi";
  const editor =
    [environment["VISUAL"], environment["EDITOR"]].find((name) => name !== undefined && name !== "") ?? usual;
  const folder = mkdtempSync(join(tmpdir(), "remem-edit-"));
  const file = join(folder, "memory.txt");
  try {
    writeFileSync(file, `${record.text}\n`, { mode: 0o600 });
    const code = await world.runOnTerminal(`${editor} "${file}"`);
    if (code !== 0)
      throw new CliError(
        "editor_failed",
        `the editor ${JSON.stringify(editor)} ended with ${code}: nothing was changed`,
        "set VISUAL or EDITOR to your editor, or give the wording with --text",
      );
    const text = readFileSync(file, "utf8").trim();
    if (text !== "") return text;
    throw new CliError(
      "empty",
      "the new wording is empty: nothing was changed",
      "to erase a memory, use forget",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
