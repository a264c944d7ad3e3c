import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ExportFormat } from "../../commands/sessions/sessions-ports.ts";
import type { SessionTranscript } from "../../contract/transcript.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";

export interface ExportRequest {
  format: ExportFormat;
  redact: boolean;
  /** Keys that this run knows. */
  secrets: readonly string[];
}

/** A session as a document, in pieces. */
export async function documentOf(
  transcript: SessionTranscript,
  { format, redact, secrets }: ExportRequest,
): Promise<Iterable<string>> {
  const { exportSession } = await import("../../export/export-session.ts");
  return exportSession(transcript, { format, redact: redact ? { secrets } : null, now: Date.now() });
}

/**
 * Writes a session as a document into a file that only the user can read. `file` is relative to `cwd`; null: a new file there that is
 * named after the session. Rejects with a PiError with a FileErrorCode.
 */
export async function exportToFile(
  transcript: SessionTranscript,
  request: ExportRequest,
  cwd: string,
  file: string | null,
): Promise<{ file: string; bytes: number }> {
  const pieces: Buffer[] = [];
  for (const piece of await documentOf(transcript, request)) pieces.push(Buffer.from(piece));
  const path = file === null ? await freeFile(cwd, transcript.meta.id, request.format) : resolve(cwd, file);
  const bytes = Buffer.concat(pieces);
  writeFileAtomic(path, bytes, { mode: 0o600 });
  return { file: path, bytes: bytes.length };
}

async function freeFile(cwd: string, id: string, format: ExportFormat): Promise<string> {
  const { EXPORT_ENDINGS } = await import("../../export/export-session.ts");
  for (let number = 1; ; number++) {
    const path = join(cwd, `session-${id}${number === 1 ? "" : `-${number}`}.${EXPORT_ENDINGS[format]}`);
    if (!existsSync(path)) return path;
  }
}

/** Keys that the environment holds. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    /_(API_KEY|TOKEN)$/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}
