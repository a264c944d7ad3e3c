import type { Diagnostic } from "vscode-languageserver-protocol";
import type { Problem, Severity } from "../contract/language-servers.ts";
import type { LineMap, PositionEncoding } from "./line-map.ts";

const SEVERITIES: readonly Severity[] = ["error", "warning", "information", "hint"];

/** A server's diagnostics as problems, in the order of their places. One without a severity counts as an error. */
export function problemsOf(
  diagnostics: readonly Diagnostic[],
  map: LineMap,
  encoding: PositionEncoding,
): Problem[] {
  return diagnostics
    .map((item): Problem => {
      const code = item.code;
      return {
        ...map.shown(item.range.start, encoding),
        severity: SEVERITIES[(item.severity ?? 1) - 1] ?? "error",
        message: messageOf(item.message),
        ...(typeof item.source === "string" && item.source !== "" ? { source: item.source } : {}),
        ...(code === undefined || code === null || code === "" ? {} : { code: String(code) }),
      };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function messageOf(message: Diagnostic["message"]): string {
  const text = typeof message === "string" ? message : message.value;
  return text.toWellFormed().replaceAll("\ufffd", "?").replaceAll("\0", "").trim();
}
