import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../../contract/json.ts";
import type { ToolKind } from "../../../contract/tool.ts";

/** A tool as its server lists it, as far as we use it. Nothing of it is trusted. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  /** As sent: it may be anything. */
  inputSchema: Json;
  /** The server's own words on what the tool does; they may only make us more careful. */
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  /** What was made of it for models; never the server's own word. */
  offer?: ToolOffer | NoOffer;
}

/** What a model is told of a server's tool, made once for each list that a server gives and kept with it for the next start. */
export interface ToolOffer {
  name: string;
  kind: ToolKind;
  description: string;
  input: JsonSchema;
  /** Estimated tokens of the definition in a request. */
  tokens: number;
  /** Differs when something of the offer does; not when the server only writes the same in another order. */
  spelling: string;
  /** The server's text hid something: the offer is made anew at each start, so that each start says so. */
  hides?: true;
}

/** Why a tool cannot be lent to a model. */
export interface NoOffer {
  problem: string;
}

/** A prompt as its server lists it. */
export interface ListedPrompt {
  name: string;
  description?: string;
  arguments: readonly { name: string; description?: string; required: boolean }[];
}

/** Everything that a server offers, as it was last listed. */
export interface Catalog {
  tools: readonly ListedTool[];
  prompts: readonly ListedPrompt[];
  /** It has resources (or templates of them). */
  resources: boolean;
  /** It completes arguments of prompts. */
  completions: boolean;
  /** What of the lists could not be used, for people. */
  problems: readonly string[];
}

/** A tool out of a server's answer; null for what has no name. */
export function listedTool(entry: unknown): ListedTool | null {
  if (!isJsonObject(entry) || typeof entry["name"] !== "string" || entry["name"] === "") return null;
  const { name, title, description, inputSchema, annotations } = entry;
  const hints = isJsonObject(annotations) ? hintsOf(annotations) : {};
  return {
    name: name as string,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: inputSchema ?? null,
    ...(Object.keys(hints).length === 0 ? {} : { annotations: hints }),
  };
}

function hintsOf(annotations: JsonObject): NonNullable<ListedTool["annotations"]> {
  const { readOnlyHint, destructiveHint } = annotations;
  return {
    ...(typeof readOnlyHint === "boolean" ? { readOnlyHint } : {}),
    ...(typeof destructiveHint === "boolean" ? { destructiveHint } : {}),
  };
}

/** A prompt out of a server's answer; null for what has no name. */
export function listedPrompt(entry: unknown): ListedPrompt | null {
  if (!isJsonObject(entry) || typeof entry["name"] !== "string" || entry["name"] === "") return null;
  const given = Array.isArray(entry["arguments"]) ? entry["arguments"] : [];
  return {
    name: entry["name"],
    ...(typeof entry["description"] === "string" ? { description: entry["description"] } : {}),
    arguments: given.flatMap((argument) =>
      isJsonObject(argument) && typeof argument["name"] === "string"
        ? [
            {
              name: argument["name"],
              ...(typeof argument["description"] === "string"
                ? { description: argument["description"] }
                : {}),
              required: argument["required"] === true,
            },
          ]
        : [],
    ),
  };
}
