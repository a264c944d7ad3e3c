import type { XStatic } from "typebox/schema";
import type { LanguageServers } from "../../contract/language-servers.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { askServer } from "../shared/language/ask-server.ts";
import { listLocations } from "../shared/language/list-locations.ts";
import { nothingAt } from "../shared/language/nothing-at.ts";
import { FILE_ALIASES } from "../shared/language/place-input.ts";
import { lspDefinitionPrompt } from "./lsp-definition.prompt.ts";

type Input = XStatic<typeof lspDefinitionPrompt.input>;

/** `lsp-definition`: the definitions of the symbol at a place. */
export function lspDefinitionTool(servers: LanguageServers): ToolDefinition<Input> {
  return {
    ...lspDefinitionPrompt,
    kind: "inspect",
    aliases: FILE_ALIASES,
    run: (input, context) =>
      askServer(
        input.file,
        context,
        () => servers.definition(input.file, input, context.signal),
        (locations, server) =>
          locations.length === 0
            ? nothingAt(input, `no definition`, server, context, { locations: [] })
            : listLocations(locations, "definition", context),
      ),
  };
}
