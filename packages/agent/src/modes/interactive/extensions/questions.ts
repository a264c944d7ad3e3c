import { stripTerminalSequences } from "@earendil-works/pi-tui";
import type { ExtensionDialogOptions, ExtensionSource } from "../../../contract/extension-surface.ts";
import type { DialogSurface } from "../dialog/dialog-host.ts";
import { Countdown } from "./countdown.ts";
import { TextAreaDialog } from "./text-area-dialog.ts";
import type { Toolbox } from "./toolbox.ts";
import { typingGuardMs } from "./typing-guard.ts";

/** A title as it changes with the time left, and the text below it. */
interface Heading {
  readonly title: string;
  readonly detail?: string;
}

/** Who asks, when the host does not say. */
const UNNAMED: ExtensionSource = { name: "extension" };

/**
 * The questions of extensions, as the program's own dialogs: one after the other with all others, with the name of who asks. Dismissed,
 * aborted, timed out or unloaded is undefined (false).
 */
export class Questions {
  readonly #toolbox: Toolbox;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  async select(
    title: string,
    options: readonly string[],
    dialog: ExtensionDialogOptions,
  ): Promise<string | undefined> {
    const choices = options.map((option) => ({ value: option, label: plain(option) }));
    const chosen = await this.#ask<string | null>(title, dialog, (dialogs, heading) =>
      dialogs.choose(Object.assign(heading, { choices })),
    );
    return chosen ?? undefined;
  }

  async confirm(title: string, message: string, dialog: ExtensionDialogOptions): Promise<boolean> {
    const answer = await this.#ask(title, dialog, (dialogs, heading) => {
      const text = [heading.detail, plain(message)].filter((part) => part).join("\n");
      return dialogs.confirm(withDetail(heading, text === "" ? [] : [{ kind: "text", text }]));
    });
    return answer ?? false;
  }

  async input(
    title: string,
    placeholder: string | undefined,
    dialog: ExtensionDialogOptions,
  ): Promise<string | undefined> {
    const typed = await this.#ask<string | null>(title, dialog, (dialogs, heading) =>
      dialogs.ask(
        Object.assign(heading, placeholder === undefined ? {} : { placeholder: plain(placeholder) }),
      ),
    );
    return typed ?? undefined;
  }

  async editor(
    title: string,
    prefill: string | undefined,
    dialog: ExtensionDialogOptions,
  ): Promise<string | undefined> {
    const { editExternally, keymap, tui } = this.#toolbox.ports;
    const text = await this.#ask<string | null>(title, dialog, (dialogs, heading) =>
      dialogs.show<string | null>(
        heading.title,
        null,
        (environment, done) =>
          new TextAreaDialog(environment, {
            heading,
            tui,
            keymap,
            editExternally,
            text: prefill ?? "",
            done,
          }),
      ),
    );
    return text ?? undefined;
  }

  async #ask<T>(
    title: string,
    { signal, source = UNNAMED, timeoutMs }: ExtensionDialogOptions,
    ask: (dialogs: DialogSurface, heading: Heading) => Promise<T>,
  ): Promise<T | null> {
    const { owned, ports } = this.#toolbox;
    const released = new AbortController();
    const forget = owned.add(source, () => released.abort());
    const ended = signal ? AbortSignal.any([signal, released.signal]) : released.signal;
    try {
      return await ports.dialogs.together(
        async (dialogs) => {
          using countdown = new Countdown(timeoutMs, ports.timers, {
            tick: () => ports.tui.requestRender(),
            over: () => released.abort(),
          });
          return await ask(dialogs, headingOf(title, source, countdown));
        },
        { signal: ended, guardMs: typingGuardMs(ports) },
      );
    } finally {
      forget();
    }
  }
}

/** The first line is the title, with who asks; others are read below it. */
function headingOf(title: string, source: ExtensionSource, countdown: Countdown): Heading {
  const [first = "", ...more] = plain(title).split("\n");
  const detail = more.join("\n").trim();
  return {
    get title() {
      return `${source.name}: ${first}${countdown.text}`;
    },
    ...(detail !== "" && { detail }),
  };
}

/** Keeps the title as one that changes. */
function withDetail<T>(heading: Heading, detail: T): { readonly title: string; detail: T } {
  return {
    get title() {
      return heading.title;
    },
    detail,
  };
}

function plain(text: string): string {
  return stripTerminalSequences(String(text));
}
