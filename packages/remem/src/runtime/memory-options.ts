import type { Clock } from "../core/ports/clock.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import type { EngineState } from "../core/ports/engine-state.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import type { Scheduler } from "../core/ports/scheduler.ts";
import type { Screen } from "../core/ports/screen.ts";
import type { SmallModel } from "../core/ports/small-model.ts";
import type { MemorySettings, SettingsLayer } from "./config/memory-config.ts";
import type { FolderIdentity } from "./folder-identity.ts";
import type { MemoryNotice } from "./memory.ts";

/** What `openMemory` needs to know of its host. Only `host` and `cwd` must be given. */
export interface MemoryOptions {
  /** The program: `pi-ts`, `pi`, `opencode`, `remem`. Stands in the provenance of what is learned. */
  readonly host: string;
  /** The folder the host works in; the project is found from it. */
  readonly cwd: string;
  /** Default: this process's environment. Read only; nothing of it is ever changed. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Default: the user's home folder. */
  readonly home?: string;
  /** The host's own id of the project, where it has one. */
  readonly hostProjectId?: string;
  /** `one-shot` (one prompt, then exit) starts no compression, and leaves what it captures to the next process where the store is a file of SQLite. Default `interactive`. */
  readonly run?: "interactive" | "one-shot";
  /** `read` never makes, migrates or writes a store, and captures nothing. Default `write`. */
  readonly access?: "read" | "write";
  /** Settings of the host; they win over the user's file, and a project's file can still only narrow them. */
  readonly settings?: SettingsLayer;
  /** Reads no configuration file. */
  readonly ignoreFiles?: boolean;
  /** For compression and session summaries; without one, summaries are made by rule. */
  readonly model?: SmallModel;
  /** Called at most once for each code. Default: nobody is told. */
  readonly onNotice?: (notice: MemoryNotice) => void;
  /** Parts a test or a host puts in place of the usual ones. */
  readonly parts?: Partial<MemoryParts>;
}

/** The parts the runtime puts together; all have a default. */
export interface MemoryParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly newId: () => string;
  readonly openStore: StoreOpener;
  readonly identify: (cwd: string) => Promise<FolderIdentity>;
  readonly screen: (settings: MemorySettings) => Promise<Screen>;
  readonly exclusion: (settings: MemorySettings) => Promise<Exclusion>;
  readonly embedder: (settings: MemorySettings) => Promise<Embedder | undefined>;
}

/** Whether a tool call may not be remembered at all. */
export type Exclusion = (call: { readonly tool: string; readonly paths: readonly string[] }) => boolean;

export interface StoreRequest {
  readonly kind: "sqlite" | "postgres" | "markdown";
  readonly path: string;
  readonly databaseUrl?: string;
  readonly access: "read" | "write";
  readonly clock: Clock;
  readonly newId?: () => string;
  /** How long one call may wait for another program's write, in milliseconds. It blocks this thread, so it is short; the runtime tries again by itself. */
  readonly busyTimeoutMs: number;
}

/** Opens a store and its state, or undefined when there is none and it may not be made. Rejects with a StoreError. */
export type StoreOpener = (
  request: StoreRequest,
) => Promise<{ readonly memories: MemoryStore; readonly state: EngineState } | undefined>;
