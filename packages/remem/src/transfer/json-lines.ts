import type { TransferItem, TransferSource } from "../core/memory/transfer-item.ts";
import { readRecord, readSummary } from "./read-record.ts";
import { splitLines } from "./split-lines.ts";

const FORMAT = "agentic-remem";
const VERSION = 1;

/** Items as JSON Lines, each with its line feed; the first line names the format. What is broken is left out. */
export async function* writeJsonLines(source: TransferSource): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`;
  for await (const item of source) {
    if (item.type === "memory") yield `${JSON.stringify({ memory: item.record })}\n`;
    if (item.type === "summary") yield `${JSON.stringify({ summary: item.summary })}\n`;
  }
}

/** Reads JSON Lines that `writeJsonLines` wrote, a line at a time. A line that cannot be read is a broken item; a newer format is one, too, and the end. */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): TransferSource {
  let number = 0;
  for await (const line of splitLines(chunks)) {
    number++;
    const where = `line ${number}`;
    if (line === undefined) yield { type: "broken", where, reason: "it is too long" };
    else if (line.trim() !== "") {
      const item = readLine(line, where);
      if (item !== undefined) yield item;
      if (item?.type === "broken" && item.reason === NEWER) return;
    }
  }
}

const NEWER = "a newer version wrote this file: use that version to read it";

/** Undefined for the line that names the format. */
function readLine(line: string, where: string): TransferItem | undefined {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, "")) as Record<string, unknown>;
  } catch {
    return { type: "broken", where, reason: "it is no JSON" };
  }
  try {
    if (typeof value !== "object" || value === null) throw new Error("it is no object");
    if ("memory" in value) return { type: "memory", record: readRecord(value["memory"]) };
    if ("summary" in value) return { type: "summary", summary: readSummary(value["summary"]) };
    if (value["format"] !== FORMAT) throw new Error("it is neither a memory nor a summary");
    if (value["version"] !== VERSION) throw new Error(NEWER);
    return undefined;
  } catch (error) {
    return { type: "broken", where, reason: error instanceof Error ? error.message : String(error) };
  }
}
