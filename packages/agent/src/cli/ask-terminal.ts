import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { isTerminal } from "../platform/terminal.ts";

/** Asks a yes-or-no question on stderr; anything but y or yes is a no, also an interrupt. Null: stdin is no terminal. */
export async function askYesNo(
  question: string,
  streams: Streams,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (!(await isTerminal(0))) return null;
  await streams.err(visibleText(question));
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      signal.addEventListener("abort", () => resolve(""), { once: true });
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
