import { isJsonObject, type JsonObject, type JsonSchema } from "../../../contract/json.ts";
import { type ImagePart, textOf } from "../../../contract/messages.ts";
import type { AnyTool, SpillDoor, ToolContext, ToolKind, ToolOutcome } from "../../../contract/tool.ts";
import { boundedText } from "../../shared/bounded-text.ts";
import { runAs } from "../load/running-extension.ts";
import type { PiToolDefinition, PiToolResult } from "../pi-types.ts";
import type { HostState } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { asJson, partsOf } from "./pi-message.ts";
import { toolCallContext } from "./tool-call-context.ts";

/** Tools cut what they say themselves, to 50 KB as Pi's own do; this is for those that do not. */
const MOST_TEXT = 100_000;

const NO_PARAMETERS: JsonSchema = { type: "object", properties: {} };

/** A tool of an extension as an ordinary one. What it throws is a failed result; `terminate` is kept for the run to read. */
export function extensionTool(
  extension: LoadedExtension,
  definition: PiToolDefinition,
  state: HostState,
): AnyTool {
  return {
    name: definition.name,
    kind: kindOf(definition),
    description: described(definition),
    input: schemaOf(definition),
    ...(definition.executionMode === "sequential" ? { serial: true } : {}),
    ...(definition.prepareArguments === undefined
      ? {}
      : { prepare: (sent: JsonObject) => prepared(extension, definition, sent) }),
    async run(input: JsonObject, context: ToolContext): Promise<ToolOutcome> {
      let shown = "";
      const onUpdate = (partial: PiToolResult) => {
        const text = textOf(partsOf(partial?.content));
        // An update is the whole so far; what is shown is what is new in it.
        context.progress(text.startsWith(shown) ? text.slice(shown.length) : `\n${text}`);
        shown = text;
      };
      const result = await runAs(extension, () =>
        definition.execute(
          context.callId,
          input,
          context.signal,
          onUpdate,
          toolCallContext(extension, state, context),
        ),
      );
      if (result?.terminate === true) state.terminated.add(context.callId);
      return outcomeOf(result, definition.name, context.spill);
    },
  };
}

/** What it makes of the arguments; nothing readable leaves them as they were sent. */
function prepared(extension: LoadedExtension, definition: PiToolDefinition, sent: JsonObject): JsonObject {
  const made = asJson(runAs(extension, () => definition.prepareArguments!(sent)));
  return isJsonObject(made) ? made : sent;
}

function outcomeOf(result: PiToolResult | undefined, name: string, spill: SpillDoor): ToolOutcome {
  const parts = partsOf(result?.content);
  const images = parts.filter((part): part is ImagePart => part.type === "image");
  const isError = result?.isError === true;
  const { text, cut } = boundedText(textOf(parts), { tool: name, most: MOST_TEXT, spill });
  const nothing = images.length > 0 ? "" : `${name} gave no output.`;
  const details = asJson(result?.details);
  return {
    outcome: isError ? "failed" : "found",
    text: text === "" ? nothing : text,
    isError,
    details: {
      outcome: isError ? "failed" : "found",
      ...(cut ? { truncated: true } : {}),
      ...(details === null ? {} : { extension_details: details }),
    },
    ...(images.length > 0 ? { images } : {}),
  };
}

function kindOf({ annotations }: PiToolDefinition): ToolKind {
  return annotations?.readOnlyHint === true ? "inspect" : "run";
}

/** The line and the rules that Pi puts into its system text have no place of their own in ours; they belong to the tool. What is said already is not said twice. */
function described(definition: PiToolDefinition): string {
  const text = String(definition.description ?? "");
  const snippet = snippetOf(definition);
  const line = snippet === undefined || text.includes(snippet) ? [] : [snippet];
  const rules = guidelinesOf(definition).map((rule) => `- ${rule}`);
  return [...(text === "" ? [] : [text]), ...line, ...rules].join("\n");
}

/** What the tool says of itself in one line, if it does. */
export function snippetOf({ promptSnippet }: PiToolDefinition): string | undefined {
  return typeof promptSnippet === "string" && promptSnippet !== "" ? promptSnippet : undefined;
}

/** Its rules; one alone is a text in many a definition. */
export function guidelinesOf({ promptGuidelines }: PiToolDefinition): string[] {
  const given: readonly unknown[] = Array.isArray(promptGuidelines) ? promptGuidelines : [promptGuidelines];
  return given.filter((rule): rule is string => typeof rule === "string" && rule !== "");
}

/** TypeBox schemas are plain JSON but for marks that JSON leaves out. */
function schemaOf({ parameters }: PiToolDefinition): JsonSchema {
  const schema = asJson(parameters);
  return isJsonObject(schema) ? (schema as JsonSchema) : NO_PARAMETERS;
}
