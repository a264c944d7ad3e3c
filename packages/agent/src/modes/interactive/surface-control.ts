import type { ConsentAnswer, ConsentQuestion } from "../../contract/consent.ts";
import type { ExtensionSurface } from "../../contract/extension-surface.ts";
import type { InteractiveHost, KeyBinding, SurfaceControl } from "../../contract/interactive.ts";
import { askConsent } from "./dialog/consent.ts";
import type { DialogHost } from "./dialog/dialog-host.ts";
import { askTrust } from "./dialog/project-trust.ts";
import type { SurfaceDoors } from "./doors.ts";
import type { Keymap, KeymapNotice } from "./input/keymap.ts";
import type { ThemeController } from "./theme/themes.ts";
import type { Timers } from "./timers.ts";

export interface SurfaceControlParts {
  dialogs: DialogHost;
  themes: ThemeController;
  host: Pick<InteractiveHost, "display" | "command">;
  timers: Timers;
  keymap(): Keymap;
  keymapNotices(): readonly KeymapNotice[];
  doors: SurfaceDoors;
  extensions(): Promise<ExtensionSurface>;
  /** Keys of extensions, as far as there are any. */
  extensionKeys(): readonly KeyBinding[];
  /** Writes to the terminal. */
  write(data: string): void;
}

/** Terminals take a copied text up to about this many characters in base64; longer ones are dropped without a word. */
const MOST_TERMINAL_COPY = 100_000;

/** What the program behind the surface may ask of it. */
export function surfaceControl(parts: SurfaceControlParts): SurfaceControl {
  const { dialogs, themes, doors, host, timers } = parts;
  return {
    dialogs,
    trust: (request) => askTrust(dialogs, request),
    consent: { decide: (question, signal) => decide(question, dialogs, signal) },
    themes: {
      list: () =>
        themes.list().flatMap(({ name, displayName, kind }) =>
          // That the terminal decides is no theme of its own: the command offers it itself.
          kind === "auto" ? [] : [{ name, title: displayName, kind }],
        ),
      current: () => themes.choice,
      preview: (name) => void themes.use(name ?? host.display().theme ?? "auto"),
    },
    keys: {
      list: () => [...parts.keymap().list(), ...parts.extensionKeys()],
      conflicts: () =>
        parts.keymapNotices().map(({ message, hint }) => ({ key: message, actions: [], problem: hint })),
    },
    async agents(board, signal) {
      const { showAgents } = await import("./agents/show-agents.ts");
      const command = (argument: string) => host.command("agents", argument);
      const requestRender = () => dialogs.requestRender();
      await showAgents({ dialogs, themes, timers, command, requestRender }, board, signal);
    },
    extensions: () => parts.extensions(),
    copy: (text) => copyText(text, doors, parts.write),
  };
}

/** Puts a text onto the system's clipboard, else hands it to the terminal (OSC 52), which does not say whether it took it. */
export async function copyText(
  text: string,
  doors: Pick<SurfaceDoors, "writeClipboard">,
  write: (data: string) => void,
): Promise<"clipboard" | "terminal" | { reason: string }> {
  if (await doors.writeClipboard(text)) return "clipboard";
  const encoded = Buffer.from(text, "utf8").toString("base64");
  if (encoded.length > MOST_TERMINAL_COPY)
    return {
      reason: `There is no clipboard program, and ${text.length} characters are too many to hand to the terminal.`,
    };
  write(`\x1b]52;c;${encoded}\x07`);
  return "terminal";
}

async function decide(
  { call, from, rule, reason, suggestions, lasting }: ConsentQuestion,
  dialogs: DialogHost,
  signal: AbortSignal,
): Promise<ConsentAnswer> {
  const { command } = call.input;
  // All of it: what is not shown was not agreed to.
  const what =
    typeof command === "string" && Object.keys(call.input).length === 1
      ? command
      : JSON.stringify(call.input, null, 2);
  const answer = await askConsent(
    dialogs,
    {
      tool: call.name,
      what,
      reason: `The rule ${rule} asks: ${reason}`,
      rules: suggestions,
      lasting,
      ...(from === undefined ? {} : { from }),
    },
    signal,
  );
  if (answer.allow !== "no") return { answer: answer.allow };
  return { answer: "refuse", ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
}
