import { stripTerminalSequences } from "@earendil-works/pi-tui";
import type { ExtensionSource, ExtensionSurface } from "../../../contract/extension-surface.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { Spinner } from "../status/working-line.ts";
import { DEFAULT_DARK, DEFAULT_LIGHT } from "../theme/built-in-themes.ts";
import { fitRow } from "../transcript/document/row.ts";
import { Completions } from "./completions.ts";
import { showCustom } from "./custom-views.ts";
import { ownSequencesOnly } from "./drawn-rows.ts";
import { EscapeHatch } from "./escape-hatch.ts";
import type { ExtensionPorts } from "./extension-ports.ts";
import { ExtensionTui } from "./extension-tui.ts";
import { Faults } from "./faults.ts";
import { FrameComponents } from "./frame-components.ts";
import { InlineViews } from "./inline-views.ts";
import { InputListeners } from "./input-listeners.ts";
import { LatestValue } from "./latest-value.ts";
import { Overlays } from "./overlays.ts";
import { Owned } from "./owned.ts";
import { PiKeybindings } from "./pi-keybindings.ts";
import { PiTheme } from "./pi-theme.ts";
import { Questions } from "./questions.ts";
import { Renderers } from "./renderers.ts";
import { Shortcuts } from "./shortcuts.ts";
import { StatusWords } from "./status-words.ts";
import type { Toolbox } from "./toolbox.ts";
import { Widgets } from "./widgets.ts";

/** Themes of Pi's names, which its extensions set. */
const PI_THEMES: Readonly<Record<string, string>> = { dark: DEFAULT_DARK, light: DEFAULT_LIGHT };

/** Joins the surface with the extensions. Called once, when the first of them wants something. */
export function openExtensionSurface(ports: ExtensionPorts): ExtensionSurface {
  const { dialogs, editor, slots, themes, transcript, tui } = ports;
  const owned = new Owned();
  const faults = new Faults();
  const toolbox: Toolbox = {
    ports,
    owned,
    faults,
    theme: new PiTheme(themes),
    keybindings: new PiKeybindings(ports.keymap),
    drawing: { now: false },
  };
  const overlays = new Overlays(toolbox);
  const inline = new InlineViews(dialogs);
  const listeners = new InputListeners(toolbox);
  const questions = new Questions(toolbox);
  const words = new StatusWords(toolbox);
  const title = new LatestValue<string>(owned, (text) => ports.window.setOther(text));
  const working = new LatestValue<string>(owned, (text) => ports.working.setWords(text));
  const hidden = new LatestValue<boolean>(owned, (value) => ports.working.setHidden(value === true));
  const spinner = new LatestValue<Spinner>(owned, (value) => ports.working.setSpinner(value));
  const thinking = new LatestValue<string>(owned, (text) => {
    transcript.setThinkingLabel(text);
    tui.requestRender();
  });
  const shortcuts = new Shortcuts(toolbox);
  const completions = new Completions(toolbox);
  const renderers = new Renderers(toolbox);

  const tuis = new WeakMap<ExtensionSource, ExtensionTui>();
  const tuiOf = (source: ExtensionSource): ExtensionTui => {
    const made =
      tuis.get(source) ??
      new ExtensionTui({
        source,
        toolbox,
        overlays,
        listeners,
        setTitle: (text) => title.set(source, text),
        inline: () => inline.of(source),
      });
    tuis.set(source, made);
    return made;
  };
  const widgets = new Widgets(toolbox, tuiOf);
  const frame = new FrameComponents(toolbox, tuiOf, words);

  slots.asked = (open) => {
    if (!open) overlays.refocus();
  };
  const twice = new EscapeHatch();
  slots.escape = () => {
    if (twice.pressed("escape", ports.timers.now(), true) !== "close") return;
    for (const { name } of overlays.closeSilent()) tui.flash(`closed what ${name} showed`, 2_000);
  };
  slots.keys = () => shortcuts.list();
  slots.close = () => owned.releaseAll();

  return {
    select: (heading, options, dialog) => questions.select(heading, options, dialog),
    confirm: (heading, message, dialog) => questions.confirm(heading, message, dialog),
    input: (heading, placeholder, dialog) => questions.input(heading, placeholder, dialog),
    editor: (heading, prefill, dialog = {}) => questions.editor(heading, prefill, dialog),
    custom: (source, factory, options) =>
      showCustom({ toolbox, overlays, inline, tuiOf }, source, factory, options),
    notify: (source, message, level) =>
      ports.notice(level, `${source.name}: ${stripTerminalSequences(String(message))}`),
    setStatus: (source, key, text) => words.set(source, key, text),
    setWidget: (source, key, content, placement) => widgets.set(source, key, content, placement),
    setFooter: (source, factory) => frame.set("footer", source, factory),
    setHeader: (source, factory) => frame.set("header", source, factory),
    setTitle: (source, text) => title.set(source, text),
    setWorkingMessage: (source, message) =>
      working.set(source, message === undefined ? undefined : stripTerminalSequences(String(message))),
    setWorkingVisible: (source, visible) => hidden.set(source, visible === false ? true : undefined),
    setWorkingIndicator: (source, indicator) =>
      spinner.set(source, indicator === undefined ? undefined : spinnerOf(indicator)),
    setHiddenThinkingLabel: (source, label) =>
      thinking.set(source, label === undefined ? undefined : safeLine(stripTerminalSequences(String(label)))),
    editorText: () => editor.draft,
    setEditorText: (text) => {
      editor.setDraft(String(text));
      tui.requestRender();
    },
    pasteToEditor: (text) => {
      editor.handleInput(`${PASTE_START}${String(text).replaceAll(PASTE_END, "")}${PASTE_END}`);
      tui.requestRender();
    },
    onTerminalInput: (source, handler) => listeners.add(source, handler),
    addAutocompleteProvider: (source, wrap) => completions.add(source, wrap),
    registerShortcut: (source, key, description, run) => shortcuts.add(source, key, description, run),
    renderers,
    theme: () => toolbox.theme,
    themes: () =>
      [...new Set([...themes.list().map(({ name }) => name), ...Object.keys(PI_THEMES)])].map((name) => ({
        name,
      })),
    setTheme: (name) => {
      const used = themes.use(name);
      if (used.ok) return { success: true };
      const standIn = Object.hasOwn(PI_THEMES, name) ? themes.use(PI_THEMES[name]!) : used;
      return standIn.ok ? { success: true } : { success: false, error: `there is no theme "${name}"` };
    },
    toolsExpanded: () => transcript.toolsOpen,
    setToolsExpanded: (expanded) => {
      if (expanded !== transcript.toolsOpen) transcript.toggleTools();
      tui.requestRender();
    },
    showMessage: (_source, message) => {
      transcript.message(message);
      ports.changed();
    },
    release: (source) => owned.release(source),
    onFault: (listener) => faults.listen(listener),
  };
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

const MOST_FRAMES = 100;
const MOST_FRAME_WIDTH = 12;
const LEAST_INTERVAL_MS = 50;

function spinnerOf({ frames, intervalMs }: { frames: readonly string[]; intervalMs?: number }): Spinner {
  const drawn = frames
    .slice(0, MOST_FRAMES)
    .map((frame) => fitRow(ownSequencesOnly(frame), MOST_FRAME_WIDTH));
  // A longer wait than a second would only look as if it hung.
  return { frames: drawn, intervalMs: Math.min(Math.max(intervalMs ?? 120, LEAST_INTERVAL_MS), 1_000) };
}
