import type { SessionTranscript, TranscriptBranch } from "../../contract/transcript.ts";
import { escapeHtml } from "./escape.ts";
import { messageArticles } from "./messages.ts";
import { PAGE_SCRIPT } from "./script.ts";
import { PAGE_STYLE } from "./style.ts";

/**
 * A session as one page that needs nothing else: no network, no other file. Its policy lets only our style and our script act, by
 * their hashes, so that content could not even if it got past the escaping.
 */
export function* htmlPage(
  transcript: SessionTranscript,
  facts: { now: number; redacted: boolean },
): Generator<string> {
  const { meta, branch, entries, others } = transcript;
  const title = escapeHtml(meta.title ?? `Session ${meta.id}`);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${title}</h1>
<ul class="facts">${factsHtml(transcript, facts)}</ul></header>
<nav hidden><div><input id="search" type="search" placeholder="Search (press /)" aria-label="Search"><output id="count"></output><button id="fold" type="button">Unfold all</button><button id="theme" type="button">Light / dark</button></div></nav>
<main>
`;
  const forks = Map.groupBy(others, ({ shared }) => shared);
  yield* messageArticles(entries, "m", (count) => branches(forks.get(count) ?? [], others, branch));
  yield `</main>
<footer><p>Written by pi on ${new Date(facts.now).toISOString()}. ${entries.length} messages on the branch ${escapeHtml(branch)}.</p></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** The branches that leave the current one at a place, folded. */
function* branches(
  here: readonly TranscriptBranch[],
  all: readonly TranscriptBranch[],
  current: string,
): Generator<string> {
  for (const branch of here) {
    const count = `${branch.entries.length} ${branch.entries.length === 1 ? "message" : "messages"} that ${escapeHtml(current)} does not have`;
    yield `<details class="branch"><summary>Branch <b>${escapeHtml(branch.name)}</b> leaves here: ${count}</summary><div>\n`;
    yield* messageArticles(branch.entries, `b${all.indexOf(branch) + 1}m`);
    yield "</div></details>\n";
  }
}

function factsHtml({ meta, branch, others }: SessionTranscript, { redacted }: { redacted: boolean }): string {
  const rows: [string, string][] = [
    ["session", meta.id],
    ["model", meta.model === "" ? "" : `${meta.provider}/${meta.model}`],
    ["project", meta.cwd],
    ["begun", meta.created.slice(0, 16).replace("T", " ")],
    ["branch", branch],
    ["other branches", others.map(({ name }) => name).join(", ")],
  ];
  const items = rows
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<li>${name} <b>${escapeHtml(value)}</b></li>`);
  if (!redacted) items.push('<li class="warn">secrets were not taken out</li>');
  return items.join("");
}

function policy(): string {
  return [
    "default-src 'none'",
    "img-src data:",
    `style-src ${hash(PAGE_STYLE)}`,
    `script-src ${hash(PAGE_SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}
