import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { ThinkingLevel } from "../../contract/model.ts";
import type {
  HubModel,
  HubOpenOptions,
  HubSession,
  HubSessionInfo,
  SessionHub,
} from "../../contract/session-hub.ts";
import { systemClock } from "../../platform/clock.ts";
import { realFolder } from "../../platform/real-folder.ts";
import { availableModels } from "../../provider/registry/available-models.ts";
import type { ListedSession } from "../../session/listed-session.ts";
import type { Session } from "../../session/session.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { besideBrought, chooseRunModel, resolveOptions } from "../choose-model.ts";
import type { Flags } from "../flags.ts";
import { Notices } from "../notices.ts";
import { openApp } from "../open-app.ts";
import { ownId, sessionStore } from "../open-session.ts";
import type { Settings } from "../run-setup.ts";
import { loadSettings } from "../settings.ts";
import { withClientServers } from "./client-servers.ts";
import type { HubParts } from "./hub-parts.ts";
import { openFolder } from "./open-folder.ts";
import { ServedSession } from "./served-session.ts";
import { Told } from "./told.ts";
import { wantedModel } from "./wanted-model.ts";

/** All conversations of this process, over the same {@link openApp} as every other mode. */
export function createSessionHub(parts: HubParts): SessionHub {
  return new Hub(parts);
}

/** Sessions that are open at once; beyond it the one that was used longest ago and is idle is closed, to be opened again when it is wanted. */
const MOST_OPEN = 32;

