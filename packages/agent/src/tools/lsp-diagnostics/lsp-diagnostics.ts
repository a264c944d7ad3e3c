import type { XStatic } from "typebox/schema";
import type { LanguageServers, Problem } from "../../contract/language-servers.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { askServer } from "../shared/language/ask-server.ts";
import { FILE_ALIASES } from "../shared/language/place-input.ts";
import { sourceLines } from "../shared/language/source-lines.ts";
import { empty, found } from "../shared/outcome.ts";
import { clipLine } from "../shared/truncate.ts";
import { lspDiagnosticsPrompt } from "./lsp-diagnostics.prompt.ts";

type Input = XStatic<typeof lspDiagnosticsPrompt.input>;

const MOST_PROBLEMS = 50;
const MOST_MESSAGE_BYTES = 500;

/** `lsp-diagnostics`: the errors and warnings of a file as it is now. */
export function lspDiagnosticsTool(servers: LanguageServers): ToolDefinition<Input> {
  return {
    ...lspDiagnosticsPrompt,
    kind: "inspect",
    aliases: FILE_ALIASES,
    run: (input, context) =>
      askServer(
        input.file,
        context,
        () => servers.diagnostics(input.file, context.signal),
        (problems, server) => list(input.file, problems, server, context),
      ),
  };
}

function list(file: string, all: readonly Problem[], server: string, context: ToolContext): ToolOutcome {
  const shown = context.files.display(file);
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  const counts = { errors: errors.length, warnings: warnings.length };
  // What gets lost in a cut are warnings before errors.
  const kept = [...errors, ...warnings].slice(0, MOST_PROBLEMS);
  if (kept.length === 0)
    return empty(`${shown}: no errors and no warnings (${server}).`, { diagnostics: [], ...counts });
  const lineAt = sourceLines(context.files);
  const left = errors.length + warnings.length - kept.length;
  const lines = kept.map(({ line, column, severity, message, source, code }) => {
    const by = [source, code].filter((word) => word !== undefined).join(" ");
    const text = clipLine(message.replace(/\s*\n\s*/g, " | "), MOST_MESSAGE_BYTES);
    const head = `${shown}:${line}:${column}: ${severity}: ${text}${by === "" ? "" : ` (${by})`}`;
    const sourceLine = lineAt(file, line);
    return sourceLine === "" ? head : `${head}\n    ${sourceLine}`;
  });
  const cut = left > 0 ? [`… ${formatCount(left)} more. Mend these first, then ask again.`] : [];
  return found(
    [
      `${shown}: ${count(errors.length, "error")}, ${count(warnings.length, "warning")} (${server}).`,
      ...lines,
      ...cut,
    ].join("\n"),
    {
      diagnostics: kept.map(({ line, column, severity, message, source }) => ({
        line,
        column,
        severity,
        message,
        ...(source === undefined ? {} : { source }),
      })),
      ...counts,
      truncated: left > 0,
    },
  );
}

function count(number: number, word: string): string {
  return `${formatCount(number)} ${word}${number === 1 ? "" : "s"}`;
}
