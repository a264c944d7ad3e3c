const VOWEL = "[aeiouy]";
const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
const MEASURE_OVER_0 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_OVER_1 = new RegExp(`^(?:${CONSONANTS})?(?:${VOWELS}${CONSONANTS}){2}`);
const MEASURE_IS_1 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`);
const ENDS_SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);
const DOUBLE_CONSONANT = /([^aeiouylsz])\1$/;

const LONG_ENDINGS: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
  logi: "log",
};
const MIDDLE_ENDINGS: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
};
const longest = (endings: Readonly<Record<string, string>>) =>
  new RegExp(
    `(${Object.keys(endings)
      .sort((a, b) => b.length - a.length)
      .join("|")})$`,
  );
const LONG = longest(LONG_ENDINGS);
const MIDDLE = longest(MIDDLE_ENDINGS);
const LAST = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$|(?<=[st])(ion)$/;

/** The stem of an English word by Porter's algorithm; words with other letters than a to z, and words of 1 or 2 letters, come back as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  // A leading y is a consonant.
  const guarded = word[0] === "y" ? `Y${word.slice(1)}` : word;
  const result = finalLetters(
    suffixes(
      adjectives(adjectives(pastAndProgressive(plural(guarded)), LONG, LONG_ENDINGS), MIDDLE, MIDDLE_ENDINGS),
    ),
  );
  return result.toLowerCase();
}

function plural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  let result = word;
  if (result.endsWith("eed")) {
    if (MEASURE_OVER_0.test(result.slice(0, -3))) result = result.slice(0, -1);
  } else {
    const base = /^(.+?)(ed|ing)$/.exec(result)?.[1];
    if (base !== undefined && HAS_VOWEL.test(base)) {
      result = base;
      if (/(at|bl|iz)$/.test(result)) result += "e";
      else if (DOUBLE_CONSONANT.test(result)) result = result.slice(0, -1);
      else if (MEASURE_IS_1.test(result) && ENDS_SHORT.test(result)) result += "e";
    }
  }
  return result.endsWith("y") && HAS_VOWEL.test(result.slice(0, -1)) ? `${result.slice(0, -1)}i` : result;
}

function adjectives(word: string, pattern: RegExp, endings: Readonly<Record<string, string>>): string {
  const ending = pattern.exec(word)?.[1];
  if (ending === undefined) return word;
  const base = word.slice(0, -ending.length);
  return MEASURE_OVER_0.test(base) ? base + endings[ending] : word;
}

function suffixes(word: string): string {
  const match = LAST.exec(word);
  const ending = match?.[1] ?? match?.[2];
  if (ending === undefined) return word;
  const base = word.slice(0, -ending.length);
  return MEASURE_OVER_1.test(base) ? base : word;
}

function finalLetters(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    if (MEASURE_OVER_1.test(base) || (MEASURE_IS_1.test(base) && !ENDS_SHORT.test(base))) result = base;
  }
  return result.endsWith("ll") && MEASURE_OVER_1.test(result) ? result.slice(0, -1) : result;
}
