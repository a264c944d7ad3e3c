import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CaptureCoordinator } from "../core/capture/capture-coordinator.ts";
import type { Compressor } from "../core/capture/compression/compressor.ts";
import { RecalledEcho } from "../core/capture/recalled-echo.ts";
import { DEFAULT_LIMITS } from "../core/orchestrator/limits.ts";
import { MemoryOrchestrator } from "../core/orchestrator/orchestrator.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import type { Screen } from "../core/ports/screen.ts";
import { TraceLog } from "../core/trace/trace-log.ts";
import { loadConfig } from "./config/load-config.ts";
import type { MemoryConfig } from "./config/memory-config.ts";
import { findPlaces } from "./config/places.ts";
import type { FolderIdentity } from "./folder-identity.ts";
import type { MemoryNotice } from "./memory.ts";
import type { MemoryOptions, MemoryParts } from "./memory-options.ts";
import { outboxFolder } from "./outbox/left-outboxes.ts";
import { Outbox } from "./outbox/outbox.ts";
import { OutboxSink } from "./outbox/outbox-sink.ts";
import { ProjectKeys } from "./project-context.ts";
import { Providers } from "./providers.ts";
import { SessionDigests } from "./session-digests.ts";
import { StoreDoor } from "./store-door.ts";
import { StoreSink } from "./store-sink.ts";
import { storeTrouble } from "./store-trouble.ts";

/** Everything a memory is made of, once its settings are known. */
export interface Prepared {
  readonly config: MemoryConfig;
  readonly identity: FolderIdentity;
  readonly screen: Screen;
  readonly door: StoreDoor;
  readonly doors: readonly StoreDoor[];
  readonly providers: Providers;
  readonly keys: ProjectKeys;
  readonly orchestrator: MemoryOrchestrator;
  readonly coordinator: CaptureCoordinator;
  readonly compressor: Compressor | undefined;
  readonly digests: SessionDigests;
  readonly echo: RecalledEcho;
  readonly traces: TraceLog;
  readonly outbox: Outbox;
  /** This process leaves what it captures in its outbox, for the next one to store. */
  readonly leaves: boolean;
  readonly outboxFolder: string;
  readonly embedder: () => Promise<Embedder | undefined>;
  /** Lets go of a model that was loaded. */
  readonly closeEmbedder: () => Promise<void>;
}

/** A call waits so long for another program's write. It stands still meanwhile, so what cannot wait is tried again later. */
const BUSY_MS = 100;
const PARTS_SHARE = 0.85;

