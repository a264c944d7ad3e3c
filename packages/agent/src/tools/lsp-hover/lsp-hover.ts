import type { XStatic } from "typebox/schema";
import type { LanguageServers } from "../../contract/language-servers.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { askServer } from "../shared/language/ask-server.ts";
import { nothingAt } from "../shared/language/nothing-at.ts";
import { FILE_ALIASES } from "../shared/language/place-input.ts";
import { found } from "../shared/outcome.ts";
import { byteLength, headOf, humanSize } from "../shared/truncate.ts";
import { lspHoverPrompt } from "./lsp-hover.prompt.ts";

type Input = XStatic<typeof lspHoverPrompt.input>;

const MOST_BYTES = 8 * 1024;

/** `lsp-hover`: what an editor would show over the symbol at a place. */
export function lspHoverTool(servers: LanguageServers): ToolDefinition<Input> {
  return {
    ...lspHoverPrompt,
    kind: "inspect",
    aliases: FILE_ALIASES,
    run: (input, context) =>
      askServer(
        input.file,
        context,
        () => servers.hover(input.file, input, context.signal),
        (text, server) =>
          text === ""
            ? nothingAt(input, "nothing to tell", server, context, { content: "" })
            : found(shortened(text), { content: headOf(text, MOST_BYTES) }),
      ),
  };
}

function shortened(text: string): string {
  const head = headOf(text, MOST_BYTES);
  if (head.length === text.length) return text;
  return `${head}\n… cut: ${humanSize(byteLength(head))} of ${humanSize(byteLength(text))} are shown. lsp-definition says where the rest stands.`;
}
