const LONGEST = 50;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The name that an idea's spec gets: its words in kebab case, at most 50 characters, cut between words. Empty for an idea without letters. */
export function specName(idea: string): string {
  const words = idea
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (longer.length > LONGEST) break;
    name = longer;
  }
  return name === "" ? (words[0]?.slice(0, LONGEST) ?? "") : name;
}

/** Whether a word may name a spec's folder: nothing that leads elsewhere. */
export function isSpecName(word: string): boolean {
  return NAME.test(word) && word.length <= 100;
}
