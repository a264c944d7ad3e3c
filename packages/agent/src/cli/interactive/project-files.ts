import { fuzzyFilter } from "@earendil-works/pi-tui";
import type { ToolContext } from "../../contract/tool.ts";
import { findRipgrep } from "../../platform/ripgrep.ts";
import { listBuiltIn, listWithRipgrep } from "../../tools/find/list-files.ts";
import { openSearchRoot } from "../../tools/shared/search/search-root.ts";
import type { App } from "../app.ts";

/** A list older than this is made anew in the background; the old one answers meanwhile. Milliseconds. */
const FRESH_MS = 10_000;
/** Above this many paths only those that hold the query's letters in a row are ranked. */
const MOST_RANKED = 20_000;

/** The project's files and folders for completion, without ignored and secret ones. */
export class ProjectFiles {
  readonly #app: () => App | undefined;
  readonly #cacheFolder: string;
  readonly #now: () => number;
  #paths: Promise<readonly string[]> | undefined;
  #madeAt = 0;

  constructor(options: { app: () => App | undefined; cacheFolder: string; now: () => number }) {
    this.#app = options.app;
    this.#cacheFolder = options.cacheFolder;
    this.#now = options.now;
  }

  /** Paths that match, best first; folders end with `/`. Never rejects. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const paths = await this.#list();
    if (signal.aborted) return [];
    if (query === "") return paths.filter((path) => !path.slice(0, -1).includes("/")).slice(0, limit);
    const lower = query.toLowerCase();
    const candidates =
      paths.length > MOST_RANKED ? paths.filter((path) => path.toLowerCase().includes(lower)) : paths;
    return fuzzyFilter([...candidates], query, (path) => path).slice(0, limit);
  }

  /** The list as it is, renewed behind it when it is old. */
  #list(): Promise<readonly string[]> {
    const old = this.#paths;
    if (old !== undefined && this.#now() - this.#madeAt < FRESH_MS) return old;
    this.#madeAt = this.#now();
    const made = this.#read().catch((): readonly string[] => []);
    if (old === undefined) this.#paths = made;
    else
      void made.then(() => {
        this.#paths = made;
      });
    return this.#paths ?? made;
  }

  async #read(): Promise<readonly string[]> {
    const app = this.#app();
    if (app === undefined) {
      this.#madeAt = 0;
      return [];
    }
    const context: ToolContext = {
      ...app.doors,
      model: app.options.model,
      callId: "",
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    const root = await openSearchRoot(undefined, context);
    const program = await findRipgrep(this.#cacheFolder);
    const wanted = (path: string) => !context.files.isSecret(path);
    const { files } =
      program === null
        ? await listBuiltIn(root, false, context, wanted)
        : await listWithRipgrep(program, root, false, context, wanted);
    return [...foldersOf(files), ...files];
  }
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return [...folders].sort();
}
