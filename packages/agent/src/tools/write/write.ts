import type { XStatic } from "typebox/schema";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { decodeUtf8 } from "../../platform/utf8.ts";
import { otherNamesNote } from "../shared/other-names.ts";
import { failed, failureOf, found, refused } from "../shared/outcome.ts";
import { keepForm } from "./keep-form.ts";
import { findOmission } from "./omission.ts";
import { writePrompt } from "./write.prompt.ts";

type Input = XStatic<typeof writePrompt.input>;

/** A file larger than this is never replaced whole: nobody has read it whole. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;
/** What `read` holds whole, so that the ledger can know it. */
const MAX_KNOWN_BYTES = 10 * 1024 * 1024;

/** `write`: a new file, or a new whole content for a file whose present content the model has seen. */
export const writeTool: ToolDefinition<Input> = {
  ...writePrompt,
  kind: "edit",
  aliases: {
    path: "file_path",
    file: "file_path",
    filename: "file_path",
    filepath: "file_path",
    contents: "content",
    text: "content",
  },
  lockKey: (input, context) => context.files.key(input.file_path),
  async run(input, context) {
    try {
      return write(input, context);
    } catch (thrown) {
      return failureOf(thrown);
    }
  },
};

/** No await between check and rename: nothing of ours can come between. */
function write(input: Input, context: ToolContext): ToolOutcome {
  const { files, ledger } = context;
  if (!input.content.isWellFormed()) return brokenText(input.content);
  const key = files.key(input.file_path);
  const old = files.exists(input.file_path) ? files.readAll(input.file_path, MAX_OLD_BYTES) : null;
  const { bytes, notes } = keepForm(input.content, old);
  if (old && old.length > 0) {
    const refusal = unsafe(input, context, key, old);
    if (refusal) return refusal;
  }
  const lines = countLines(input.content);
  const size = `${formatCount(bytes.length)} bytes, ${lines === 1 ? "1 line" : `${formatCount(lines)} lines`}`;
  if (old && Buffer.compare(old, bytes) === 0) {
    ledger.record(key, bytes, "whole");
    const path = files.display(input.file_path);
    const details = { path, bytes_written: 0, created: false, unchanged: true };
    return found(`${path} already has exactly this content (${size}); nothing was written.`, details);
  }
  const done = files.write(input.file_path, bytes);
  ledger.record(files.key(input.file_path), bytes, "whole");
  const what = done.created ? "Created" : "Overwrote";
  const kept = notes.length > 0 ? `; ${notes.join("; ")}` : "";
  const others = otherNamesNote(done.otherNames);
  return found(`${what} ${done.path} (${size}${kept}).${others === "" ? "" : ` ${others}`}`, {
    path: done.path,
    bytes_written: bytes.length,
    created: done.created,
  });
}

function unsafe(input: Input, context: ToolContext, key: string, old: Uint8Array): ToolOutcome | null {
  const { files, ledger } = context;
  const path = files.display(input.file_path);
  const details = { path };
  const state = ledger.state(key, old);
  if (state === "unseen" && old.length > MAX_KNOWN_BYTES)
    return refused(
      `${path} has ${formatCount(old.length)} bytes, too many to be read whole. Nothing was written.\nChange it with edit, or move it away first.`,
      { ...details, code: "unread" },
    );
  if (state === "unseen")
    return refused(
      `${path} exists (${formatCount(old.length)} bytes) and you have not read it. Nothing was written.\nRead it first, or change it with edit.`,
      { ...details, code: "unread" },
    );
  if (state === "changed")
    return refused(`${path} changed since you read it. Nothing was written.\nRead it again, then decide.`, {
      ...details,
      code: "changed",
    });
  if (ledger.seen(key) !== "whole")
    return refused(
      `You have read only a part of ${path}. Nothing was written.\nRead the rest of it first, or change it with edit.`,
      { ...details, code: "read_in_part" },
    );
  const omission = findOmission(input.content, decodeUtf8(old).text);
  if (!omission) return null;
  return refused(
    `Line ${omission.line} of the content, ${JSON.stringify(omission.text.slice(0, 200))}, stands for text that would be lost: ` +
      `${path} has ${formatCount(countLines(decodeUtf8(old).text))} lines, the content ${formatCount(countLines(input.content))}. ` +
      "Nothing was written.\nGive the whole content, or change the file with edit.",
    { ...details, code: "omission" },
  );
}

function brokenText(content: string): ToolOutcome {
  const at = [...content].findIndex((character) => !character.isWellFormed());
  const line = [...content].slice(0, at).filter((character) => character === "\n").length + 1;
  return failed(`The content has half a character (a lone surrogate) in line ${line}. Nothing was written.`, {
    code: "text",
  });
}

function countLines(text: string): number {
  if (text === "") return 0;
  const ends = text.split("\n").length;
  return text.endsWith("\n") ? ends - 1 : ends;
}
