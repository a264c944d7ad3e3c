import type { Dialogs } from "../../contract/slash-command.ts";
import type { Streams } from "../../modes/shared/surface.ts";
import { visibleText } from "../../modes/shared/visible-text.ts";
import { isTerminal } from "../../platform/terminal.ts";
import type { Interruptions } from "../interruption.ts";
import { readLine } from "./terminal-line.ts";

/** Questions on a plain terminal, one line each, on stderr; null where stdin or stderr is none. */
export async function terminalDialogs(
  streams: Streams,
  interruptions: Interruptions,
): Promise<Dialogs | null> {
  if (!(await isTerminal(0)) || !(await isTerminal(2))) return null;
  const write = (text: string) => void streams.err(text);
  const line = (title: string, secret: boolean, signal = interruptions.signal) =>
    readLine({
      title: visibleText(title),
      secret,
      write,
      interrupt: () => interruptions.stop("SIGINT"),
      signal: AbortSignal.any([signal, interruptions.signal]),
    });
  return {
    async choose({ title, choices }, signal) {
      write(`${visibleText(title)}\n`);
      for (const [at, { label, description }] of choices.entries())
        write(visibleText(`  ${at + 1}  ${label}${description === undefined ? "" : ` (${description})`}\n`));
      for (;;) {
        const typed = await line(`1 to ${choices.length}:`, false, signal);
        if (typed === null || typed.trim() === "") return null;
        const chosen = choices[Number(typed) - 1] ?? choices.find(({ label }) => label === typed.trim());
        if (chosen !== undefined) return chosen.value;
      }
    },
    async confirm({ title }, signal) {
      return /^y(es)?$/i.test((await line(`${title} [y/N]`, false, signal)) ?? "");
    },
    ask: ({ title, secret = false }, signal) => line(title, secret, signal),
  };
}
