import type { SessionTranscript } from "../contract/transcript.ts";
import { createRedactor } from "../platform/redact.ts";
import { htmlPage } from "./html/page.ts";
import { jsonExport } from "./json.ts";
import { markdownExport } from "./markdown.ts";
import { redacted } from "./redacted.ts";

export type ExportFormat = "html" | "json" | "markdown";

/** The formats, and the ending of a file of each. */
export const EXPORT_ENDINGS: Readonly<Record<ExportFormat, string>> = {
  html: "html",
  json: "json",
  markdown: "md",
};

export interface ExportOptions {
  format: ExportFormat;
  /** Takes secrets out; these known ones besides all that look like one. Null: nothing is taken out. */
  redact: { secrets: readonly string[] } | null;
  /** The time of the export, in milliseconds since 1970. */
  now: number;
}

/** A session as a document, in pieces. */
export function* exportSession(
  transcript: SessionTranscript,
  { format, redact, now }: ExportOptions,
): Generator<string> {
  const shown = redact === null ? transcript : redacted(transcript, createRedactor(redact.secrets));
  const facts = { now, redacted: redact !== null };
  if (format === "html") yield* htmlPage(shown, facts);
  else if (format === "json") yield* jsonExport(shown, facts);
  else yield* markdownExport(shown, facts);
}
