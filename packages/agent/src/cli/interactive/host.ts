import { SLASH_INFOS } from "../../commands/slash/slash-infos.ts";
import type { SlashPorts } from "../../commands/slash/slash-ports.ts";
import type {
  DisplaySettings,
  HostChange,
  InteractiveHost,
  PlacedMessage,
  PromptInput,
  QueuedPrompt,
  StartPart,
  StatusFacts,
  SurfaceControl,
} from "../../contract/interactive.ts";
import type { ImagePart, Message } from "../../contract/messages.ts";
import type { ArgumentCompletion, SlashCommandInfo } from "../../contract/slash-command.ts";
import type { PromptHistory } from "../../session/prompt-history.ts";
import type { Session } from "../../session/session.ts";
import type { App } from "../app.ts";
import type { Program, ProgramParts } from "./program.ts";
import type { ProjectFiles } from "./project-files.ts";
import { RunControl } from "./run-control.ts";
import { RunningWork, unlessStopped } from "./running-work.ts";
import { secretsOf } from "./secrets-of.ts";
import { ShownConversation } from "./shown-conversation.ts";
import { START_PARTS, StartParts } from "./start-parts.ts";
import { StatusReport } from "./status-report.ts";

/**
 * The program behind the interactive surface: it loads behind the first frame, runs what is asked, and tells what happens. What is heavy is
 * imported in {@link start} or later, so that it does not hold up the first frame.
 */
export class Host implements InteractiveHost {
  readonly #parts: ProgramParts;
  readonly #listeners = new Set<(change: HostChange) => void>();
  readonly #starts: StartParts;
  readonly #runs: RunControl;
  readonly #report: StatusReport;
  readonly #shown: ShownConversation;
  #files: ProjectFiles | undefined;
  readonly #work: RunningWork;
  readonly #loaded = Promise.withResolvers<void>();
  #surface: SurfaceControl | undefined;
  #program: Program | undefined;
  #slash: Promise<SlashPorts> | undefined;
  #history: PromptHistory | undefined;
  #failed: unknown;
  #firstPrompt: string;
  #closing: Promise<void> | undefined;

