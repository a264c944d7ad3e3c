import type { XStatic } from "typebox/schema";
import { isPiError } from "../../contract/errors.ts";
import type { FileHandle } from "../../contract/files.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { nearPaths } from "../shared/near-paths.ts";
import { empty, failed, failureOf, notLooked } from "../shared/outcome.ts";
import { SNIFF_BYTES, sniff, type TextEncoding } from "../shared/sniff.ts";
import { humanSize } from "../shared/truncate.ts";
import { decodeUtf16, escapeHalves } from "../shared/utf16.ts";
import type { ByteSource } from "./line-scan.ts";
import { type Page, readPage } from "./page.ts";
import { pageOutcome } from "./page-outcome.ts";
import { readPrompt } from "./read.prompt.ts";
import { showImage } from "./show-image.ts";

type Input = XStatic<typeof readPrompt.input>;

const DEFAULT_LIMIT = 2000;
/** 100 KB, less the notes below the lines. */
const MAX_TEXT = 100 * 1024 - 1024;
/** Up to this size a file is held whole, so that the ledger knows its content; larger ones are read in pieces. */
const HELD_BYTES = 10 * 1024 * 1024;

/** `read`: numbered lines of a text file, a page at a time; images as images; binary files by name only. */
export const readTool: ToolDefinition<Input> = {
  ...readPrompt,
  kind: "inspect",
  aliases: { path: "file_path", file: "file_path", filename: "file_path", filepath: "file_path" },
  lockKey: (input, context) => context.files.key(input.file_path),
  async run(input, context) {
    const refusal = checkNumbers(input);
    if (refusal) return refusal;
    let file: FileHandle;
    try {
      file = context.files.open(input.file_path);
    } catch (thrown) {
      return explain(thrown, input.file_path, context);
    }
    try {
      return await readOpen(file, input, context);
    } finally {
      file.close();
    }
  },
};

function checkNumbers(input: Input): ToolOutcome | null {
  const { offset = 1, limit = DEFAULT_LIMIT, column = 1 } = input;
  if (offset < 0) return failed(`offset ${offset} is no line: lines count from 1.`);
  if (limit < 1) return failed(`limit ${limit} would show no line: give 1 or more, or leave it out.`);
  if (column < 0) return failed(`column ${column} is no byte of a line: bytes count from 1.`);
  return null;
}

function explain(thrown: unknown, path: string, context: ToolContext): ToolOutcome {
  const outcome = failureOf(thrown);
  const code = isPiError(thrown) ? thrown.code : "";
  if (code === "file_missing" || code === "file_not_folder")
    outcome.text += `\n${nearPaths(context.files, path)}`;
  if (code === "file_is_folder") outcome.text += "\nUse ls or tree to see what is in it.";
  return outcome;
}

async function readOpen(file: FileHandle, input: Input, context: ToolContext): Promise<ToolOutcome> {
  const head = file.read(0, SNIFF_BYTES);
  const details = { path: file.path };
  if (head.length === 0) {
    context.ledger.record(context.files.key(input.file_path), head, "whole");
    return empty(`${file.path} is empty (0 bytes).`, { ...details, total_lines: 0 });
  }
  const sniffed = sniff(head);
  if (sniffed.kind === "binary") {
    if (sniffed.mimeType) return showImage(file, sniffed.type, sniffed.mimeType, context.model);
    const size = `${formatCount(file.stat.size)} bytes`;
    return notLooked(`${file.path}: binary file, ${size}, ${sniffed.type}. Its bytes are not shown.`, {
      ...details,
      size: file.stat.size,
    });
  }
  // A file that grows, or one of a file system that tells no sizes (/proc), holds more than its size says.
  const size = file.stat.size < head.length ? HELD_BYTES : file.stat.size;
  const held = size <= HELD_BYTES ? file.read(0, size) : null;
  // Emptied since its first bytes were read.
  if (held?.length === 0)
    return empty(`${file.path} is empty (0 bytes); it was being written this moment.`, {
      ...details,
      total_lines: 0,
    });
  const text = textSource(file, held, sniffed.encoding, sniffed.bomLength);
  if (!text) {
    const size = humanSize(file.stat.size);
    return notLooked(
      `${file.path} is UTF-16 text of ${size}, too large to decode here. Convert it with iconv.`,
      details,
    );
  }
  const request = {
    offset: Math.max(1, input.offset ?? 1),
    limit: input.limit ?? DEFAULT_LIMIT,
    column: Math.max(1, input.column ?? 1),
    maxBytes: MAX_TEXT,
    skip: text.skip,
  };
  const page = await readPage(text.source, request, context.signal);
  if (held) record(context, input.file_path, held, page);
  const asked = input.limit !== undefined;
  return pageOutcome(page, request, { path: file.path, encoding: sniffed.encoding, asked });
}

function textSource(
  file: FileHandle,
  held: Uint8Array | null,
  encoding: TextEncoding,
  skip: number,
): { source: ByteSource; skip: number } | null {
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    if (!held) return null;
    const text = escapeHalves(decodeUtf16(held.subarray(skip), encoding));
    return { source: bufferSource(new TextEncoder().encode(text)), skip: 0 };
  }
  if (held) return { source: bufferSource(held), skip };
  return { source: { size: file.stat.size, read: (...range) => file.read(...range) }, skip };
}

function bufferSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

function record(context: ToolContext, path: string, content: Uint8Array, page: Page): void {
  const key = context.files.key(path);
  const lines = { from: page.first, to: page.last, total: page.total ?? page.counted };
  // A line seen in part counts as not seen: columns are not kept track of.
  const exact = page.total !== null && !page.partial && page.last >= page.first;
  context.ledger.record(key, content, "part", exact ? lines : undefined);
}
