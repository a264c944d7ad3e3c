/**
 * Keys and tokens that show what they are by their prefix, as published by model providers, forges and clouds. Sources of
 * regular expressions, bounded, so that no text makes them slow.
 */
const FORMS: readonly string[] = [
  "(?:AKIA|ASIA)[A-Z0-9]{16}\\b",
  "gh[pousr]_[A-Za-z0-9]{16,255}",
  "github_pat_\\w{16,255}",
  "glpat-[\\w-]{16,255}",
  "sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{6,512}",
  "sk-(?=[\\w-]{0,255}\\d)[\\w-]{12,512}",
  "[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}",
  "gsk_[A-Za-z0-9]{16,255}",
  "xai-[A-Za-z0-9_-]{16,255}",
  "xox[abeoprs]-[\\w-]{8,255}",
  "xapp-[\\w-]{8,255}",
  "AIza[\\w-]{30,60}",
  "ya29\\.[\\w-]{16,2048}",
  "hf_[A-Za-z0-9]{20,255}",
  "npm_[A-Za-z0-9]{30,60}",
];

/** Matches one such key in a text; not global. */
export const KEY_FORM = new RegExp(`(?<![A-Za-z0-9])(?:${FORMS.join("|")})`);
