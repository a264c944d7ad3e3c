import type { ThinkingLevel } from "../../../contract/model.ts";
import { didYouMean, type NearPort } from "./near-port.ts";

/** What a person wants of the model: a role or a model's name, how much it reasons, or both. */
export interface WantedModel {
  role?: string;
  /** `provider/model` or a bare name. */
  model?: string;
  thinking?: ThinkingLevel;
}

/** `wanted` null: nothing was named, so the person chooses. `session`: nothing is saved. */
export type ModelWords = { wanted: WantedModel | null; session: boolean } | { problem: string; hint: string };

/** How much a model may reason, from nothing to all it can. */
export const THINKING_LEVELS = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly ThinkingLevel[];

const SESSION = new Set(["--session", "-s"]);

/** Understands the words after `/model`. A role's name is a role before it is anything else. */
export function parseModelWords(argument: string, roles: readonly string[], { near }: NearPort): ModelWords {
  const all = argument.split(/\s+/).filter((word) => word !== "");
  const words = all.filter((word) => !SESSION.has(word));
  const session = words.length < all.length;
  const [first, second, ...more] = words;
  if (first === undefined) return { wanted: null, session };
  if (more.length > 0 || first.startsWith("-"))
    return {
      problem: `/model does not understand "${argument}".`,
      hint: "/model [role or model] [thinking] [--session]",
    };
  const thinking = second === undefined ? undefined : levelOf(second);
  if (thinking === null)
    return {
      problem: `"${second}" is no level of thinking.`,
      hint: didYouMean(near(second!, THINKING_LEVELS), `Levels: ${THINKING_LEVELS.join(", ")}.`),
    };
  const level = thinking === undefined ? {} : { thinking };
  const role = roles.find((name) => name === first) ?? roles.find((name) => name === first.toLowerCase());
  if (role !== undefined) return { wanted: { role, ...level }, session };
  const alone = levelOf(first);
  if (alone !== null && second === undefined) return { wanted: { thinking: alone }, session };
  return { wanted: { model: first, ...level }, session };
}

function levelOf(word: string): ThinkingLevel | null {
  return THINKING_LEVELS.find((level) => level === word.toLowerCase()) ?? null;
}
