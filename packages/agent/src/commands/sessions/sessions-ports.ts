import type { Clock } from "../../contract/services.ts";

/** A session as `pi sessions list` and `search` show it. */
export interface SessionRow {
  id: string;
  title?: string;
  /** The project folder, an absolute path. */
  cwd: string;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
  mode: string;
  model: string;
  provider: string;
  /** The program that it belongs to, when that is another one. */
  foreign?: string;
  /** The session that it was a subagent of. */
  parentSession?: string;
}

/** What `pi sessions show` tells. */
export interface SessionDetails extends SessionRow {
  folder: string;
  /** Bytes on disk, with the output that was cut from results. */
  bytes: number;
  branch: string;
  /** All branches, with their messages. */
  branches: readonly { name: string; messages: number }[];
  messages: { user: number; assistant: number; results: number };
  tokens: number;
  /** US dollars; absent when a price is not known. */
  costUsd?: number;
  imported?: string;
  /** What the person said on the current branch, in order. */
  prompts: readonly { time: number | null; text: string }[];
}

export interface FoundSession extends SessionRow {
  snippet: string;
  places: number;
}

/** What a search gave. */
export interface SearchReport {
  hits: readonly FoundSession[];
  /** More sessions have the words than are given. */
  more: boolean;
  /** Sessions that are not in the index yet, so that they were not searched. */
  unread: number;
}

export type ExportFormat = "html" | "json" | "markdown";

/** What `pi sessions` needs of the world. What fails throws a PiError. */
export interface SessionsPorts {
  sessions: {
    /** The latest first: those of this project, or all. */
    list(all: boolean): Promise<readonly SessionRow[]>;
    /** `idOrPrefix`: an id, or the unique start of one. */
    show(idOrPrefix: string): Promise<SessionDetails>;
    /** `whole`: reads everything into the index first, however long that takes; else for a moment at most. */
    search(
      words: string,
      options: { limit: number; whole: boolean },
      signal: AbortSignal,
    ): Promise<SearchReport>;
    /**
     * Writes a session as a document: into `output`, to stdout (`-`), or (null) to stdout, and where a person looks at that into a new
     * file of the current folder. `file` is null for stdout.
     */
    export(
      idOrPrefix: string,
      options: { format: ExportFormat; output: string | null; redact: boolean },
    ): Promise<{ id: string; file: string | null; bytes: number }>;
    /** The session that would be deleted. */
    find(idOrPrefix: string): Promise<SessionRow>;
    /** Deletes a session for good. */
    remove(id: string): Promise<void>;
    import(path: string): Promise<{ session: SessionRow; messages: number; notes: readonly string[] }>;
    /** Asks the person; null: nobody is there to answer. */
    confirm(question: string, signal: AbortSignal): Promise<boolean | null>;
    clock: Pick<Clock, "now">;
  };
}
