import type { XStatic } from "typebox/schema";
import type { LanguageServers, SourceSymbol } from "../../contract/language-servers.ts";
import type { ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { askServer } from "../shared/language/ask-server.ts";
import { FILE_ALIASES } from "../shared/language/place-input.ts";
import { empty, found } from "../shared/outcome.ts";
import { clipLine } from "../shared/truncate.ts";
import { lspSymbolsPrompt } from "./lsp-symbols.prompt.ts";

type Input = XStatic<typeof lspSymbolsPrompt.input>;

const MOST_SYMBOLS = 300;
const MOST_LINE_BYTES = 160;

/** `lsp-symbols`: the outline of a file. */
export function lspSymbolsTool(servers: LanguageServers): ToolDefinition<Input> {
  return {
    ...lspSymbolsPrompt,
    kind: "inspect",
    aliases: FILE_ALIASES,
    run: (input, context) =>
      askServer(
        input.file,
        context,
        () => servers.symbols(input.file, context.signal),
        (symbols, server) => outline(context.files.display(input.file), symbols, server),
      ),
  };
}

function outline(file: string, symbols: readonly SourceSymbol[], server: string): ToolOutcome {
  if (symbols.length === 0) return empty(`${server} knows of no symbols in ${file}.`, { symbols: [] });
  const kept = fitting(symbols);
  const lines = kept.map(({ name, kind, line, endLine, depth, detail }) => {
    const place = endLine > line ? `${line}-${endLine}` : String(line);
    const more = detail === undefined ? "" : ` ${detail}`;
    return clipLine(`${"  ".repeat(depth)}${place} ${kind} ${name}${more}`, MOST_LINE_BYTES);
  });
  const left = symbols.length - kept.length;
  const cut =
    left > 0
      ? [`… ${formatCount(left)} more, most of them deeper or local; grep ${file} for a name to find one.`]
      : [];
  const count = symbols.length === 1 ? "1 symbol" : `${formatCount(symbols.length)} symbols`;
  return found([`${file}: ${count} (lines, kind, name):`, ...lines, ...cut].join("\n"), {
    symbols: kept.map(({ name, kind, line, endLine }) => ({ name, kind, line, end_line: endLine })),
    total: symbols.length,
    truncated: left > 0,
  });
}

/** All of them, or as many levels as fit, or the first ones. */
function fitting(symbols: readonly SourceSymbol[]): readonly SourceSymbol[] {
  if (symbols.length <= MOST_SYMBOLS) return symbols;
  const deepest = Math.max(...symbols.map(({ depth }) => depth));
  for (let depth = deepest - 1; depth >= 0; depth--) {
    const upTo = symbols.filter((symbol) => symbol.depth <= depth);
    if (upTo.length <= MOST_SYMBOLS) return upTo;
  }
  return symbols.filter(({ depth }) => depth === 0).slice(0, MOST_SYMBOLS);
}
