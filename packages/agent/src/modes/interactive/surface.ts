/** The interactive surface: draws what the program behind it tells, and turns keys into what it is asked to do. */
import { ProcessTerminal, ScrollView, type Terminal, TuiAltScreen } from "@earendil-works/pi-tui";
import type { ExtensionSurface } from "../../contract/extension-surface.ts";
import type { HostChange, InteractiveHost } from "../../contract/interactive.ts";
import { systemClock } from "../../platform/clock.ts";
import { fitsConversation } from "./command-result.ts";
import { DialogHost } from "./dialog/dialog-host.ts";
import type { SurfaceDoors } from "./doors.ts";
import { ExtensionsDoor } from "./extensions-door.ts";
import { putBack, replaceDraft } from "./input/drafts.ts";
import { createKeymap, type Keymap, type KeymapNotice } from "./input/keymap.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import type { PromptEditorNotice, PromptSubmission } from "./input/prompt-editor-ports.ts";
import { KeyActions } from "./key-actions.ts";
import { Layouts } from "./layouts.ts";
import { Notifier } from "./notify/notifier.ts";
import { WindowFocus } from "./notify/window-focus.ts";
import { WindowStatus } from "./notify/window-status.ts";
import { PartsLine } from "./parts-line.ts";
import { freePastes } from "./paste-guard.ts";
import { SearchBar } from "./search-bar.ts";
import { startHints } from "./start-hints.ts";
import { QueueView } from "./status/queue-view.ts";
import { StartPanel } from "./status/start-panel.ts";
import { StatusLine } from "./status/status-line.ts";
import { WorkingLine } from "./status/working-line.ts";
import { readSubmitted } from "./submitted-line.ts";
import { copyText, surfaceControl } from "./surface-control.ts";
import { externalEditor } from "./surface-editor.ts";
import { TerminalOwner } from "./terminal-owner.ts";
import { followTerminal } from "./theme/follow-terminal.ts";
import { createThemes, type ThemeController } from "./theme/themes.ts";
import { systemTimers, type Timers } from "./timers.ts";
import { createTranscript } from "./transcript/create-transcript.ts";

export interface SurfaceParts {
  host: InteractiveHost;
  version: string;
  doors: SurfaceDoors;
  /** The project folder. */
  cwd: string;
  /** Tests bring their own; else the process's. */
  terminal?: Terminal;
  timers?: Timers;
}

/** A running surface. */
export interface Surface {
  /** Resolves when the program wants to end; the terminal is still the surface's then. */
  readonly ended: Promise<{ restart: boolean }>;
  /** Gives the terminal back to the shell. A second call does nothing. */
  close(): Promise<void>;
}

/** Draws the first frame, then starts the program behind it. */
export function openSurface(parts: SurfaceParts): Surface {
  return new OpenSurface(parts);
}

class OpenSurface implements Surface {
  readonly #host: InteractiveHost;
  readonly #doors: SurfaceDoors;
  readonly #timers: Timers;
  readonly #tui: TuiAltScreen;
  readonly #themes: ThemeController;
  readonly #transcript: ReturnType<typeof createTranscript>;
  readonly #scroll: ScrollView;
  readonly #editor: PromptEditor;
  readonly #search: SearchBar;
  readonly #dialogs: DialogHost;
  readonly #working: WorkingLine;
  readonly #queue: QueueView;
  readonly #status: StatusLine;
  readonly #panel: StartPanel;
  readonly #layouts: Layouts;
  readonly #keys: KeyActions;
  readonly #focus: WindowFocus;
  readonly #window: WindowStatus;
  readonly #notifier: Notifier;
  readonly #owner: TerminalOwner;
  readonly #extensions = new ExtensionsDoor();
  readonly #editExternally: (text: string) => Promise<string | null>;
  readonly #undo: (() => void)[] = [];
  readonly #end = Promise.withResolvers<{ restart: boolean }>();
  #keymap: Keymap;
  #keymapNotices: readonly KeymapNotice[] = [];
  #closed = false;

