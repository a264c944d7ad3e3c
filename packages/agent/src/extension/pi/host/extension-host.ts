import type { Callbacks } from "../../../contract/callbacks.ts";
import { errorMessage, PiError } from "../../../contract/errors.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import { type Message, textOf, type UserMessage } from "../../../contract/messages.ts";
import type { OwnedProcess } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import { slashLine } from "../../../contract/slash-command.ts";
import type { AnyTool } from "../../../contract/tool.ts";
import { takeForeignFaults } from "../../../platform/foreign-faults.ts";
import type { CompiledPlace } from "../compiled/compiled-set.ts";
import { openCompiled } from "../compiled/open-compiled.ts";
import type { ExtensionEntry, ExtensionResources } from "../load/extension-entry.ts";
import { installGuards } from "../load/guards.ts";
import { forgetModules, loadExtension } from "../load/load-extension.ts";
import { runAs } from "../load/running-extension.ts";
import { registerVirtualModules, virtualModule } from "../load/virtual-modules.ts";
import { setModuleHost } from "../modules/module-host.ts";
import { commandRun, RunRequests } from "./command-run.ts";
import { Dispatcher } from "./dispatcher.ts";
import { EventBus } from "./event-bus.ts";
import { extensionApi } from "./extension-api.ts";
import { ExtensionCommands } from "./extension-commands.ts";
import { commandContext, extensionContext } from "./extension-context.ts";
import { Faults } from "./faults.ts";
import { hostCallbacks } from "./host-callbacks.ts";
import type { HostPorts } from "./host-ports.ts";
import type { HostState } from "./host-state.ts";
import { LoadedExtension } from "./loaded-extension.ts";
import { store } from "./messages-out.ts";
import type { ModuleHost } from "./module-ports.ts";
import { type TrustPlace, type TrustVerdict, trustVerdict } from "./project-trust.ts";
import type { RunNotes } from "./prompt-events.ts";
import { type RunParts, runAround } from "./run-around.ts";
import { RunEvents } from "./run-events.ts";
import { SessionView } from "./session-view.ts";
import { registerRenderers, registerShortcut } from "./surface-parts.ts";
import { settleTools, ToolList } from "./tool-list.ts";
import { type UserCommand, userBash } from "./user-bash.ts";

export type SessionReason = "startup" | "reload" | "new" | "resume" | "fork";

export interface ExtensionHostOptions {
  /** Values of `--name` of flags that extensions may register. */
  flagValues: ReadonlyMap<string, string | boolean>;
  clock: Clock;
  /** Whether the command line lets a tool of this name in. */
  allowsTool(name: string): boolean;
  /** Names of commands that are not theirs to take. */
  reserved: ReadonlySet<string>;
  /** Modules that were loaded before are read anew. */
  fresh: boolean;
  /** Where installed extensions lie compiled; null: all load as they are. */
  compiled: CompiledPlace | null;
  tell(level: "info" | "warning", message: string): void;
  /** Where the output of extensions goes; null in the terminal program. */
  print: ((text: string) => void) | null;
}

/** The extensions of one conversation: loaded side by side, then bound to the conversation when it is built. */
export class ExtensionHost {
  /** In the order in which they were named. */
  readonly extensions: readonly LoadedExtension[];
  readonly callbacks: Callbacks;
  readonly commands: ExtensionCommands;
  readonly #state: HostState;
  readonly #dispatcher: Dispatcher;
  readonly #notes: RunNotes = { events: null, admitted: false, instead: null, behind: [] };
  readonly #tools: ToolList;
  readonly #options: ExtensionHostOptions;
  readonly #loaded: LoadedExtension[] = [];
  readonly #unguard: () => void;
  #closed = false;

