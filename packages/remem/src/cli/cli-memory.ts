import { MemoryEngine } from "../core/engine.ts";
import { StoreError } from "../core/errors.ts";
import { MemoryManager } from "../core/manager/memory-manager.ts";
import type { MemoryScope } from "../core/memory/scope.ts";
import type { MemoryContext } from "../core/orchestrator/memory-context.ts";
import { type Scheduler, SYSTEM_SCHEDULER } from "../core/ports/scheduler.ts";
import type { Screen } from "../core/ports/screen.ts";
import { loadConfig } from "../runtime/config/load-config.ts";
import type { MemoryConfig } from "../runtime/config/memory-config.ts";
import { findPlaces, type Places } from "../runtime/config/places.ts";
import { defaultParts } from "../runtime/default-parts.ts";
import type { FolderIdentity } from "../runtime/folder-identity.ts";
import type { Memory, MemorySession, OpenedStore } from "../runtime/memory.ts";
import type { MemoryOptions, MemoryParts, StoreOpener } from "../runtime/memory-options.ts";
import { openMemory } from "../runtime/open-memory.ts";
import { holdsOutboxes, outboxFolder } from "../runtime/outbox/left-outboxes.ts";
import { CliError } from "./cli-error.ts";
import type { CliWorld } from "./cli-world.ts";
import { ReadableCopies } from "./readable-copies.ts";

export const HOST = "remem";
/** The session that everything belongs to which is written by hand. */
const BY_HAND = `${HOST}:by-hand`;
/** Who waits at a terminal can wait for another program's write. */
const PATIENCE_MS = 5_000;

/** A host opens memory before it is asked; a command opens what it needs, when it needs it. */
const ON_DEMAND: Scheduler = {
  ...SYSTEM_SCHEDULER,
  after: (milliseconds, task) =>
    milliseconds === 0 ? () => undefined : SYSTEM_SCHEDULER.after(milliseconds, task),
};

/** Memory as the commands use it: opened at the first need, to read or to write. */
export class CliMemory implements AsyncDisposable {
  readonly places: Places;
  /** What a person should know besides the result. */
  readonly notices: string[] = [];
  readonly #world: CliWorld;
  readonly #options: MemoryOptions;
  readonly #parts: MemoryParts;
  readonly #opened = new Map<"read" | "write", Memory>();
  readonly #copies = new ReadableCopies();
  #identity: Promise<FolderIdentity> | undefined;
  #config: Promise<MemoryConfig> | undefined;
  #catchingUp: Promise<unknown> | undefined;

