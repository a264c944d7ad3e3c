/** Our tools in the form in which extensions call Pi's: `createReadTool(cwd).execute(…)`. */
import type { JsonObject } from "../../../contract/json.ts";
import type { PiToolDefinition, PiToolResult } from "../pi-types.ts";
import { moduleHost } from "./module-host.ts";

/** A tool of ours as an extension may call it or register it anew. It works in the project folder. */
function tool(name: string): PiToolDefinition {
  const own = () => {
    const found = moduleHost()
      .tools()
      .find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no tool "${name}" in this run`);
    return found;
  };
  return {
    name,
    label: name,
    get description() {
      return own().description;
    },
    get parameters() {
      return own().input;
    },
    async execute(_callId, params, signal, onUpdate): Promise<PiToolResult> {
      let shown = "";
      const context = moduleHost().toolContext(signal ?? new AbortController().signal, (delta) => {
        shown += delta;
        onUpdate?.({ content: [{ type: "text", text: shown }], details: undefined });
      });
      const { aliases = {}, run } = own();
      const input = Object.fromEntries(
        Object.entries((params ?? {}) as JsonObject).map(([key, value]) => [aliases[key] ?? key, value]),
      );
      const { text, isError, details, images = [] } = await run(input, context);
      if (isError) throw new Error(text);
      const pictures = images.map(({ data, mimeType }) => ({ type: "image" as const, data, mimeType }));
      return { content: [{ type: "text", text }, ...pictures], details };
    },
  };
}

const read = () => tool("read");
const bash = () => tool("bash");
const edit = () => tool("edit");
const write = () => tool("write");
const grep = () => tool("grep");
const find = () => tool("find");
const ls = () => tool("ls");

/** The functions that make them, by the names that extensions import. */
export const builtInTools = {
  createReadTool: read,
  createBashTool: bash,
  createEditTool: edit,
  createWriteTool: write,
  createGrepTool: grep,
  createFindTool: find,
  createLsTool: ls,
  createReadToolDefinition: read,
  createBashToolDefinition: bash,
  createEditToolDefinition: edit,
  createWriteToolDefinition: write,
  createGrepToolDefinition: grep,
  createFindToolDefinition: find,
  createLsToolDefinition: ls,
  createReadOnlyTools: () => [read(), grep(), find(), ls()],
  createCodingTools: () => [read(), bash(), edit(), write()],
};
