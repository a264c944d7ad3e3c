import { fstatSync, readSync } from "node:fs";
import { errorMessage, PiError, systemCode } from "../contract/errors.ts";
import { usageError } from "./usage-error.ts";

const LIMIT_BYTES = 10 * 1024 * 1024;
const FIRST_BYTE_MS = 3_000;

/** What came in on stdin. `text` null: nothing was piped (a terminal, /dev/null, closed, open for writing only, or silent for 3 s: `silent`). */
export interface PipedInput {
  text: string | null;
  silent: boolean;
  /** Bytes that were not UTF-8 and were replaced. */
  replaced: boolean;
}

const NOTHING: PipedInput = { text: null, silent: false, replaced: false };

/**
 * Reads piped input: a file whole, a pipe or socket to its end. If no byte came within 3 s and it is still open, it goes on
 * without (unless `waitForever`); at an abort likewise. Throws a usage error for more than 10 MB or for binary data (both
 * belong into a file), and a PiError for input that breaks off: half of it is no prompt.
 */
export async function readPipedInput(waitForever: boolean, signal: AbortSignal): Promise<PipedInput> {
  const kind = stdinKind();
  if (kind === "none") return NOTHING;
  let bytes: Uint8Array | "silent";
  try {
    bytes = kind === "file" ? readFileInput() : await readStreamInput(waitForever, signal);
  } catch (error) {
    const code = systemCode(error);
    // Open for writing only (`0> file`): nothing can come from there.
    if (code === "EBADF") return NOTHING;
    if (code === undefined) throw error;
    throw new PiError({
      code: "stdin_unreadable",
      message: `stdin could not be read to its end: ${errorMessage(error)}`,
      hint: "nothing was sent; start it again, or put the text into a file of the project and name the file in the prompt",
    });
  }
  if (bytes === "silent") return { ...NOTHING, silent: true };
  if (bytes.length === 0) return NOTHING;
  return decode(bytes);
}

function stdinKind(): "file" | "stream" | "none" {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return "file";
    return stat.isFIFO() || stat.isSocket() ? "stream" : "none";
  } catch {
    return "none"; // closed (`<&-`)
  }
}

function readFileInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const chunk = new Uint8Array(64 * 1024);
    const count = readSync(0, chunk, 0, chunk.length, null);
    if (count === 0) return Buffer.concat(chunks);
    total += count;
    if (total > LIMIT_BYTES) throw tooLong();
    chunks.push(chunk.subarray(0, count));
  }
}

async function readStreamInput(waitForever: boolean, signal: AbortSignal): Promise<Uint8Array | "silent"> {
  const reader = Bun.stdin.stream().getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  const silence = Promise.withResolvers<"silent">();
  const giveUp = () => silence.resolve("silent");
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  const timer = waitForever ? undefined : setTimeout(giveUp, FIRST_BYTE_MS);
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), silence.promise]);
      if (next === "silent") return next;
      clearTimeout(timer);
      if (next.done) return Buffer.concat(chunks);
      total += next.value.length;
      if (total > LIMIT_BYTES) throw tooLong();
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    reader.cancel().catch(() => {
      // the other end is gone already; nothing is left to read
    });
  }
}

function decode(bytes: Uint8Array): PipedInput {
  if (bytes.includes(0) && !isUtf16(bytes))
    throw usageError(
      `stdin holds binary data (${bytes.length} bytes)`,
      "put it into a file of the project and name the file in the prompt",
    );
  const encoding = isUtf16(bytes) ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), silent: false, replaced: false };
  } catch {
    return { text: new TextDecoder(encoding).decode(bytes), silent: false, replaced: true };
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function tooLong() {
  return usageError(
    `stdin is longer than ${LIMIT_BYTES / 1024 / 1024} MB`,
    "put it into a file of the project and name the file in the prompt",
  );
}
