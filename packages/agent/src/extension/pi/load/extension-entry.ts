/** Who brought an extension: the command line, the user's folders and settings, or a trusted project. */
export type ExtensionScope = "user" | "project" | "temporary";

/** One module to load. */
export interface ExtensionEntry {
  /** The module's file; absolute. */
  readonly file: string;
  /** What people read: a package's name, or a file's or folder's. */
  readonly name: string;
  /** The folder that the code belongs to: faults whose stack lies in it are this extension's. For a single file: the file itself. */
  readonly base: string;
  readonly scope: ExtensionScope;
  /** What names it: `cli`, `auto` (a folder that is looked through), `local` (the settings) or `npm:NAME`. */
  readonly source: string;
  readonly origin: "package" | "top-level";
}

/** What a package or an extension folder brings beside modules; absolute paths that exist. */
export interface ExtensionResources {
  readonly skills: readonly string[];
  readonly prompts: readonly string[];
}

/** What was found, and what people have to know of it. */
export interface FoundExtensions {
  readonly entries: readonly ExtensionEntry[];
  readonly resources: ExtensionResources;
  readonly problems: readonly string[];
}
