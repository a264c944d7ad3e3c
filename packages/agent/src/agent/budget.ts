/** The day's budget around one request: reserved before, settled after, whatever happened between. */
import { noUsage, type Usage } from "../contract/messages.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { BudgetReservation, TokenBudget } from "../contract/services.ts";

/** What a token read from a cache weighs where its price is not known. */
const CACHE_READ_WEIGHT = 0.1;

/** One request's share of the budget. `settle` counts once. */
export class RequestBudget {
  readonly #reservation: BudgetReservation | undefined;
  readonly #model: ModelInfo;
  #settled = false;

  /** Throws the budget's PiError `daily_limit` when `tokens` are not there. */
  constructor(
    budget: TokenBudget | undefined,
    tokens: Parameters<TokenBudget["reserve"]>[0],
    model: ModelInfo,
  ) {
    this.#reservation = budget?.reserve(tokens);
    this.#model = model;
  }

  settle(usage: Usage | undefined): void {
    const used = usage ?? noUsage();
    this.#close({ input: weightedInput(used, this.#model), output: used.output, requests: 1 });
  }

  /** The request was never made. */
  release(): void {
    this.#close({ input: 0, output: 0, requests: 0 });
  }

  #close(used: Parameters<BudgetReservation["settle"]>[0]): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#reservation?.settle(used);
  }
}

/** Input tokens with cache reads counted by what they cost beside fresh input, so that a warm cache does not eat the day. */
export function weightedInput(usage: Usage, model: ModelInfo): number {
  const cost = model.cost;
  const weight = cost && cost.input > 0 ? Math.min(1, cost.cacheRead / cost.input) : CACHE_READ_WEIGHT;
  return usage.input + usage.cache_write + Math.ceil(usage.cache_read * weight);
}

/**
 * What the day is charged with: the service's own count. Where it left out what it must have used (a server that counts nothing, a
 * stream that broke off before its last count), the estimate of that part stands in, or the limit would not hold for such a service.
 */
export function atLeast(told: Usage, estimate: Usage): Usage {
  const read = told.input + told.cache_read + told.cache_write;
  return {
    ...told,
    input: read === 0 ? estimate.input : told.input,
    // The count at a stream's beginning is one token or so; an estimate is right within a fifth or so.
    output: told.output * 2 < estimate.output ? estimate.output : told.output,
  };
}