class Hub implements SessionHub {
  readonly #parts: HubParts;
  readonly #store: SessionStore;
  /** In the order of their last use. */
  readonly #open = new Map<string, ServedSession>();
  readonly #opening = new Map<string, Promise<ServedSession>>();
  readonly #making = new Set<Promise<ServedSession>>();
  readonly #tidying = new AbortController();
  #tidied: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#store = sessionStore(parts.place.home, parts.notices);
  }

  async list({ cwd, all = false }: { cwd: string; all?: boolean }): Promise<readonly HubSessionInfo[]> {
    const saved = this.#store.list(all ? {} : { cwd }).filter(isOnesOwn);
    const known = new Set(saved.map(({ id }) => id));
    const open = this.sessions().map((session) => session.info());
    const folder = realFolder(cwd);
    const unsaved = open.filter((info) => !known.has(info.id) && (all || info.cwd === folder));
    const infos = [...unsaved, ...saved.map((meta) => this.get(meta.id)?.info() ?? infoOf(meta))];
    return infos.sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0));
  }

  create(options: HubOpenOptions & { cwd: string; title?: string; model?: string }): Promise<HubSession> {
    const { title, model } = options;
    return this.#make(async () => {
      const flags = { ...this.#parts.flags, name: title ?? null };
      const { cwd, settings, notices } = await this.#load(options.cwd, flags);
      const wanted = model === undefined ? {} : flagsFor(wantedModel(model, settings));
      return this.#build(options, { cwd, settings, notices, flags: { ...flags, ...wanted }, resumed: null });
    });
  }

  async open(id: string, options: HubOpenOptions): Promise<HubSession> {
    const there = this.get(id);
    if (there !== undefined) return there;
    const notices = new Notices();
    const own = await named(() => ownId(this.#store, id, notices));
    const opened = this.get(own) ?? this.#opening.get(own);
    if (opened !== undefined) return opened;
    const opening = this.#make(() => this.#resume(own, options, notices));
    this.#opening.set(own, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(own);
    }
  }

  get(id: string): HubSession | undefined {
    const session = this.#open.get(id);
    if (session === undefined || session.closing) return undefined;
    this.#open.delete(id);
    this.#open.set(id, session);
    return session;
  }

  sessions(): readonly HubSession[] {
    return [...this.#open.values()].filter(({ closing }) => !closing);
  }

  async delete(id: string): Promise<void> {
    const own = this.#open.has(id) ? id : await named(async () => this.#store.find(id).id);
    // One that cannot be opened can be deleted all the same.
    await this.#opening.get(own)?.catch(() => undefined);
    const session = this.#open.get(own);
    if (session?.busy)
      throw new PiError({
        code: "busy",
        message: `session ${own} is busy with a prompt`,
        hint: "Cancel it first.",
      });
    const kept = session?.kept ?? true;
    await session?.close();
    if (kept) await named(async () => this.#store.remove(own));
  }

  async modelFor(
    cwd: string,
    name?: string,
  ): Promise<{ provider: string; id: string; thinking: ThinkingLevel }> {
    const { flags, mode } = this.#parts;
    const { settings, notices, cwd: folder } = await this.#load(cwd, flags);
    const place = { ...this.#parts.place, cwd: folder };
    try {
      const options = await resolveOptions(flags, settings, place.environment, place.home, notices);
      const wanted = name === undefined ? {} : wantedModel(name, settings);
      const around = { ...place, flags, settings, notices, doors: { mode } };
      const { model } = await chooseRunModel({ ...options, ...wanted }, null, around);
      return { provider: model.provider, id: model.id, thinking: settings.config.thinking };
    } finally {
      // No conversation goes on with them.
      await settings.early?.close();
    }
  }

  async models(cwd: string): Promise<readonly HubModel[]> {
    const { flags, place } = this.#parts;
    const { settings, notices, cwd: folder } = await this.#load(cwd, flags);
    // No conversation goes on with them.
    await settings.early?.close();
    const options = await resolveOptions(flags, settings, place.environment, place.home, notices);
    const list = { cacheFolder: place.home.cache, clock: systemClock, refresh: false };
    const { models } = await availableModels(options, list, this.#tidying.signal);
    // For a list alone no extension is loaded: a session that is open there has them.
    const there = [...this.#open.values()].find((session) => session.cwd === folder && !session.closing);
    const around = { environment: place.environment, cwd: folder };
    const { others, brought } = await besideBrought(models, there?.extensions ?? null, options, around);
    const usable = brought.flatMap(({ model, usable }) => (usable ? [model] : []));
    return [...others, ...usable].map(({ provider, id, name, contextWindow, images }) => ({
      provider,
      id,
      name,
      contextWindow,
      images,
    }));
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#tidying.abort();
      await Promise.allSettled(this.#making);
      await Promise.all([...this.#open.values()].map((session) => this.#leave(session)));
      await this.#tidied;
    })();
    return this.#closing;
  }

  /** Makes a session that is among the open ones from then on. */
  async #make(build: () => Promise<ServedSession>): Promise<ServedSession> {
    if (this.#closing !== undefined)
      throw new PiError({ code: "closing", message: "pi is being shut down", hint: "Start it again." });
    const making = build().then((session) => {
      this.#open.set(session.id, session);
      return session;
    });
    this.#making.add(making);
    try {
      const session = await making;
      this.#makeRoom();
      return session;
    } finally {
      this.#making.delete(making);
    }
  }

  async #resume(id: string, options: HubOpenOptions, notices: Notices): Promise<ServedSession> {
    const { flags } = this.#parts;
    await this.#open.get(id)?.closed;
    const begunIn = this.#store.find(id).cwd;
    const { cwd, settings } = await this.#load(options.cwd ?? begunIn, flags, notices);
    const resumed = await named(async () => this.#store.open(id));
    if (begunIn !== cwd) notices.warn(`session ${id} was begun in ${begunIn}; it goes on in ${cwd}`);
    // The model that it used comes before the one that new sessions begin with.
    const chosen = typeof resumed.settings["model"] === "string" ? { model: null, role: null } : {};
    return this.#build(options, { cwd, settings, notices, flags: { ...flags, ...chosen }, resumed });
  }

  async #load(
    folder: string,
    flags: Flags,
    notices = new Notices(),
  ): Promise<{ cwd: string; settings: Settings; notices: Notices }> {
    const { place, mode } = this.#parts;
    const cwd = openFolder(folder);
    // A yes to the project that pi was started in is none to all others that programs may name.
    const trust = flags.trust && cwd === place.cwd;
    const { environment, home } = place;
    const settings = await loadSettings({ ...flags, trust }, environment, cwd, home, notices, { mode });
    return { cwd, settings, notices };
  }

  async #build(
    { ask, dialogs, toolServers = [] }: HubOpenOptions,
    {
      cwd,
      flags,
      resumed,
      notices,
      ...loaded
    }: {
      cwd: string;
      settings: Settings;
      notices: Notices;
      flags: Flags;
      resumed: Session | null;
    },
  ): Promise<ServedSession> {
    const place = { ...this.#parts.place, cwd };
    const { mode } = this.#parts;
    const settings = withClientServers(loaded.settings, toolServers);
    const told = new Told();
    let served: ServedSession | undefined;
    const doors = {
      ...(ask === undefined ? {} : { ask }),
      ...(dialogs === undefined ? {} : { dialogs }),
      onAppend: told.message.bind(told),
      // At the end each server goes, which is nothing to tell of.
      onMcpChange: () => served?.closing === false && told.commandsChanged(),
    };
    const app = await openApp({ flags, settings, place, mode, notices, resumed, doors });
    this.#tidy(settings);
    const { id } = app.session;
    const onClosed = () => this.#open.delete(id);
    served = new ServedSession({ app, flags, place, settings, notices, told, onClosed });
    return served;
  }

  /** Deletes what is beyond the `retention` setting, behind everything else. */
  #tidy({ config: { retention } }: Settings): void {
    const { flags, place, notices } = this.#parts;
    if (this.#tidied !== undefined || flags.noSession || (retention.days === 0 && retention.maxBytes === 0))
      return;
    this.#tidied = (async () => {
      const { keepWithin } = await import("../sessions/keep-within.ts");
      notices.add(...(await keepWithin(retention, place.home, "", this.#tidying.signal)));
    })();
  }

  /** Closes a session; a failure of one is told and nothing to the others. */
  async #leave(session: ServedSession): Promise<void> {
    try {
      await session.close();
    } catch (thrown) {
      this.#parts.notices.warn(`session ${session.id} did not close in order: ${errorMessage(thrown)}`);
    }
  }

  #makeRoom(): void {
    let over = this.#open.size - MOST_OPEN;
    for (const session of [...this.#open.values()].slice(0, -1))
      if (over > 0 && session.kept && !session.working && !session.heard) {
        over--;
        void this.#leave(session);
      }
  }
}

/** Not one that pi began for itself. */
function isOnesOwn({ mode, parent_session }: ListedSession): boolean {
  return mode !== "subagent" && parent_session === undefined;
}

function infoOf({ id, title, cwd, updated, provider, model }: ListedSession): HubSessionInfo {
  return { id, title: title ?? "", cwd, updated, model: `${provider}/${model}` };
}

function flagsFor({ request, role }: ReturnType<typeof wantedModel>): Pick<Flags, "model" | "role"> {
  return { model: request, role: role as Flags["role"] };
}

/** The names that the hub's port gives to the store's failures. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["session_not_found", "no_session"],
  ["session_locked", "locked"],
]);

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isPiError(thrown)) throw thrown;
    const { message, hint, exitCode } = thrown;
    throw new PiError({
      code: CODES.get(thrown.code) ?? thrown.code,
      message,
      ...(hint === undefined ? {} : { hint }),
      exitCode,
      cause: thrown,
    });
  }
}
