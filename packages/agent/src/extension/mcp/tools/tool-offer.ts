import type { TextGuard } from "../../../contract/audit.ts";
import { isJsonObject, type Json } from "../../../contract/json.ts";
import type { ToolKind } from "../../../contract/tool.ts";
import { sha256 } from "../server-config.ts";
import { cleanText } from "./clean-text.ts";
import type { ListedTool, NoOffer, ToolOffer } from "./listed-tool.ts";
import { toolName } from "./tool-name.ts";
import { normalSchema } from "./tool-schema.ts";

const MOST_DESCRIPTION = 2_000;

export interface OfferParts {
  /** As the user wrote it. */
  server: string;
  guard: TextGuard;
  /** Estimated tokens of a text. */
  estimate(text: string): number;
}

/** What a model is told of a listed tool, or why it cannot be. */
export function toolOffer(listed: ListedTool, parts: OfferParts): ToolOffer | NoOffer {
  const { server, estimate } = parts;
  let hides = false;
  const guard: TextGuard = (source, text) => {
    const safe = parts.guard(source, text);
    hides ||= safe !== text;
    return safe;
  };
  const name = toolName(server, listed.name);
  const source = `MCP tool ${name}`;
  const normal = normalSchema(listed.inputSchema, (text, most) => cleanText(guard, source, text, most));
  if ("problem" in normal) return normal;
  const about = cleanText(guard, source, listed.description ?? listed.title ?? "", MOST_DESCRIPTION);
  const description = about === "" ? `${listed.name} of the MCP server ${server}` : about;
  const kind = kindOf(listed);
  const input = normal.schema;
  return {
    name,
    kind,
    description,
    input,
    tokens: estimate(JSON.stringify({ name, description, parameters: input })),
    spelling: sha256(canonical([kind, description, input])).slice(0, 16),
    ...(hides ? { hides } : {}),
  };
}

/** An offer out of a file; undefined for anything else. */
export function offerOf(value: Json | undefined): ToolOffer | NoOffer | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value["problem"] === "string") return { problem: value["problem"] };
  const { name, kind, description, input, tokens, spelling } = value;
  const texts = [name, description, spelling].every((each) => typeof each === "string");
  if (!texts || typeof tokens !== "number" || !isJsonObject(input)) return undefined;
  return kind === "run" || kind === "network" ? (value as unknown as ToolOffer) : undefined;
}

/**
 * What a server says of its tools is not trusted: it may only make a tool more dangerous than others. A tool that is said to only read
 * counts as one that reaches out, since nobody here can tell.
 */
function kindOf({ annotations }: ListedTool): ToolKind {
  return annotations?.destructiveHint === true || annotations?.readOnlyHint === false ? "run" : "network";
}

/** JSON with the keys in one order. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