  constructor(parts: ProgramParts, firstPrompt: string) {
    this.#parts = parts;
    this.#firstPrompt = firstPrompt;
    this.#starts = new StartParts(START_PARTS, () => this.#emit({ type: "status" }));
    this.#report = new StatusReport(parts.place.cwd);
    this.#shown = new ShownConversation(
      () => this.#program?.session,
      (message) => this.#emit({ type: "notice", level: "error", message }),
    );
    this.#work = new RunningWork((notice) => this.#emit(notice));
    this.#runs = new RunControl({
      notices: parts.notices,
      emit: (change) => this.#tell(change),
      onEnd: () => this.#refresh(),
    });
  }

  /** What made the program unusable, for the exit code; undefined when nothing did. */
  get failure(): unknown {
    return this.#failed;
  }

  get app(): App | undefined {
    return this.#program?.app;
  }

  get sessionId(): string | null {
    const session = this.#program?.session;
    return session === undefined || session.folder === null || session.head === null ? null : session.id;
  }

  get title(): string | undefined {
    return this.#program?.session?.meta.title;
  }

  start(surface: SurfaceControl): void {
    this.#surface = surface;
    if (this.#firstPrompt !== "") this.send({ text: this.#firstPrompt, images: [] }, "steer");
    this.#firstPrompt = "";
    this.#load(surface)
      .catch((thrown: unknown) => {
        this.#failed = thrown;
        this.quit();
      })
      .finally(() => this.#loaded.resolve());
  }

  async #load(surface: SurfaceControl): Promise<void> {
    const { Program } = await import("./program.ts");
    const program = new Program(this.#parts, {
      starts: this.#starts,
      surface,
      emit: (change) => this.#emit(change),
      onAppend: (message) => this.#appended(message),
      drive: (events) => this.#runs.drive(events),
      send: (text) => this.#runs.send({ text, images: [] }, "follow_up"),
    });
    this.#program = program;
    if (!this.#parts.flags.noSession) await this.#openHistory();
    await program.start();
    this.#started(program);
  }

  async #openHistory(): Promise<void> {
    const { openPromptHistory } = await import("../../session/prompt-history.ts");
    const { cwd, home } = this.#parts.place;
    this.#history = openPromptHistory({
      file: home.history,
      cwd,
      now: Date.now,
      secrets: secretsOf(this.#parts.place.environment),
      onProblem: ({ message }) => this.#parts.notices.warn(`earlier prompts are not kept: ${message}`),
    });
  }

  subscribe(listener: (change: HostChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  parts(): readonly StartPart[] {
    return this.#starts.list();
  }

  status(): StatusFacts {
    return this.#report.facts(this.#program);
  }

  display(): DisplaySettings {
    const config = this.#program?.settings?.config;
    return {
      ...(config?.theme === undefined ? {} : { theme: config.theme }),
      notify: config?.notify ?? "off",
      vim: config?.editor.vim ?? false,
      keybindings: config?.keybindings ?? {},
    };
  }

  messages(): readonly Message[] {
    return this.#shown.messages();
  }

  extensionMessages(): readonly PlacedMessage[] {
    return this.#shown.ofExtensions();
  }

  resultImages(callId: string): readonly ImagePart[] {
    return this.#shown.resultImages(callId);
  }

  get busy(): boolean {
    return this.#runs.busy;
  }

  get stoppable(): boolean {
    return this.busy || this.#work.stoppable;
  }

  send(input: PromptInput, how: QueuedPrompt["as"]): void {
    if (this.#noModel()) {
      this.#emit({ type: "draft", text: input.text });
      this.#tellNoModel();
      return;
    }
    this.#history?.add(input.text);
    this.#runs.send(input, how);
  }

  shell(command: string, keep: boolean): void {
    const { place } = this.#parts;
    const line = `${keep ? "!" : "!!"}${command}`;
    void this.#work.run(async (signal) => {
      if (!(await this.#ready(line, signal))) return;
      const { app } = this;
      if (app === undefined) {
        this.#emit({ type: "draft", text: line });
        this.#tellNoModel();
        return;
      }
      const { showUserCommand, userCommandMessage } = await import("./user-shell.ts");
      const end = await showUserCommand(app, place, { command, kept: keep }, signal, (change) =>
        this.#emit(change),
      );
      if (keep) this.#runs.addToHistory(userCommandMessage(command, end));
    });
  }

  interrupt(): boolean {
    const stopped = this.#work.stop();
    return this.#runs.interrupt() || stopped;
  }

  takeQueue(): readonly QueuedPrompt[] {
    return this.#runs.take();
  }

  commands(): readonly SlashCommandInfo[] {
    return this.#program?.commands() ?? SLASH_INFOS;
  }

  async completeArgument(
    name: string,
    argument: string,
    signal: AbortSignal,
  ): Promise<readonly ArgumentCompletion[]> {
    const ports = await this.#slashPorts();
    if (ports === null || signal.aborted) return [];
    const { completeSlashArgument } = await import("../../commands/slash/slash-dispatch.ts");
    return completeSlashArgument(name, argument, ports, signal);
  }

  command(name: string, argument: string): void {
    const line = argument === "" ? `/${name}` : `/${name} ${argument}`;
    void this.#work.run(async (signal) => {
      // The end is never waited for.
      if (name !== "exit" && !(await this.#ready(line, signal))) return;
      const ports = await this.#slashPorts();
      const surface = this.#surface;
      if (ports === null || surface === undefined) {
        this.quit();
        return;
      }
      const text = await this.#program?.promptFor(name, argument, signal);
      if (text !== undefined) return this.#runs.send({ text, images: [] }, "steer");
      const { runSlashCommand } = await import("../../commands/slash/slash-dispatch.ts");
      const { blocks, failed } = await runSlashCommand(
        { name, argument, idle: () => this.#untilIdle(line, signal) },
        { ports, dialogs: surface.dialogs, signal },
      );
      this.#tellNotices();
      if (blocks.length > 0) this.#emit({ type: "command", line, blocks, failed: failed === true });
      this.#refresh();
    });
  }

  async findFiles(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#files === undefined) {
      const { ProjectFiles } = await import("./project-files.ts");
      const { cache } = this.#parts.place.home;
      this.#files ??= new ProjectFiles({ app: () => this.app, cacheFolder: cache, now: Date.now });
    }
    return this.#files.find(query, limit, signal);
  }

  promptHistory(): readonly string[] {
    return this.#history?.entries() ?? [];
  }

  quit(): void {
    this.#leave(false);
  }

  #leave(restart: boolean): void {
    void this.close().then(() => this.#emit({ type: "quit", restart }));
  }

  /** Interrupts, saves and ends everything. A second call waits for the first. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.interrupt();
      await this.#runs.idle;
      // A run of a spec keeps its work and says where, before what it works with is closed.
      await this.#slash?.then(({ run }) => run.stop()).catch(() => undefined);
      await this.#program?.close();
    })();
    return this.#closing;
  }

  /** Waits until all is loaded that can be; false when the person stopped that first: the line is a draft again then. */
  #ready(line: string, signal: AbortSignal): Promise<boolean> {
    return this.#unlessStopped(line, signal, this.#loaded.promise);
  }

  /** Waits for the run in progress and those that its queue makes; false as for {@link #ready}. */
  async #untilIdle(line: string, signal: AbortSignal): Promise<boolean> {
    const message = `${line} waits until the answer is over; Esc stops both`;
    if (this.busy) this.#emit({ type: "notice", level: "info", message });
    while (this.busy) if (!(await this.#unlessStopped(line, signal, this.#runs.idle))) return false;
    return true;
  }

  async #unlessStopped(line: string, signal: AbortSignal, done: Promise<void>): Promise<boolean> {
    const isDone = await unlessStopped(done, signal);
    if (!isDone && this.#closing === undefined) this.#emit({ type: "draft", text: line });
    return isDone;
  }

  /** What the commands need, made at their first use; null while the program has not begun to load. */
  #slashPorts(): Promise<SlashPorts | null> {
    const program = this.#program;
    const surface = this.#surface;
    if (program === undefined || surface === undefined) return Promise.resolve(null);
    this.#slash ??= import("./ports/slash-ports.ts").then(({ compactorPort, slashPorts }) =>
      slashPorts({
        program,
        surface,
        setDraft: (text) => this.#emit({ type: "draft", text, replace: true }),
        onSettings: () => this.#emit({ type: "settings" }),
        quit: (restart) => this.#leave(restart),
        earlierPrompts: (all) =>
          Promise.resolve((this.#history?.search("", all) ?? []).map((text) => ({ text }))),
        compactor: compactorPort(program),
        role: () => this.#report.role ?? this.#parts.flags.role ?? "default",
        adopt: async (chosen, role) => {
          this.#report.role = role;
          program.chosen = chosen;
          if (program.app !== undefined) program.app.useModel(chosen);
          else this.#runs.use(await program.openConversation(program.session ?? null));
          this.#starts.set("model", "ready", `${chosen.model.provider}/${chosen.model.id}`);
          this.#refresh();
        },
        open: (session) => this.#open(program, session),
        redraw: (reason) => {
          this.#emit({ type: "conversation", reason });
          this.#refresh();
        },
        drive: (events, see) => this.#runs.exclusive(events, see),
        addToHistory: (message) => this.#runs.addToHistory(message),
      }),
    );
    return this.#slash;
  }

  /** Shows another conversation: one that was resumed, or (null) a new one. */
  async #open(program: Program, session: Session | null): Promise<void> {
    await this.#runs.idle;
    const app = await program.openConversation(session);
    this.#report.forget();
    this.#emit({ type: "conversation", reason: session === null ? "new" : "resumed" });
    this.#tellNotices();
    this.#refresh();
    this.#runs.use(app);
  }

  #started(program: Program): void {
    const { app } = program;
    if (app === undefined) {
      for (const { text } of this.#runs.take()) this.#emit({ type: "draft", text });
      this.#tellNoModel();
      return;
    }
    this.#tellNotices();
    this.#refresh();
    this.#runs.use(app);
  }

  #noModel(): boolean {
    return this.#program?.app === undefined && this.#modelPart()?.state === "failed";
  }

  #modelPart(): StartPart | undefined {
    return this.#starts.list().find((part) => part.name === "model");
  }

  #tellNoModel(): void {
    const why = this.#program?.noModel();
    if (why !== undefined) this.#emit({ type: "notice", level: "error", ...why });
  }

  /** A message went into the history: what a person said is shown from then on. */
  #appended(message: Message): void {
    if (message.role !== "user" || (message.origin !== "user" && message.origin !== "steering")) return;
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const images = message.parts.filter((part) => part.type === "image");
    const as = message.origin === "steering" ? "steer" : "prompt";
    this.app?.logger.log({ type: "user", content: text });
    this.#emit({ type: "prompt", input: { text, images }, as });
    this.#runs.tellQueue();
  }

  #tell(change: HostChange): void {
    if (change.type === "event") this.#report.event(change.event);
    this.#emit(change);
    if (change.type === "event" && change.event.type === "turn_end") this.#emit({ type: "status" });
  }

  #refresh(): void {
    this.#report.refresh(this.#program);
    this.#emit({ type: "status" });
  }

  #tellNotices(): void {
    for (const { level, message } of this.#parts.notices.take())
      this.#emit({ type: "notice", level, message });
  }

  #emit(change: HostChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