  constructor(world: CliWorld) {
    this.#world = world;
    const { environment, home, cwd, clock, settings } = world;
    this.places = findPlaces(environment, home);
    this.#options = {
      host: HOST,
      cwd,
      environment,
      home,
      run: "one-shot",
      // What a person asks for is done with memory switched off, too: looking and erasing must stay possible.
      settings: { ...settings, enabled: true },
      parts: { clock },
    };
    this.#parts = defaultParts(this.#options);
  }

  /** The settings as they are, and what is wrong in the files. */
  config(): Promise<MemoryConfig> {
    this.#config ??= this.identity().then(({ root }) =>
      loadConfig({
        places: this.places,
        environment: this.#world.environment,
        given: this.#world.settings,
        projectRoot: root,
        ignoreFiles: false,
      }),
    );
    return this.#config;
  }

  /** How the current folder is known. */
  identity(): Promise<FolderIdentity> {
    this.#identity ??= this.#parts.identify(this.#world.cwd);
    return this.#identity;
  }

  /** The store when there is one. It is not made, and nothing is written down about reading it. */
  async reading(): Promise<OpenedStore | undefined> {
    await this.#caughtUp();
    return this.#memory("read").store("read");
  }

  /** The store, made when it is missing. */
  async writing(): Promise<OpenedStore> {
    const memory = this.#memory("write");
    if (!(await memory.config()).settings.enabled)
      throw new CliError(
        "memory_off",
        "this project's settings switch memory off",
        "run it in another folder, or change .pi-go/memory.json of this project",
      );
    const opened = await memory.store("write");
    if (opened === undefined)
      throw new StoreError("unavailable", "the memory store cannot be made", "check that its folder exists");
    // The first write: where another program holds the store, it fails here, before anything is done.
    await this.projectHere(opened);
    return opened;
  }

  /** Where statements of the current folder hold; its project is made known to the store. Rejects with a StoreError. */
  async projectHere({ state }: OpenedStore): Promise<MemoryScope> {
    const { aliases, evidence } = await this.identity();
    const { project } = await state.resolveProject(aliases, evidence, this.#world.clock.now());
    return { kind: "project", id: project.key };
  }

  /** What is read in the current folder. */
  async context(): Promise<MemoryContext> {
    await this.#caughtUp();
    return this.#memory("read").context(BY_HAND);
  }

  /** Asks every place that memories are read from, as a host does. */
  async session(): Promise<MemorySession> {
    await this.#caughtUp();
    return this.#memory("read").session({ id: BY_HAND });
  }

  async screen(): Promise<Screen> {
    return this.#parts.screen((await this.config()).settings);
  }

  /** The engine of a store, with the embedder of the settings where it can be had. */
  async engine({ memories: store, state: leases }: OpenedStore): Promise<MemoryEngine> {
    const { clock } = this.#world;
    const { settings } = await this.config();
    try {
      const embedder = await this.#parts.embedder(settings);
      return new MemoryEngine({ store, clock, ...(embedder === undefined ? {} : { embedder, leases }) });
    } catch (error) {
      const why = error instanceof Error ? error.message : "the embedder cannot be opened";
      this.notices.push(`only words are compared: ${why}`);
      return new MemoryEngine({ store, clock });
    }
  }

  /** Changes memories. */
  async manager(opened: OpenedStore): Promise<MemoryManager> {
    const engine = await this.engine(opened);
    return new MemoryManager({
      store: opened.memories,
      entry: async (memory) => (await engine.entries([memory]))[0]!,
      screen: await this.screen(),
      clock: this.#world.clock,
      host: HOST,
      sessionId: BY_HAND,
    });
  }

  /** Corrections of wrong answers. */
  corrections(): ReturnType<Memory["corrections"]> {
    return this.#memory("write").corrections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const memory of this.#opened.values()) await memory.close();
    this.#copies.remove();
  }

  /** Stores what programs that are gone have left; where that cannot be, what is stored is looked at. */
  #caughtUp(): Promise<unknown> {
    this.#catchingUp ??= this.config().then(({ settings: { storage } }) =>
      storage.kind === "sqlite" && holdsOutboxes(outboxFolder(storage.path))
        ? this.#memory("write")
            .store("write")
            .catch(() => undefined)
        : undefined,
    );
    return this.#catchingUp;
  }

  #memory(access: "read" | "write"): Memory {
    let memory = this.#opened.get(access);
    if (memory === undefined) {
      memory = openMemory({
        ...this.#options,
        access,
        // A store that does not answer makes the command fail, and that says why.
        onNotice: ({ code, message }) => {
          if (!code.startsWith("store_")) this.notices.push(message);
        },
        parts: {
          ...this.#options.parts,
          openStore: this.#patient(),
          scheduler: ON_DEMAND,
          identify: () => this.identity(),
        },
      });
      this.#opened.set(access, memory);
    }
    return memory;
  }

  /** Waits longer than a host may, and reads a store that lies where nothing can be written by a copy of it. */
  #patient(): StoreOpener {
    const { openStore } = this.#parts;
    return async (request) => {
      // People type ids: the store's own are shorter than a host's.
      const { newId: _, ...rest } = request;
      const patient = { ...rest, busyTimeoutMs: PATIENCE_MS };
      try {
        return await openStore(patient);
      } catch (error) {
        if (request.access !== "read" || request.kind !== "sqlite") throw error;
        if (!StoreError.is(error) || error.code !== "read_only") throw error;
        const path = this.#copies.of(request.path);
        this.notices.push(`${request.path} cannot be written; it is read as it is now`);
        return openStore({ ...patient, path });
      }
    };
  }
}
