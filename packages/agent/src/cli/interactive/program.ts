import { SLASH_INFOS } from "../../commands/slash/slash-infos.ts";
import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { HostChange, SurfaceControl } from "../../contract/interactive.ts";
import type { SlashCommandInfo } from "../../contract/slash-command.ts";
import type { ProgramPort } from "../../extension/pi/host/host-ports.ts";
import { gitTop } from "../../platform/git-top.ts";
import type { Session } from "../../session/session.ts";
import type { App } from "../app.ts";
import type { AppParts } from "../app-parts.ts";
import type { ExtensionsAround } from "../extensions/brought-model.ts";
import type { Flags } from "../flags.ts";
import type { Interruptions } from "../interruption.ts";
import { mcpPart } from "../mcp-part.ts";
import type { Notices } from "../notices.ts";
import type { Place } from "../place.ts";
import type { ChosenModel, Settings } from "../run-setup.ts";
import type { StartParts } from "./start-parts.ts";

/** What the interactive program is started with. */
export interface ProgramParts {
  flags: Flags;
  place: Place;
  notices: Notices;
  interruptions: Interruptions;
}

/**
 * The parts of a running program, loaded side by side as far as they can be: settings, then session and model together, then the
 * conversation. What fails is told and leaves the rest usable.
 */
export class Program {
  readonly parts: ProgramParts;
  readonly #starts: StartParts;
  readonly #emit: (change: HostChange) => void;
  readonly #surface: SurfaceControl;
  readonly #onAppend: NonNullable<AppParts["onAppend"]>;
  readonly #send: (text: string) => void;
  readonly #closing = new AbortController();
  readonly #cleared = new Set<string>();
  #modelFailure: unknown;
  settings: Settings | undefined;
  session: Session | undefined;
  chosen: ChosenModel | undefined;
  app: App | undefined;
  /** What commands of extensions may do; there is none before the first slash command. */
  extensionProgram: ProgramPort | null = null;
  readonly #drive: NonNullable<AppParts["driveRun"]>;

  constructor(
    parts: ProgramParts,
    options: {
      starts: StartParts;
      surface: SurfaceControl;
      emit(change: HostChange): void;
      onAppend: NonNullable<AppParts["onAppend"]>;
      send(text: string): void;
      drive: NonNullable<AppParts["driveRun"]>;
    },
  ) {
    this.parts = parts;
    this.#starts = options.starts;
    this.#surface = options.surface;
    this.#emit = options.emit;
    this.#onAppend = options.onAppend;
    this.#send = options.send;
    this.#drive = options.drive;
  }

