import type { Diagnostic, DiagnosticSeverity } from "vscode-languageserver-protocol";
import type { Reply } from "./connection.ts";

/** The command by which typescript-language-server hands a request on to tsserver. */
export const TSSERVER_COMMAND = "typescript.tsserverRequest";

/** Asked one after the other; all speak of the file as it is after the last change that was sent. */
const CHECKS = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"] as const;
const SEVERITIES: Readonly<Record<string, DiagnosticSeverity>> = { error: 1, warning: 2, suggestion: 4 };

interface TsDiagnostic {
  start?: { line?: unknown; offset?: unknown };
  end?: { line?: unknown; offset?: unknown };
  text?: unknown;
  code?: unknown;
  category?: unknown;
}

/** What TypeScript says of a file, or the reply that is no answer. Published diagnostics name no version and do not come at all where nothing changed. */
export async function tsserverDiagnostics(
  path: string,
  request: (method: string, params: unknown) => Promise<Reply>,
): Promise<Diagnostic[] | Exclude<Reply, { kind: "result" }>> {
  const replies = await Promise.all(
    CHECKS.map((check) =>
      request("workspace/executeCommand", { command: TSSERVER_COMMAND, arguments: [check, { file: path }] }),
    ),
  );
  const all: Diagnostic[] = [];
  for (const reply of replies) {
    if (reply.kind !== "result") return reply;
    const { success, message, body } = (reply.result ?? {}) as Record<string, unknown>;
    if (success !== true)
      return { kind: "error", code: 0, message: String(message ?? "it refused the check") };
    if (Array.isArray(body)) all.push(...body.flatMap(diagnosticOf));
  }
  return all;
}

function diagnosticOf(value: unknown): Diagnostic[] {
  const { start, end, text, code, category } = (value ?? {}) as TsDiagnostic;
  const from = positionOf(start);
  if (from === null || typeof text !== "string") return [];
  return [
    {
      range: { start: from, end: positionOf(end) ?? from },
      message: text,
      severity: SEVERITIES[String(category)] ?? 1,
      source: "typescript",
      ...(typeof code === "number" ? { code } : {}),
    },
  ];
}

/** tsserver counts lines and offsets from 1, in UTF-16 units. */
function positionOf(place: TsDiagnostic["start"]): { line: number; character: number } | null {
  const { line, offset } = place ?? {};
  if (typeof line !== "number" || typeof offset !== "number") return null;
  return { line: line - 1, character: offset - 1 };
}
