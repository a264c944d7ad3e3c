/** How each Claude model is asked to think: models differ in which forms they accept and refuse the others with 400. */
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import { nearestLevel } from "../shared/levels.ts";

/** Tokens of thought for models that take a budget. */
const BUDGETS: Record<ThinkingLevel, number> = {
  off: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
  max: 65_536,
};

/** The least budget that the service takes. */
const LEAST_BUDGET = 1_024;

type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** The fields of a request that steer thinking; absent fields are not sent. */
export interface ThinkingFields {
  thinking?:
    | { type: "adaptive"; display: "summarized" }
    | { type: "enabled"; budget_tokens: number; display?: "summarized" }
    | { type: "disabled" };
  effort?: Effort;
  /** Thinking between tool calls needs a beta header on models that take a budget. */
  interleaved?: true;
}

/** Version of a Claude id, hundredfold (`claude-opus-4-7` is 407; dates are no versions); undefined for another vendor's model. */
function claudeVersion(id: string): number | undefined {
  const found =
    /claude-(?:[a-z]+-)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(id) ??
    /claude-(\d)(?:[-.](\d))?-[a-z]/.exec(id);
  return found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : undefined;
}

/**
 * Whether a model's thinking is bound to system text, tools and all messages before it (Fable from 5.1, Opus and Sonnet
 * from 5.5). Source: Anthropic's documentation of extended thinking.
 */
export function bindsThinking({ id }: ModelInfo): boolean {
  const version = claudeVersion(id) ?? 0;
  return version >= 505 || (version >= 501 && id.includes("fable"));
}

function effortOf(model: ModelInfo, level: ThinkingLevel, version: number): Effort {
  const nearest = nearestLevel(model, level);
  const value = model.levels?.[nearest] ?? (nearest === "minimal" ? "low" : nearest);
  // 4.6 knows `max` but not `xhigh`.
  return (value === "xhigh" && version < 407 ? "high" : value) as Effort;
}

/**
 * Thinking for a model, a level and the output limit (`maxTokens`, which a budget must stay under). Claude 4.6 and later
 * think adaptively and take an effort; Sonnet 5.5, Opus 5.5 and Fable cannot be stopped from thinking, so `off` is their
 * lowest effort; earlier ones, and other vendors' models behind this wire, take a budget. Summaries are asked for, because
 * new models show nothing by default. Source: Anthropic's documentation of extended and adaptive thinking.
 */
export function thinkingFields(model: ModelInfo, level: ThinkingLevel, maxTokens: number): ThinkingFields {
  if (!model.reasoning) return {};
  const version = claudeVersion(model.id);
  if (version !== undefined && version >= 406) {
    const always =
      model.levels?.off === null || /fable/.test(model.id) || (version > 500 && !/haiku/.test(model.id));
    if (level === "off" && !always) return { thinking: { type: "disabled" } };
    const wanted = level === "off" ? "low" : level;
    return {
      thinking: { type: "adaptive", display: "summarized" },
      effort: effortOf(model, wanted, version),
    };
  }
  const budget = Math.min(BUDGETS[level], maxTokens - LEAST_BUDGET);
  if (level === "off" || budget < LEAST_BUDGET) return {};
  // Only Anthropic's own models know the `display` field.
  if (version === undefined) return { thinking: { type: "enabled", budget_tokens: budget } };
  const thinking = { type: "enabled", budget_tokens: budget } as const;
  return version >= 400 ? { thinking, interleaved: true } : { thinking };
}
