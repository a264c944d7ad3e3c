/** Our tools in the form in which extensions call Pi's: `createReadTool(cwd).execute(…)`. */
import type { JsonObject } from "../../../contract/json.ts";
import type { PiToolDefinition, PiToolResult } from "../pi-types.ts";
import { moduleHost } from "./module-host.ts";

const READING = ["read", "grep", "find", "ls"] as const;
const CODING = ["read", "bash", "edit", "write"] as const;

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

export const createReadTool = () => tool("read");
export const createBashTool = () => tool("bash");
export const createEditTool = () => tool("edit");
export const createWriteTool = () => tool("write");
export const createGrepTool = () => tool("grep");
export const createFindTool = () => tool("find");
export const createLsTool = () => tool("ls");
export const createReadOnlyTools = () => READING.map(tool);
export const createCodingTools = () => CODING.map(tool);
