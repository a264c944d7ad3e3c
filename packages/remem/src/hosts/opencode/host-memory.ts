import { fileURLToPath } from "node:url";
import { VERSION } from "../../cli/version.ts";
import type { InputSource } from "../../core/capture/observation.ts";
import type { MemoryConfig } from "../../runtime/config/memory-config.ts";
import type { Places } from "../../runtime/config/places.ts";
import type { FolderIdentity } from "../../runtime/folder-identity.ts";
import { keptRoots } from "../../runtime/kept-roots.ts";
import type { Memory, MemoryNotice, MemorySession } from "../../runtime/memory.ts";
import type { MemoryOptions } from "../../runtime/memory-options.ts";
import { openMemory } from "../../runtime/open-memory.ts";
import { type Handshake, runtimeName, writeHandshake } from "../shared/handshake.ts";
import { bounded, detached, type HostTrouble } from "../shared/host-guard.ts";
import { SessionRecall } from "../shared/session-recall.ts";
import { CLOSE_MS } from "./host-limits.ts";

/** The name memories of this host carry. */
const HOST = "opencode";
/** Sessions that are kept open; the one that was quiet longest is summarised and let go. */
const MOST_SESSIONS = 200;
const IDENTITY_MS = 5_000;

export interface HostMemoryParts {
  readonly directory: string;
  readonly places: Places;
  readonly config: MemoryConfig;
  readonly settings: MemoryOptions["settings"];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trouble: HostTrouble;
  readonly onNotice: (notice: MemoryNotice) => void;
  /** Default: the engine. */
  readonly open?: typeof openMemory;
}

/** One conversation of the host's. */
export interface HostSessionState {
  readonly id: string;
  readonly memory: MemorySession;
  readonly recall: SessionRecall;
  readonly isSubagent: boolean;
}

/** The memory of one folder that the host works in. */
export class HostMemory {
  readonly #parts: HostMemoryParts;
  readonly #sessions = new Map<string, HostSessionState>();
  #memory: Memory | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: HostMemoryParts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** The engine, opened at the first need. Its project is found from the folder itself: what the host calls a project may be many, or be read from a file that anybody wrote. */
  get memory(): Memory {
    const { directory, places, settings, environment, onNotice, open = openMemory } = this.#parts;
    this.#memory ??= open({
      host: HOST,
      cwd: directory,
      environment,
      home: places.home,
      onNotice,
      parts: { identify: (cwd) => this.#identify(cwd) },
      ...(settings === undefined ? {} : { settings }),
    });
    return this.#memory;
  }

  /** The host is busy while it starts; a project that was not recognised in time would be taken for another one. */
  async #identify(cwd: string): Promise<FolderIdentity> {
    const { places, environment } = this.#parts;
    const { identifyProject } = await import("../../identity/identify-project.ts");
    const roots = keptRoots(places.defaultStore, () => crypto.randomUUID().replaceAll("-", ""));
    return identifyProject(cwd, { roots, environment, home: places.home, timeoutMs: IDENTITY_MS });
  }

  /** A conversation; `parent` for one that works for another. */
  session(id: string, parent: string | undefined): HostSessionState {
    const known = this.#sessions.get(id);
    if (known !== undefined) {
      // Moved behind the others: the first is the one that was quiet longest.
      this.#sessions.delete(id);
      this.#sessions.set(id, known);
      return known;
    }
    const session = this.memory.session({
      id,
      ...(parent === undefined ? {} : { parents: [parent], passive: true }),
    });
    const state: HostSessionState = {
      id,
      memory: session,
      recall: new SessionRecall(session),
      isSubagent: parent !== undefined,
    };
    this.#sessions.set(id, state);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.release(oldest);
    return state;
  }

  /** A conversation that memory knows already. */
  known(id: string): HostSessionState | undefined {
    return this.#sessions.get(id);
  }

  /** A conversation is over, or deleted: its summary is written behind the work. */
  release(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    detached("end of a session", this.#parts.trouble, () => session.memory.end());
  }

  /** What was typed, said by whom; returns at once. */
  typed(session: HostSessionState, messageId: string, text: string, source: InputSource): void {
    session.memory.typed({ messageId, text, source });
    this.memory.maintain();
  }

  /** Tells `remem doctor` that the host has loaded this. */
  greet(hostVersion: string | null): void {
    const { places, config } = this.#parts;
    const { kind, path } = config.settings.storage;
    const handshake: Handshake = {
      host: HOST,
      hostVersion,
      adapterVersion: VERSION,
      adapterPath: fileURLToPath(import.meta.url),
      runtime: runtimeName(),
      store: { kind, path: kind === "postgres" ? null : path },
      loadedAt: new Date().toISOString(),
    };
    try {
      writeHandshake(places, handshake);
    } catch {
      // A home that cannot be written: memory works, doctor does not know of it.
    }
  }

  /** Ends: what was captured is stored, or waits in the outbox for the next process. A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const memory = this.#memory;
    if (memory === undefined) return;
    for (const id of [...this.#sessions.keys()]) this.release(id);
    await bounded(CLOSE_MS, undefined, () => memory.close());
  }
}
