import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type FileState, fileState, readText, writeFiles } from "./note-files.ts";
import type { NoteIndex, SideRecords } from "./note-index.ts";

const FOLDER = ".remem";

/** `.remem/side.json` of a folder of notes. Git leaves it alone: the marks in it are of texts that were erased. */
export class SideFile {
  readonly #folder: string;
  #state: FileState | undefined;
  #written = "";
  #records: SideRecords | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, FOLDER);
  }

  /** As it was read or written last; undefined where there is none. */
  get records(): SideRecords | undefined {
    return this.#records;
  }

  /** Reads it again when it is another one, joined with what `index` has; gives whether an index must be made anew. */
  async refresh(index: NoteIndex): Promise<boolean> {
    const state = fileState(this.#path);
    if (state === undefined || (state.mtimeMs === this.#state?.mtimeMs && state.size === this.#state.size))
      return false;
    const content = await readText(this.#path);
    this.#state = state;
    if (content === this.#written) return false;
    this.#written = content;
    this.#records = joined(parse(content), index.readSide());
    return true;
  }

  async write(records: SideRecords): Promise<void> {
    const content = `${JSON.stringify(records)}\n`;
    if (content === this.#written) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFiles(
      new Map([
        [join(this.#folder, ".gitignore"), "*\n"],
        [this.#path, content],
      ]),
    );
    this.#records = records;
    this.#written = content;
    this.#state = fileState(this.#path);
  }

  get #path(): string {
    return join(this.#folder, "side.json");
  }
}

function parse(content: string): SideRecords | undefined {
  try {
    const value = JSON.parse(content) as Partial<SideRecords>;
    if (typeof value.salt !== "string" || !/^[\da-f]{64}$/i.test(value.salt)) return undefined;
    const list = <T>(found: readonly T[] | undefined): readonly T[] => (Array.isArray(found) ? found : []);
    return {
      salt: value.salt,
      forgotten: list(value.forgotten),
      sessions: list(value.sessions),
      summaries: list(value.summaries),
      links: list(value.links),
    };
  } catch {
    return undefined;
  }
}

/** What the file has; what this program has beside it counts too, unless it was keyed with another salt. */
function joined(file: SideRecords | undefined, own: SideRecords): SideRecords {
  if (file === undefined) return own;
  if (file.salt !== own.salt) return file;
  const keys = new Set(file.forgotten.map(({ key }) => key));
  return { ...file, forgotten: [...file.forgotten, ...own.forgotten.filter(({ key }) => !keys.has(key))] };
}