/** Reads the settings, finds the project, and puts the parts together. Opens no store. Rejects only for an error of programming. */
export async function prepare(
  options: MemoryOptions,
  parts: MemoryParts,
  notice: (notice: MemoryNotice) => void,
): Promise<Prepared> {
  const { clock, scheduler, newId } = parts;
  const environment = options.environment ?? process.env;
  const places = findPlaces(environment, options.home);
  const sources = {
    places,
    environment,
    given: options.settings,
    ignoreFiles: options.ignoreFiles === true,
  };
  const identifying = identify(options.cwd, parts);
  // A project narrows what is kept; how texts are screened and compared is the user's, and made ready while git answers.
  const { settings: own } = await loadConfig({ ...sources, projectRoot: undefined });
  let embedding: Promise<Embedder | undefined> | undefined;
  const embedder = (): Promise<Embedder | undefined> => {
    embedding ??= parts.embedder(own).catch((error: unknown) => {
      const message = `search compares words only: ${error instanceof Error ? error.message : "the embedder cannot be opened"}`;
      notice({ level: "warning", code: "embedder", message });
      return undefined;
    });
    return embedding;
  };
  if (own.enabled && own.embedding.kind === "static" && existsSync(own.storage.path)) void warmUp(embedder);
  const identity = await identifying;
  const config = await loadConfig({ ...sources, projectRoot: identity.root });
  for (const message of config.problems) notice({ level: "warning", code: "config", message });
  const { settings } = config;
  const access = settings.enabled ? (options.access ?? "write") : "read";
  const [screen, isExcluded] = await Promise.all([parts.screen(settings), parts.exclusion(settings)]);
  const request = { access, clock, newId, busyTimeoutMs: BUSY_MS } as const;
  const door = new StoreDoor(parts.openStore, { ...settings.storage, ...request }, clock);
  const others = settings.providers.map((one) => ({
    ...one,
    primary: false,
    door: new StoreDoor(
      parts.openStore,
      { ...request, access: "read", kind: one.kind, path: one.path ?? "", ...urlOf(one) },
      clock,
    ),
  }));
  const providers = new Providers(
    settings.enabled ? [{ id: "primary", kind: settings.storage.kind, door, primary: true }, ...others] : [],
    { clock, scheduler, embedder },
  );
  const keys = new ProjectKeys(clock, access);
  const writes = access === "write";
  const traces = new TraceLog(async () => (writes ? (await door.read())?.state : undefined));
  const echo = new RecalledEcho();
  const outboxes = outboxFolder(
    settings.storage.kind === "postgres" ? places.defaultStore : settings.storage.path,
  );
  // A store elsewhere may be all that is left of a machine that ran one prompt.
  const leaves = options.run === "one-shot" && settings.storage.kind === "sqlite";
  const outbox = new Outbox({ folder: outboxes, identity, scheduler, token: newId(), leaves });
  const sink = new StoreSink({
    outbox: () => outbox,
    open: async () => {
      const opened = await door.write();
      return { memories: opened.memories, engine: await providers.engine(opened) };
    },
    project: async () => (await keys.keyOf(identity, (await door.write()).state)) ?? "",
  });
  const enabled = settings.enabled && settings.capture.enabled && writes;
  const compressor =
    options.model === undefined || !enabled || !settings.compression.enabled || options.run === "one-shot"
      ? undefined
      : await makeCompressor({
          model: options.model,
          // Its notes are about to be stored, so a missing store may be made.
          state: async () => (await door.write()).state,
          clock,
          newId,
          owner: `${process.pid}-${newId()}`,
          host: options.host,
          screen,
          echo,
          dailyTokens: settings.compression.dailyTokens,
          store: (entries) => sink.store(entries),
        });
  const digests = new SessionDigests();
  const coordinator = new CaptureCoordinator({
    enabled,
    review: settings.capture.review,
    maxPending: settings.capture.maxPending,
    host: options.host,
    clock,
    scheduler,
    screen,
    echo,
    isExcluded,
    sink: leaves ? new OutboxSink(outbox, sink) : sink,
    onDropped: (dropped) =>
      notice({
        level: "warning",
        code: "capture_dropped",
        message: `too much happened at once: ${dropped} tool note${dropped === 1 ? " was" : "s were"} not remembered`,
      }),
    onAtRisk: (entries, error) =>
      notice({
        level: "warning",
        code: "capture_at_risk",
        message: `${entries === 1 ? "one memory is" : `${entries} memories are`} on no disk yet: neither the store (${error}) nor its outbox can be written; make room, or what was said is lost when this program ends`,
      }),
    onEntries: (entries) => {
      digests.add(entries);
      compressor?.observe(entries);
    },
  });
  const orchestrator = new MemoryOrchestrator({
    providers: () => providers.all(),
    clock,
    scheduler,
    newId,
    screen,
    traces,
    limits: {
      ...DEFAULT_LIMITS,
      // A session waits for the whole a little longer than for its parts, so that what has come by then is used.
      promptDeadlineMs: DEFAULT_LIMITS.promptDeadlineMs * PARTS_SHARE,
      startDeadlineMs: DEFAULT_LIMITS.startDeadlineMs * PARTS_SHARE,
      promptTokens: settings.budgets.promptTokens,
      startTokens: settings.budgets.startTokens,
      lookbackHours: settings.lookbackHours,
    },
    missingFiles: (files) => files.filter((file) => !existsSync(resolve(identity.root, file))),
    onShown: (records) => echo.shown(records),
    onTrouble: (attempt) => notice(storeTrouble(attempt, door.failure)),
    capture: () => coordinator.report(),
  });
  return {
    config,
    identity,
    screen,
    door,
    doors: [door, ...others.map((one) => one.door)],
    providers,
    keys,
    orchestrator,
    coordinator,
    compressor,
    digests,
    echo,
    traces,
    outbox,
    leaves,
    outboxFolder: outboxes,
    embedder,
    closeEmbedder: async () => {
      const opened = await embedding;
      if (opened !== undefined && Symbol.asyncDispose in opened)
        await (opened as Embedder & AsyncDisposable)[Symbol.asyncDispose]();
    },
  };
}

/** Reads word vectors before they are asked for. */
async function warmUp(embedder: () => Promise<Embedder | undefined>): Promise<void> {
  try {
    const found = await embedder();
    if (found?.immediate === true) await found.embed(["warm"], "query");
  } catch {
    // Who asks for a vector is told.
  }
}

async function makeCompressor(parts: ConstructorParameters<typeof Compressor>[0]): Promise<Compressor> {
  const { Compressor: Made } = await import("../core/capture/compression/compressor.ts");
  return new Made(parts);
}

async function identify(cwd: string, { identify: find }: MemoryParts): Promise<FolderIdentity> {
  try {
    return await find(cwd);
  } catch {
    // A folder that cannot be looked at is known by its path.
    return { aliases: [{ kind: "path", value: cwd }], evidence: {}, root: cwd };
  }
}

function urlOf({ databaseUrl }: { readonly databaseUrl?: string }): { databaseUrl?: string } {
  return databaseUrl === undefined ? {} : { databaseUrl };
}
