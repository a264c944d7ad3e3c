import type { Span } from "../span.ts";

/** Bounded, so that no text makes it slow. */
const MOST = 2048;

/**
 * Tokens that show what they are by their form, as their services publish it: the rule's name and the source of an expression. A form
 * is looser than a whole token, since output cuts and wraps them.
 */
const FORMS: readonly (readonly [rule: string, source: string])[] = [
  ["aws-access-key", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["github-token", `gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\\w{22,255}`],
  ["gitlab-token", `gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[\\w.-]{16,255}`],
  ["anthropic-key", `sk-ant-[\\w-]{16,${MOST}}`],
  ["openrouter-key", `sk-or-[\\w-]{16,${MOST}}`],
  ["langfuse-key", `sk-lf-[\\w-]{16,255}`],
  [
    "openai-key",
    `sk-(?:proj|svcacct|admin|None)-[\\w-]{16,${MOST}}|sk-(?=[A-Za-z0-9]{0,40}\\d)[A-Za-z0-9]{20,255}`,
  ],
  ["stripe-key", `[rsp]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{24,255}`],
  ["slack-token", `xox[abceoprs](?:\\.xox[bp])?-[\\w-]{10,255}|xapp-\\d-[\\w-]{10,255}`],
  ["google-api-key", "AIza[\\w-]{30,60}"],
  ["google-oauth", `ya29\\.[\\w-]{16,${MOST}}|GOCSPX-[\\w-]{20,60}|1//0[\\w-]{30,255}`],
  ["huggingface-token", "(?:hf|api_org)_[A-Za-z0-9]{20,255}"],
  ["npm-token", "npm_[A-Za-z0-9]{30,60}"],
  ["pypi-token", `pypi-AgE[\\w-]{16,${MOST}}`],
  ["rubygems-key", "rubygems_[a-f0-9]{32,64}"],
  ["nuget-key", "oy2[a-z0-9]{43}"],
  ["crates-token", "cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["sendgrid-key", "SG\\.[\\w-]{16,64}\\.[\\w-]{16,128}"],
  ["mailgun-key", "key-[a-f0-9]{32}(?![a-f0-9])"],
  ["mailchimp-key", "[a-f0-9]{32}-us\\d{1,2}(?!\\w)"],
  ["twilio-key", "SK[a-f0-9]{32}(?![A-Za-z0-9])"],
  ["telegram-token", "\\d{8,10}:AA[\\w-]{32,34}(?![\\w-])"],
  ["discord-token", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,45}"],
  ["digitalocean-token", "do[opr]_v1_[a-f0-9]{40,64}"],
  ["shopify-token", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"],
  ["square-token", "sq0(?:atp|csp|idp)-[\\w-]{22,60}"],
  ["vault-token", `hv[sbr]\\.[\\w-]{20,${MOST}}`],
  ["databricks-token", "dapi[a-f0-9]{32}(?:-\\d)?"],
  ["docker-token", "dckr_(?:pat|oat)_[\\w-]{20,64}"],
  ["figma-token", "fig[dou]r?_[\\w-]{30,255}"],
  ["linear-token", "lin_(?:api|oauth)_\\w{30,128}"],
  ["notion-token", "ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{40,50}"],
  ["grafana-token", "gl(?:c|sa)_[\\w+/=]{30,400}"],
  ["netlify-token", "nfp_[A-Za-z0-9]{36,60}"],
  ["heroku-key", "HRKU-[\\w-]{30,80}"],
  ["postman-key", "PMAK-[a-f0-9]{24}-[a-f0-9]{30,34}"],
  ["newrelic-key", "NR(?:AK|JS|RA|II)-[A-Za-z0-9]{19,60}"],
  ["sentry-token", `sntry[su]_[\\w+/=-]{20,${MOST}}`],
  ["atlassian-token", "AT(?:ATT|CTT)3[\\w=-]{20,400}|ATBB[A-Za-z0-9]{24,60}"],
  ["azure-client-secret", "[\\w~.-]{3}8Q~[\\w~.-]{31,34}"],
  ["alibaba-key", "LTAI[A-Za-z0-9]{12,30}"],
  ["tencent-key", "AKID[A-Za-z0-9]{13,40}"],
  ["groq-key", "gsk_[A-Za-z0-9]{20,255}"],
  ["xai-key", "xai-[A-Za-z0-9]{20,255}"],
  ["perplexity-key", "pplx-[A-Za-z0-9]{20,255}"],
  ["replicate-token", "r8_[A-Za-z0-9]{30,60}"],
  ["fireworks-key", "fw_[A-Za-z0-9]{20,60}"],
  ["cerebras-key", "csk-[a-z0-9]{30,80}"],
  ["langsmith-key", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"],
  ["doppler-token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,40}\\.)?[A-Za-z0-9]{40,44}"],
  ["pulumi-token", "pul-[a-f0-9]{40}"],
  ["terraform-token", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{30,128}"],
  ["planetscale-token", "pscale_(?:tkn|pw|oauth)_[\\w.-]{30,128}"],
  ["supabase-key", "sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,64}"],
  ["tailscale-key", "tskey-[a-z]{2,12}-[\\w-]{16,128}"],
  ["fly-token", `fo1_[\\w-]{30,255}|fm[12][ar]?_[\\w+/=-]{40,${MOST}}`],
  ["buildkite-token", "bk(?:ua|at|pt)_[a-f0-9]{40}"],
  ["circleci-token", "CCI(?:PAT|PRJ)_[\\w]{16,128}"],
  ["jfrog-key", "AKCp[A-Za-z0-9]{50,80}"],
  ["dynatrace-token", "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{40,64}"],
  ["airtable-token", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["contentful-token", "CFPAT-[\\w-]{30,64}"],
  ["typeform-token", "tfp_[\\w.-]{30,80}"],
  ["facebook-token", "EAA[A-Za-z0-9]{60,400}"],
  ["age-key", "AGE-SECRET-KEY-1[A-Z0-9]{40,60}"],
  ["cloudflare-key", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,160}"],
  ["jwt", `eyJ[\\w-]{10,${MOST}}\\.[\\w-]{10,8192}(?:\\.[\\w-]{0,${MOST}})?`],
];

const RULES = FORMS.map(([rule]) => rule);
const ANY = new RegExp(`(?<![A-Za-z0-9])(?:${FORMS.map(([, source]) => `(${source})`).join("|")})`, "g");
/** Without one of these letters and signs no form can occur. */
const HINT = /[-_.:/~=]|AKI|ASI|ABI|ACC|AIza|LTAI|EAA|oy2|cio|SK[a-f0-9]|dapi|ATBB/;

/** Tokens of known services. */
export function findKnownTokens(text: string): Span[] {
  if (text.length < 16 || !HINT.test(text)) return [];
  const spans: Span[] = [];
  for (const match of text.matchAll(ANY)) {
    const group = match.findIndex((value, index) => index > 0 && value !== undefined);
    spans.push({
      rule: RULES[group - 1]!,
      category: "secret",
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return spans;
}
