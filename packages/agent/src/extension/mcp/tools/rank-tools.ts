import type { McpTool } from "./mcp-tool.ts";

/** How much a word counts where it stands. */
const IN_NAME = 4;
const IN_PARAMETERS = 1.5;
const IN_DESCRIPTION = 1;
/** A word that only begins like the one that was asked for. */
const PREFIX = 0.5;

/** The tools that fit a query, best first: words that few tools have count more, a match in the name counts most. Equal ones stand in the order of names. */
export function rankTools(tools: readonly McpTool[], query: string): McpTool[] {
  const wanted = [...new Set(words(query))];
  const documents = tools.map((tool) => ({ tool, fields: fieldsOf(tool) }));
  const scores = new Map<McpTool, number>();
  for (const word of wanted) {
    const matches = documents.map(({ tool, fields }) => ({ tool, weight: weightOf(word, fields) }));
    const having = matches.filter(({ weight }) => weight > 0);
    const rarity = Math.log(1 + tools.length / Math.max(1, having.length));
    for (const { tool, weight } of having) scores.set(tool, (scores.get(tool) ?? 0) + weight * rarity);
  }
  return [...scores]
    .sort(([a, one], [b, other]) => other - one || (a.name < b.name ? -1 : 1))
    .map(([tool]) => tool);
}

type Fields = readonly { words: ReadonlySet<string>; weight: number }[];

function fieldsOf({ name, description, input }: McpTool): Fields {
  const parameters = Object.keys(input.properties ?? {}).join(" ");
  return [
    { words: new Set(words(name)), weight: IN_NAME },
    { words: new Set(words(parameters)), weight: IN_PARAMETERS },
    { words: new Set(words(description)), weight: IN_DESCRIPTION },
  ];
}

function weightOf(word: string, fields: Fields): number {
  let weight = 0;
  for (const field of fields)
    if (field.words.has(word)) weight += field.weight;
    else if (word.length >= 3 && [...field.words].some((each) => each.startsWith(word) || isStem(each, word)))
      weight += field.weight * PREFIX;
  return weight;
}

/** `issue` is what `issues` begins with. */
function isStem(known: string, word: string): boolean {
  return known.length >= 3 && word.startsWith(known) && word.length - known.length <= 3;
}

/** Lower-case words; `createPullRequest` and `create_pull_request` are three. */
function words(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