  constructor(parts: SurfaceParts) {
    const { host, version, doors, cwd, terminal = new ProcessTerminal(), timers = systemTimers } = parts;
    const { environment } = doors;
    const now = () => timers.now();
    const every = timers.every.bind(timers);
    this.#timers = timers;
    this.#host = host;
    this.#doors = doors;
    if (terminal instanceof ProcessTerminal) this.#undo.push(freePastes(process.stdin));
    this.#focus = new WindowFocus(terminal, (inFront) => this.#working.setAnimated(inFront));
    this.#window = new WindowStatus(terminal, environment);
    this.#tui = new TuiAltScreen(terminal, true, undefined, {
      wheelScrollLines: "auto",
      copySelection: async (text) => {
        const way = await copyText(text, doors, (data) => terminal.write(data));
        return typeof way === "string" || way.reason;
      },
      openUrl: (url) => doors.openLink(url),
    });
    const tui = this.#tui;
    this.#owner = new TerminalOwner({ tui, window: this.#window, focus: this.#focus });
    const requestRender = () => tui.requestRender();
    const notice = ({ level, message, hint }: PromptEditorNotice) => this.#notice(level, message, hint);
    this.#editExternally = externalEditor(doors, this.#owner, notice);
    const themes = createThemes({ env: environment, isTerminal: true, platform: process.platform });
    this.#themes = themes;
    this.#keymap = createKeymap({}).keymap;
    this.#keymap.apply();
    const label = (action: string) => this.#keymap.label(action);
    const { slots } = this.#extensions;
    this.#transcript = createTranscript({
      themes,
      clock: systemClock,
      images: true,
      cwd,
      requestFrame: requestRender,
      screenRows: () => terminal.rows,
      resultImages: (callId) => host.resultImages(callId),
      custom: () => slots.renderers,
    });
    this.#scroll = new ScrollView(this.#transcript, { follow: "end", primary: true, scrollbar: "auto" });
    this.#transcript.attach(this.#scroll);
    const hint = `${label("app.interrupt")} interrupts`;
    this.#working = new WorkingLine({ themes, now, every, requestRender, hint });
    this.#queue = new QueueView(themes, `${label("app.queue.edit")} takes them back`);
    this.#status = new StatusLine(themes, host.status());
    this.#panel = new StartPanel(themes, {
      version,
      facts: host.status(),
      parts: host.parts(),
      hints: startHints(label),
      ...(environment["HOME"] === undefined ? {} : { home: environment["HOME"] }),
    });
    this.#keys = new KeyActions({
      host,
      tui,
      editor: () => this.#editor,
      transcript: this.#transcript,
      keymap: () => this.#keymap,
      now,
      search: () => this.#dialogs.setResting(this.#search),
      suspend: () => void this.#owner.away(() => doors.suspend()),
      putBack: (text) => putBack(this.#editor, text),
      escape: () => slots.escape?.(),
    });
    this.#editor = new PromptEditor(
      tui,
      {
        theme: themes,
        keymap: this.#keymap,
        busy: () => host.busy,
        commands: () => host.commands(),
        completeArgument: (name, argument, signal) => host.completeArgument(name, argument, signal),
        findFiles: (query, limit, signal) => host.findFiles(query, limit, signal),
        history: () => host.promptHistory(),
        onSubmit: (submission) => this.#submit(submission),
        onAction: (action) => this.#keys.act(action),
        shortcut: (data) => slots.shortcut?.(data) ?? false,
        notice,
        readClipboardImage: () => doors.readClipboardImage(new AbortController().signal),
        readImageFile: (path) => doors.readImageFile(path),
        editExternally: this.#editExternally,
      },
      { vim: false },
    );
    this.#search = new SearchBar({
      themes,
      keymap: () => this.#keymap,
      transcript: this.#transcript,
      requestRender,
      onClose: () => this.#dialogs.setResting(this.#editor),
    });
    this.#dialogs = new DialogHost({
      themes,
      tui,
      resting: this.#editor,
      now,
      onOpen: (title) => this.#asked(title),
    });
    this.#notifier = new Notifier({
      env: environment,
      write: (data) => terminal.write(data),
      now,
      setting: () => host.display().notify,
      inFront: () => this.#focus.inFront,
    });
    this.#layouts = new Layouts({
      header: slots.header,
      panel: this.#panel,
      transcript: this.#scroll,
      dock: [
        new PartsLine(themes, () => (this.#transcript.blockCount === 0 ? [] : host.parts())),
        this.#working,
        this.#queue,
        slots.above,
        this.#dialogs,
        slots.below,
        slots.footer,
        this.#status,
      ],
    });
    this.#begin();
  }

  get ended(): Promise<{ restart: boolean }> {
    return this.#end.promise;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#extensions.slots.close?.();
    this.#dialogs.dismissAll();
    this.#working.dispose();
    for (const step of this.#undo.splice(0)) step();
    await this.#tui.terminal.drainInput(200, 20);
    this.#owner.give();
  }

  #begin(): void {
    const host = this.#host;
    this.#undo.push(host.subscribe((change) => this.#show(change)));
    this.#undo.push(this.#themes.onChange(() => this.#frame(true)));
    this.#undo.push(this.#timers.every(1_000, () => this.#transcript.ticking && this.#tui.requestRender()));
    this.#undo.push(this.#doors.onResize(() => this.#frame(true)));
    this.#tui.setFocus(this.#editor);
    this.#chooseLayout();
    this.#owner.take();
    this.#tui.renderNow();
    // After the first frame: its bytes are on their way before anything heavy is loaded.
    const begun = setTimeout(() => {
      this.#undo.push(followTerminal(this.#tui, this.#themes));
      host.start(
        surfaceControl({
          dialogs: this.#dialogs,
          themes: this.#themes,
          host,
          timers: this.#timers,
          keymap: () => this.#keymap,
          keymapNotices: () => this.#keymapNotices,
          doors: this.#doors,
          extensions: () => this.#openExtensions(),
          extensionKeys: () => this.#extensions.slots.keys?.() ?? [],
          write: (data) => this.#tui.terminal.write(data),
        }),
      );
      void this.#doors.readThemeFiles().then((files) => this.#takeThemeFiles(files));
    }, 0);
    this.#undo.push(() => clearTimeout(begun));
  }

  #show(change: HostChange): void {
    const transcript = this.#transcript;
    switch (change.type) {
      case "event":
        transcript.event(change.event);
        this.#working.event(change.event);
        if (change.event.type === "message_end") this.#notifier.turnEnded(change.event.text);
        break;
      case "prompt":
        transcript.prompt(change.input, change.as);
        this.#scroll.scrollToEnd();
        break;
      case "queue":
        this.#queue.update(change.waiting);
        break;
      case "status":
        this.#showStatus();
        break;
      case "conversation":
        this.#tui.resetTextSelection();
        transcript.load(this.#host.messages(), this.#host.extensionMessages());
        this.#scroll.scrollToEnd();
        break;
      case "shell":
        transcript.shell(change);
        break;
      case "notice":
        transcript.notice(change.level, change.message, change.hint);
        break;
      case "command":
        this.#showResult(change);
        break;
      case "draft":
        if (change.replace) replaceDraft(this.#editor, change.text);
        else putBack(this.#editor, change.text);
        break;
      case "busy":
        this.#working.setBusy(change.busy);
        this.#window.setState(change.busy ? "working" : "idle");
        if (change.busy) this.#notifier.turnStarted();
        break;
      case "settings":
        this.#takeSettings();
        break;
      case "quit":
        this.#end.resolve({ restart: change.restart });
        break;
    }
    this.#chooseLayout();
    // What a person waits for comes before the rest of the start takes its time.
    if (change.type === "conversation") this.#tui.renderNow();
    else this.#tui.requestRender();
  }

  #showStatus(): void {
    const facts = this.#host.status();
    this.#status.update(facts);
    this.#panel.update({ facts, parts: this.#host.parts() });
    this.#window.setTitle(facts.session?.title ?? facts.cwd.slice(facts.cwd.lastIndexOf("/") + 1));
  }

  /** A long result is read from its start, in pages; a short one is part of the conversation. */
  #showResult({ line, blocks, failed }: Extract<HostChange, { type: "command" }>): void {
    // Before the first block the transcript has no height of its own yet.
    const height = this.#scroll.viewportHeight || this.#tui.terminal.rows - 4;
    if (!failed && !fitsConversation(blocks, height)) void this.#dialogs.page(line, blocks);
    else {
      this.#transcript.command(line, blocks, failed);
      this.#scroll.scrollToEnd();
    }
  }

  #submit({ input, how, kind }: PromptSubmission): void {
    this.#scroll.scrollToEnd();
    const submitted =
      kind === "prompt" ? ({ kind } as const) : readSubmitted(input.text, this.#host.commands());
    if (submitted.kind === "command") this.#host.command(submitted.name, submitted.argument);
    else if (submitted.kind === "shell") this.#host.shell(submitted.command, submitted.keep);
    else this.#host.send(input, how);
  }

  #asked(title: string | null): void {
    this.#window.setState(title === null ? (this.#host.busy ? "working" : "idle") : "blocked");
    if (title !== null) this.#notifier.asked(title);
    this.#extensions.slots.asked?.(title !== null);
  }

  /** `anew`: nothing of before is kept, because the theme or the window's size changed. */
  #frame(anew = false): void {
    this.#chooseLayout();
    if (anew) this.#tui.invalidate();
    this.#tui.requestRender(anew);
  }

  #chooseLayout(): void {
    const { columns, rows } = this.#tui.terminal;
    this.#tui.setLayoutRoot(this.#layouts.choose(columns, rows, this.#transcript.blockCount === 0));
  }

  #notice(level: "info" | "warning" | "error", message: string, hint?: string): void {
    this.#show({ type: "notice", level, message, ...(hint === undefined ? {} : { hint }) });
  }

  #takeSettings(): void {
    const { theme, vim, keybindings } = this.#host.display();
    const { keymap, notices } = createKeymap(keybindings);
    const known = new Set(this.#keymapNotices.map(({ message }) => message));
    this.#keymap = keymap;
    this.#keymapNotices = notices;
    keymap.apply();
    this.#editor.setKeymap(keymap);
    this.#editor.setVim(vim);
    for (const { message, hint } of notices) if (!known.has(message)) this.#notice("warning", message, hint);
    this.#themes.use(theme ?? "auto");
  }

  async #takeThemeFiles(files: readonly { path: string; text: string }[]): Promise<void> {
    await this.#themes.takeFiles(files);
    for (const notice of this.#themes.notices) this.#notice("warning", notice);
  }

  #openExtensions(): Promise<ExtensionSurface> {
    return this.#extensions.open({
      tui: this.#tui,
      host: this.#host,
      themes: this.#themes,
      keymap: () => this.#keymap,
      dialogs: this.#dialogs,
      editor: this.#editor,
      transcript: this.#transcript,
      working: this.#working,
      status: this.#status,
      window: this.#window,
      owner: this.#owner,
      timers: this.#timers,
      changed: () => this.#frame(),
      notice: (level, message) => this.#notice(level, message),
      editExternally: this.#editExternally,
    });
  }
}
