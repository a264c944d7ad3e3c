import { formatCount } from "../../../platform/format-count.ts";
import { byteTextDecoder } from "./byte-text.ts";
import { clippedText } from "./clipped-text.ts";
import { terminalText } from "./terminal-text.ts";

/** What the model sees of all output of one command together. */
export const OUTPUT_LIMIT = 30_000;

/** One output stream on its way to the model. */
export interface OutputCapture {
  /** `live` gets the decoded text as it comes. */
  push(bytes: Uint8Array, live?: (text: string) => void): void;
  readonly empty: boolean;
  /** Bytes of text so far, before cutting. */
  readonly textBytes: number;
  /** No more bytes will come. */
  end(): void;
  /** The text without its final line end, cut to `maxBytes`; a binary part is a line that counts it, before the lines that follow it. */
  render(maxBytes: number, where?: () => string | undefined): { text: string; cut: boolean };
  /** Forgets the text so far (it has been read); a character or sequence that is under way is kept. */
  restart(): void;
}

/** A capture in bounded memory, however much is pushed. */
export function outputCapture(): OutputCapture {
  const decoder = byteTextDecoder();
  let kept = clippedText(OUTPUT_LIMIT);
  const terminal = terminalText((text) => kept.push(text));
  let binaryBytes = 0;
  let after = "";
  let settled = true;

  function settle(): void {
    if (!settled) terminal.flush();
    settled = true;
  }

  return {
    push(bytes, live) {
      const decoded = decoder.push(bytes);
      binaryBytes += decoded.binaryBytes;
      if (decoded.text === "") return;
      settled = false;
      terminal.push(decoded.text);
      live?.(decoded.text);
    },
    end() {
      const rest = decoder.end();
      if (binaryBytes > 0) {
        binaryBytes = Math.max(1, binaryBytes - Buffer.byteLength(rest.after));
        const behind = terminalText((text) => {
          after += text;
        });
        behind.push(rest.after);
        behind.flush();
      }
      if (rest.text === "") return;
      settled = false;
      terminal.push(rest.text);
    },
    get empty() {
      settle();
      return kept.bytes === 0 && binaryBytes === 0;
    },
    get textBytes() {
      settle();
      return kept.bytes;
    },
    render(maxBytes, where) {
      settle();
      const room = Math.max(0, maxBytes - Buffer.byteLength(after));
      const whole = kept.bytes <= room;
      const { text, cut } = kept.render(room, whole ? undefined : where?.());
      const shown = text.replace(/\n+$/, "");
      if (binaryBytes === 0) return { text: shown, cut };
      const all = where?.();
      const note = `[binary output, ${formatCount(binaryBytes)} bytes${all === undefined ? "" : `; all of it: ${all}`}]`;
      return { text: [shown, note, after.trimEnd()].filter((part) => part !== "").join("\n"), cut };
    },
    restart() {
      settle();
      kept = clippedText(OUTPUT_LIMIT);
      binaryBytes = 0;
      after = "";
    },
  };
}
