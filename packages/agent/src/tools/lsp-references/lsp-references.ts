import type { XStatic } from "typebox/schema";
import type { LanguageServers } from "../../contract/language-servers.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { askServer } from "../shared/language/ask-server.ts";
import { listLocations } from "../shared/language/list-locations.ts";
import { nothingAt } from "../shared/language/nothing-at.ts";
import { FILE_ALIASES } from "../shared/language/place-input.ts";
import { lspReferencesPrompt } from "./lsp-references.prompt.ts";

type Input = XStatic<typeof lspReferencesPrompt.input>;

/** `lsp-references`: the references of the symbol at a place. */
export function lspReferencesTool(servers: LanguageServers): ToolDefinition<Input> {
  return {
    ...lspReferencesPrompt,
    kind: "inspect",
    aliases: FILE_ALIASES,
    run: (input, context) =>
      askServer(
        input.file,
        context,
        () => servers.references(input.file, input, context.signal),
        (locations, server) =>
          locations.length === 0
            ? nothingAt(input, `no reference`, server, context, { locations: [] })
            : listLocations(locations, "reference", context),
      ),
  };
}