  /** Loads everything. Rejects with a PiError only for what no conversation can be had without: a session that was asked for and cannot be opened. */
  async start(): Promise<void> {
    const { flags, place, notices } = this.parts;
    const { cwd, home } = place;
    const session = await this.#starts.run(
      "session",
      async () => {
        if (flags.session === null && !flags.continue) return null;
        const { resumeSession } = await import("../open-session.ts");
        return resumeSession(flags, cwd, home, notices);
      },
      (resumed) => (resumed === null ? "new" : `${resumed.messages().length} messages`),
    );
    // Shown before anything else is loaded: it is what the person came for.
    if (session !== null) {
      this.session = session;
      this.#emit({ type: "conversation", reason: "resumed" });
    }
    const settings = this.#starts.run(
      "settings",
      async () => {
        const { loadSettings } = await import("../settings.ts");
        const { askForTrust } = await import("./trust-question.ts");
        return loadSettings(flags, place.environment, cwd, home, notices, {
          mode: "interactive",
          ask: (project, trust) =>
            askForTrust(project, trust, (request) => this.#surface.trust(request), home, notices),
          surface: () => this.#surface.extensions(),
          tell: (level, message) => this.tell(level, message),
        });
      },
      (loaded) => (loaded.trusted && loaded.project.folder !== null ? "with this project's" : undefined),
    );
    const tools = import("../app.ts");
    tools.catch(() => undefined);
    this.settings = await settings;
    this.#emit({ type: "settings" });
    try {
      await this.chooseModel({});
    } catch (thrown) {
      this.#modelFailure = thrown;
      // told as a failed part; the person chooses another model or sets a key, and the tools come with it
      for (const part of ["tools", "lsp", "mcp", "memory"]) this.#starts.set(part, "off");
    }
    if (this.chosen !== undefined) await this.openConversation(session);
    void this.#tidy(this.settings.config.retention);
  }

  /** Deletes what is beyond the `retention` setting, behind everything else, and says so. */
  async #tidy(limits: Settings["config"]["retention"]): Promise<void> {
    if (this.parts.flags.noSession || (limits.days === 0 && limits.maxBytes === 0)) return;
    const { keepWithin } = await import("../sessions/keep-within.ts");
    const { signal } = this.#closing;
    const notices = await keepWithin(limits, this.parts.place.home, this.session?.id ?? "", signal);
    for (const { level, message } of notices) this.#emit({ type: "notice", level, message });
  }

  /** Why there is no model, and what to do. */
  noModel(): { message: string; hint: string } {
    const failure = this.#modelFailure;
    const how = isPiError(failure) && failure.hint !== undefined ? `${failure.hint}\n` : "";
    return {
      message: failure === undefined ? "no model could be chosen" : errorMessage(failure),
      hint: `${how}set a key and start pi again, or choose a model with /model`,
    };
  }

  /** Chooses the model by flags, session and settings, or the one named. Rejects with the PiError that says what is missing. */
  async chooseModel(wanted: { request?: string; role?: string }): Promise<ChosenModel> {
    const { flags, place, notices } = this.parts;
    const { settings } = this;
    if (settings === undefined) throw new Error("the settings are not loaded yet");
    const { chooseRunModel, resolveOptions } = await import("../choose-model.ts");
    const named = wanted.request !== undefined || wanted.role !== undefined;
    const base = await resolveOptions(flags, settings, place.environment, place.home, notices);
    const options = named ? { ...base, request: wanted.request ?? null, role: wanted.role ?? null } : base;
    const last = named ? null : (this.session?.settings ?? null);
    const choose = () => chooseRunModel(options, last, this.around(settings, notices));
    if (named) return await choose();
    this.chosen = await this.#starts.run("model", choose, ({ model }) => `${model.provider}/${model.id}`);
    return this.chosen;
  }

  /** What extensions of this program are found by, and told. */
  around(settings: Settings, notices: Notices): ExtensionsAround {
    const { flags, place } = this.parts;
    const doors = { mode: "interactive", tell: this.tell.bind(this) };
    return { ...place, flags, settings, notices, doors, host: this.app?.extensions.host ?? null };
  }

  /** Closes the conversation in use and opens another: a session that was resumed, or (null) a new one. */
  async openConversation(resumed: Session | null): Promise<App> {
    const { flags, place, notices } = this.parts;
    const { settings, chosen } = this;
    if (settings === undefined || chosen === undefined) throw new Error("no model is chosen yet");
    const before = this.app;
    await this.#mayLeave(before, resumed);
    this.app = undefined;
    await before?.close();
    if (before !== undefined && resumed === null) this.#cleared.add(before.session.id);
    const { environment, home, cwd } = place;
    const facts = { cwd, mode: "interactive", model: chosen.model.id, provider: chosen.model.provider };
    const { newSession } = await import("../open-session.ts");
    const { buildApp } = await import("../app.ts");
    const session = resumed ?? newSession(flags, facts, home, notices);
    this.session = session;
    this.app = await this.#starts.run(
      "tools",
      () =>
        buildApp({
          flags,
          settings,
          home,
          environment,
          cwd,
          mode: "interactive",
          chosen,
          session,
          notices,
          cleared: this.#cleared,
          ask: this.#surface.consent,
          dialogs: this.#surface.dialogs,
          surface: () => this.#surface.extensions(),
          driveRun: (events) => this.#drive(events),
          extensionProgram: () => this.extensionProgram,
          tellPerson: (level, message) => this.tell(level, message),
          ...(before !== undefined && resumed === null ? { sessionReason: "new" as const } : {}),
          onMcpChange: () => this.#showMcp(),
          onAgentEnd: (level, message) => this.tell(level, message),
          onAppend: this.#onAppend,
          send: this.#send,
        }),
      (app) => `${app.options.tools.length} tools`,
    );
    // A new conversation takes nobody by surprise with another mode.
    if (before !== undefined && resumed === null) this.app.planMode.set(before.planMode.on);
    const { mode } = settings.config.lsp;
    this.#starts.set("lsp", mode === "off" ? "off" : "ready", mode);
    this.#showMcp();
    this.showMemory();
    void this.#tidyWorktrees(this.app);
    return this.app;
  }

  /** Rejects with a PiError when the conversation has to stay: a run works in it, or an extension wants that. The one to go on with is closed then. */
  async #mayLeave(before: App | undefined, resumed: Session | null): Promise<void> {
    const run = before?.subagents.run() ?? null;
    if (run !== null) {
      resumed?.close();
      throw new PiError({
        code: "run_in_progress",
        message: `${run} is in progress in this conversation`,
        hint: "/run stop stops it; its work is kept.",
      });
    }
    const by = (await before?.extensions.refuses(resumed === null ? "new" : "resume")) ?? null;
    if (by === null) return;
    resumed?.close();
    throw new PiError({
      code: "extension_refused",
      message: `the extension "${by}" wants this conversation to stay open`,
    });
  }

  /** Looks after worktrees that subagents of earlier runs left here, behind everything else. */
  async #tidyWorktrees(app: App): Promise<void> {
    if (gitTop(this.parts.place.cwd) === null) return;
    await app.subagents.tidy();
    for (const { level, message } of this.parts.notices.take())
      this.#emit({ type: "notice", level, message });
  }

  /** How the MCP servers are, among the parts that start. */
  #showMcp(): void {
    if (this.app === undefined) return;
    const { state, detail } = mcpPart(this.app.mcp.hub?.servers ?? []);
    this.#starts.set("mcp", state, detail);
    for (const { level, message } of this.parts.notices.take())
      this.#emit({ type: "notice", level, message });
  }

  /** Whether something is recalled in this conversation, among the parts that start. */
  showMemory(): void {
    const { memory } = this.app ?? {};
    if (memory === undefined) return;
    if (memory.enabled()) this.#starts.set("memory", "ready", memory.declared ? "recalls" : "empty");
    else this.#starts.set("memory", "off");
  }

  /** Says something to the person, now. */
  tell(level: "info" | "warning", message: string): void {
    this.#emit({ type: "notice", level, message });
  }

  /** The commands that can be typed: the built-in ones, then skills and prompts, then prompts of MCP servers. */
  commands(): readonly SlashCommandInfo[] {
    return [
      ...SLASH_INFOS,
      ...(this.app?.skills?.library?.commands() ?? []),
      ...(this.app?.mcp.commands() ?? []),
      ...(this.app?.extensions.commands() ?? []),
    ];
  }

  /** The prompt that a command of a skill, a template or an MCP server stands for; undefined for any other. Rejects with a PiError when it cannot be had. */
  async promptFor(name: string, argument: string, signal: AbortSignal): Promise<string | undefined> {
    const own = this.app?.skills?.library?.prompt(name, argument);
    const prompts = this.app?.mcp.hub?.prompts;
    const text = own === undefined && prompts?.has(name) ? await prompts.text(name, argument, signal) : own;
    // A file's or a server's words, not the person's.
    if (text !== undefined) this.app?.memory.typedPart(text, "");
    return text;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const { app, session } = this;
    this.app = undefined;
    if (app === undefined) session?.close();
    else await app.close();
  }
}