  private constructor(options: ExtensionHostOptions) {
    this.#options = options;
    this.extensions = this.#loaded;
    const faults = new Faults(options.tell);
    this.#unguard = installGuards({ print: options.print });
    takeForeignFaults((fault) => faults.unowned(this.extensions, fault));
    const contexts = new Map<LoadedExtension, object>();
    const contextOf = (extension: LoadedExtension): object => {
      let context = contexts.get(extension);
      if (context === undefined) {
        context = extensionContext(extension, this.#state);
        contexts.set(extension, context);
      }
      return context;
    };
    this.#dispatcher = new Dispatcher({
      extensions: () => this.extensions.filter(({ state }) => state !== "failed"),
      contextOf,
      faults,
      clock: options.clock,
    });
    const inBackground = (extension: LoadedExtension, where: string, work: () => unknown) => {
      void this.#dispatcher.run(extension, where, work);
    };
    this.#state = {
      extensions: this.extensions,
      faults,
      bus: new EventBus(inBackground),
      ports: null,
      sessionView: null,
      active: null,
      toolChanges: 0,
      pending: [],
      run: null,
      starting: [],
      settling: false,
      answered: false,
      goOn: false,
      heard: null,
      start: (extension, message) => this.#start(extension, message),
      flagValues: options.flagValues,
      terminated: new Set(),
      nested: new Map(),
      tell: (type, fields) => void this.tell(type, fields),
      contextOf,
      inBackground,
      system: null,
    };
    this.callbacks = hostCallbacks(this.#state, this.#dispatcher, this.#notes);
    this.commands = new ExtensionCommands(this.#state, this.#dispatcher, options.reserved);
    this.#tools = new ToolList(this.#state, options.allowsTool);
  }

  /** Loads all of them side by side. One that fails is told of and stops nothing. */
  static async load(
    entries: readonly ExtensionEntry[],
    options: ExtensionHostOptions,
  ): Promise<ExtensionHost> {
    registerVirtualModules();
    const host = new ExtensionHost(options);
    await host.extend(entries);
    return host;
  }

  /** Makes these all there are, before a conversation is bound: those that are loaded stay as they are, the others are loaded as {@link load} does. */
  async extend(entries: readonly ExtensionEntry[]): Promise<void> {
    const { clock, compiled, fresh } = this.#options;
    const known = new Map(this.#loaded.map((extension) => [extension.entry.file, extension]));
    const added = entries.filter(({ file }) => !known.has(file)).map((entry) => new LoadedExtension(entry));
    for (const extension of added) {
      extension.told = this.#state.faults;
      known.set(extension.entry.file, extension);
    }
    this.#loaded.splice(0, Infinity, ...entries.map(({ file }) => known.get(file)!));
    if (compiled !== null && !fresh)
      openCompiled(
        added.map(({ entry }) => entry),
        compiled,
        virtualModule,
      );
    await Promise.all(
      added.map(async (extension) => {
        if (fresh) forgetModules(extension);
        await loadExtension(extension, extensionApi(extension, this.#state), (ms, signal) =>
          clock.sleep(ms, signal),
        );
      }),
    );
    for (const extension of added) this.#settle(extension);
    settleTools(this.#state);
  }

  /** Asks them whether a project is trusted, in their order; the first yes or no counts. Null when none decides. */
  trustOf(place: TrustPlace): Promise<TrustVerdict | null> {
    return trustVerdict(this.#dispatcher, place);
  }

  #settle(extension: LoadedExtension): void {
    if (extension.state !== "failed") return;
    extension.tools.clear();
    extension.commands.clear();
    extension.handlers.clear();
    this.#options.tell("warning", `the extension "${extension.name}" was not loaded: ${extension.error}`);
  }

  /** The conversation is built. */
  bind(ports: HostPorts): void {
    this.#state.ports = ports;
    this.#state.sessionView = new SessionView(ports.session);
    const modules: ModuleHost = {
      theme: () => ports.surface()?.theme(),
      models: ports.models,
      processes: ports.processes,
      tools: () => ports.tools(),
      toolContext: (signal, progress) => ports.toolContext(signal, progress),
    };
    setModuleHost(modules);
    for (const extension of this.extensions) extension.modules = modules;
    const builtIn = new Set(ports.tools().map(({ name }) => name));
    for (const extension of this.extensions) {
      registerRenderers(this.#state, extension);
      for (const key of extension.shortcuts.keys()) registerShortcut(this.#state, extension, key);
      for (const [name, provider] of extension.providers) ports.models.provide(name, provider);
      for (const name of extension.tools.keys())
        if (builtIn.has(name))
          ports.tell("info", `the extension "${extension.name}" replaces the built-in tool ${name}`);
    }
    this.#tellUnknownFlags();
    const surface = ports.surface();
    const forget = surface?.onFault((source, what, error) => {
      const extension = this.extensions.find((each) => each === source || each.name === source.name);
      if (extension !== undefined) this.#state.faults.report(extension, what, error);
    });
    if (forget !== undefined) this.#forget = forget;
  }

  #forget: () => void = () => undefined;

  #tellUnknownFlags(): void {
    const known = new Set(this.extensions.flatMap(({ flags }) => [...flags.keys()]));
    const unknown = [...this.#options.flagValues.keys()].filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    const there = known.size === 0 ? "none has any" : `there are: ${[...known].join(", ")}`;
    this.#options.tell(
      "warning",
      `--extension-flag ${unknown.join(", ")}: no extension has that flag; ${there}`,
    );
  }

  /** Tells extensions that the conversation begins; resolves with the skills and prompts that they name when they have made themselves ready, or had their time. */
  async begin(reason: SessionReason): Promise<ExtensionResources> {
    await this.#dispatcher.dispatch({ type: "session_start", reason });
    const { cwd } = this.#state.ports!;
    const found = { skills: [] as string[], prompts: [] as string[] };
    const event = { type: "resources_discover", cwd, reason: reason === "reload" ? "reload" : "startup" };
    await this.#dispatcher.dispatch(event, {
      take(value) {
        const { skillPaths, promptPaths } = (value ?? {}) as { skillPaths?: unknown; promptPaths?: unknown };
        if (Array.isArray(skillPaths)) found.skills.push(...skillPaths.map(String));
        if (Array.isArray(promptPaths)) found.prompts.push(...promptPaths.map(String));
        return undefined;
      },
    });
    return found;
  }

  /** Puts a text before the model with the next prompt. */
  remind(text: string): void {
    const message: UserMessage = { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
    this.#state.pending.push({ message, how: "nextTurn" });
  }

  /** The tools of a run. The same list while nothing changes. */
  tools(base: readonly AnyTool[]): readonly AnyTool[] {
    return this.#tools.of(base);
  }

  /** What `append` stores with the extensions' part in it: a changed prompt, and messages that go behind it. */
  append(message: Message, append: (message: Message) => void): void {
    const { instead, behind } = this.#notes;
    const persons = message.role === "user" && (message.origin === "user" || message.origin === "steering");
    const stored = persons && instead !== null ? { ...instead, origin: message.origin } : message;
    append(stored);
    this.#notes.events?.stored(stored);
    if (!persons) return;
    this.#notes.instead = null;
    this.#notes.behind = [];
    for (const each of behind) store(this.#state, each);
  }

  /** A run, with the extensions around it. */
  run(
    inner: (input: UserMessage | null, signal: AbortSignal) => AsyncIterable<AgentEvent>,
    input: UserMessage | null,
    signal: AbortSignal,
  ): AsyncIterable<AgentEvent> {
    const around: RunParts = { state: this.#state, dispatcher: this.#dispatcher, notes: this.#notes, inner };
    const line = input?.origin === "user" ? slashLine(textOf(input.parts)) : null;
    if (line === null || !this.commands.has(line.name)) return runAround(around, input, signal);
    const requests = new RunRequests();
    this.#requests = requests;
    return commandRun(around, requests, line.name, signal, () =>
      this.commands.run(line.name, line.argument, signal),
    );
  }

  /** The events of a compaction that a person asked for, which extensions hear of. */
  async *compaction(events: AsyncIterable<AgentEvent>, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const told = new RunEvents(this.#state, this.#dispatcher, signal);
    for await (const event of events) {
      if (event.type === "compaction") await told.compaction(event, "manual");
      yield event;
    }
  }

  #requests: RunRequests | undefined;

  #start(extension: LoadedExtension, message: UserMessage | null): void {
    const { runs } = this.#state.ports!;
    const { starting, faults } = this.#state;
    const begun = Promise.withResolvers<void>();
    starting.push(begun);
    const refused = () => {
      const at = starting.indexOf(begun);
      if (at < 0) return;
      starting.splice(at, 1);
      begun.resolve();
      const words = "wants an answer from the model, but no run can begin now; the model is not asked";
      faults.note(extension, "a message", words);
    };
    if (runs.start !== undefined) void runs.start(message).finally(refused);
    else if (this.#requests?.add(message) !== true) refused();
  }

  /** Runs `work` as the extension of this file, with a command's `ctx`. Rejects as it does, and with a PiError when there is no such extension. */
  async goOn(file: string, work: (context: unknown) => unknown): Promise<void> {
    const extension = this.extensions.find(({ entry, state }) => entry.file === file && state === "ready");
    if (extension === undefined)
      throw new PiError({
        code: "extension_missing",
        message: `the extension ${file} is not loaded in this conversation`,
        hint: "/extensions says why.",
      });
    const context = commandContext(extension, this.#state);
    await runAs(extension, () => work(context));
  }

  /** How hard the model thinks was set. */
  thinkingChanged(level: string, previousLevel: string): void {
    void this.tell("thinking_level_select", { level, previousLevel });
  }

  /** A command that a person typed, when an extension takes it; see {@link userBash}. */
  userBash(command: UserCommand, signal: AbortSignal): Promise<OwnedProcess | null> {
    return userBash(this.#dispatcher, command, signal);
  }

  /** Another model is used from now on. */
  modelChanged(model: unknown, previous: unknown): void {
    void this.#dispatcher.dispatch({ type: "model_select", model, previousModel: previous, source: "set" });
  }

  /** Whether an extension cancels what is about to happen to the conversation; its name. */
  async cancels(type: string, fields: Readonly<Record<string, unknown>>): Promise<string | null> {
    let by: string | null = null;
    await this.#dispatcher.dispatch(
      { type, ...fields },
      {
        take(value, extension) {
          if ((value as { cancel?: unknown } | undefined)?.cancel === true) by = extension.name;
          return by !== null;
        },
      },
    );
    return by;
  }

  /** Tells of something that has happened. */
  async tell(type: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#dispatcher.dispatch({ type, ...fields });
  }

  /** Lets extensions end what they have begun, within their time; afterwards their `pi` and `ctx` are stale. A second call does nothing. */
  async close(reason: "quit" | "reload" | "new" | "resume" | "fork"): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#state.ports !== null) await this.#dispatcher.dispatch({ type: "session_shutdown", reason });
    this.#forget();
    for (const extension of this.extensions) {
      extension.stale =
        "This extension ctx is stale: its conversation was closed or the extensions were loaded anew. Stop timers in session_shutdown.";
      extension.undoAll((thrown) =>
        this.#state.faults.note(
          extension,
          "unload",
          `could not be unloaded cleanly: ${errorMessage(thrown)}`,
        ),
      );
      this.#state.ports?.surface()?.release(extension);
    }
    // In one process another conversation may still have extensions.
    this.#unguard();
  }
}
