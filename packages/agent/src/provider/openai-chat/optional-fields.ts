import type { OptionalField } from "../shared/refused-fields.ts";
import type { Dialect } from "./dialect.ts";

/**
 * Fields that a compatible server may refuse: each is left out (or, for the limit, sent under its other name) after the
 * first refusal that names it.
 */
export function optionalFields(dialect: Dialect): OptionalField[] {
  const other = dialect.limitField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const names = [
    "stream_options",
    // A refusal of one name of the limit usually recommends the other: the one that is sent comes first.
    dialect.limitField,
    other,
    "reasoning_effort",
    "reasoning_content",
    "reasoning_details",
    "reasoning",
    "thinking",
    "prompt_cache_key",
    "cache_control",
    "extra_content",
    "store",
    "strict",
  ];
  return names.map((name) => ({ name, limit: name === dialect.limitField || name === other }));
}
