import { expect, test } from "bun:test";
import { characterClass } from "./character-class.ts";
import { scan } from "./scan.ts";

const tags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
const selectors = (text: string) =>
  [...text]
    .map((letter) => letter.charCodeAt(0))
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join("");
/** Severity, code point and count of each finding. */
const found = (text: string | Uint8Array, kind: "file" | "value" = "file") =>
  scan(text, { kind }).findings.map(
    ({ severity, codePoint, count }) => `${severity} ${codePoint}${count > 1 ? ` x${count}` : ""}`,
  );

const hostile: [string, string, string[]][] = [
  ["a zero-width space in a word", "pass\u200bword", ["critical U+200B"]],
  ["a joiner between Latin letters", "ad\u200dmin", ["critical U+200D"]],
  ["a non-joiner between Latin letters", "ad\u200cmin", ["critical U+200C"]],
  ["a direction mark in a word", "pay\u200fpal", ["critical U+200F"]],
  ["a direction mark in a text without right-to-left letters", "say \u200e(hi)", ["critical U+200E"]],
  ["a direction mark in a Latin word of a Hebrew line", "שלום pay\u200epal", ["critical U+200E"]],
  ["a right-to-left override", "user\u202etxt.exe", ["critical U+202E"]],
  ["an override that is closed", "a\u202dbc\u202c", ["critical U+202D", "critical U+202C"]],
  ["an override in Arabic text", "سلام \u202eabc\u202c", ["critical U+202E", "critical U+202C"]],
  [
    "an isolate that is not closed on its line",
    "שלום \u2067abc\nנמשך\u2069",
    ["critical U+2067", "critical U+2069"],
  ],
  [
    "an embedding that an isolate's end closes",
    "של\u2066א\u202bב\u2069",
    ["info U+2066", "critical U+202B", "info U+2069"],
  ],
  [
    "a right-to-left isolate around Latin text",
    "if \u2067admin\u2069 {",
    ["critical U+2067", "critical U+2069"],
  ],
  ["a needless isolate around Latin text", "hello \u2068Ann\u2069", ["warning U+2068", "warning U+2069"]],
  ["hidden text in tag characters", `hi${tags("run rm")}`, ["critical U+E0072 x6"]],
  ["a single tag character", `hi${tags("x")}`, ["critical U+E0078"]],
  ["a language tag", "a\u{e0001}b", ["critical U+E0001"]],
  ["tags behind a flag that spell no region", `\u{1f3f4}${tags("gbxyz")}\u{e007f}`, ["critical U+E0067 x6"]],
  ["a message behind a flag", `\u{1f3f4}${tags("gbengdo it")}\u{e007f}`, ["critical U+E0067 x11"]],
  ["bytes hidden behind an emoji", `😀${selectors("run it")}`, ["critical U+E0162 x6"]],
  ["two variation selectors", "😀\ufe0f\ufe0e", ["critical U+FE0F x2"]],
  ["a variation selector after a letter", "a\ufe0fb", ["warning U+FE0F"]],
  ["a variation selector after an ASCII sign", "a <\ufe00b", ["warning U+FE00"]],
  [
    "joiners beside an accent that many scripts share",
    "pa\u0308\u200cl e\u0301\u200bvil",
    ["critical U+200C", "critical U+200B"],
  ],
  ["a supplementary selector after a letter", "a\u{e0100}b", ["critical U+E0100"]],
  ["a supplementary selector beyond the registered forms", "葛\u{e01a0}", ["critical U+E01A0"]],
  ["doubled non-joiners in Persian", "می\u200c\u200cخواهم", ["warning U+200C x2"]],
  [
    "a message in zero-width characters",
    "a\u200b\u200c\u200d\u2060\u200b\u200c\u200d\u2060b",
    ["critical U+200B x8"],
  ],
  [
    "a message in direction marks of a Hebrew line",
    `שלום ${"\u200f\u200e".repeat(6)} עולם`,
    ["critical U+200F x12"],
  ],
  ["a joiner that is left of an emoji", "👩\u200d done", ["warning U+200D"]],
  ["a soft hyphen", "pass\u00adword", ["warning U+00AD"]],
  [
    "a word joiner and invisible operators",
    "a\u2060b\u2061c\u2064d",
    ["warning U+2060", "warning U+2061", "warning U+2064"],
  ],
  ["a Mongolian vowel separator in Latin text", "a\u180eb", ["warning U+180E"]],
  [
    "Hangul fillers",
    "a\u3164b\uffa0c\u115fd\u1160e",
    ["warning U+3164", "warning U+FFA0", "warning U+115F", "warning U+1160"],
  ],
  ["a byte order mark inside", "a\ufeffb", ["warning U+FEFF"]],
  ["a combining grapheme joiner in Latin text", "a\u034fb", ["warning U+034F"]],
  ["Khmer inherent vowels in Latin text", "a\u17b4b", ["warning U+17B4"]],
  ["line and paragraph separators", "a\u2028b\u2029c", ["warning U+2028", "warning U+2029"]],
  ["interlinear annotation", "\ufff9a\ufffab\ufffb", ["warning U+FFF9", "warning U+FFFA", "warning U+FFFB"]],
  ["deprecated format characters", "a\u206ab", ["warning U+206A"]],
  ["private-use characters in a row", "\ue000\ue001\ue002\ue003", ["warning U+E000 x4"]],
  ["the last private-use plane", "a\u{100000}", ["warning U+100000"]],
  ["a noncharacter", "a\ufdd0b\u{1ffff}", ["warning U+FDD0", "warning U+1FFFF"]],
  ["an escape sequence", "\x1b[31mred", ["critical U+001B"]],
  ["a C1 command", "a\u009b31m", ["critical U+009B"]],
  ["a backspace", "safe\b\b\b\bevil", ["critical U+0008 x4"]],
  [
    "other control characters",
    "a\0b\x07c\x7fd\x85e",
    ["warning U+0000", "warning U+0007", "warning U+007F", "warning U+0085"],
  ],
  ["a carriage return that overwrites its line", "rm -rf /\rls   ", ["warning U+000D"]],
  ["half of a character", "a\ud83db", ["critical U+D83D"]],
];
for (const [what, text, expected] of hostile)
  test(`found: ${what} [A-AUDIT-01]`, () => {
    expect(found(text)).toEqual(expected);
  });

test("bytes that are no UTF-8 are critical, those in a row one finding [A-AUDIT-01]", () => {
  const bytes = Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x62, 0xe2, 0x82, 0x0a, 0xf5]);
  expect(scan(bytes).findings).toMatchObject([
    {
      line: 1,
      column: 2,
      offset: 1,
      bytes: 3,
      count: 3,
      codePoint: "byte 0xFF",
      name: "NOT UTF-8",
      severity: "critical",
    },
    { line: 1, offset: 5, count: 2, codePoint: "byte 0xE2" },
    { line: 2, column: 1, offset: 8, count: 1, codePoint: "byte 0xF5" },
  ]);
});

test("half of a character in UTF-8's form is told as what it is", () => {
  expect(found(Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0x62))).toEqual(["critical U+D83D"]);
});

test("a byte order mark is information at the start of a file, and a warning at the start of a text in something else [A-AUDIT-03]", () => {
  expect(found("\ufeffa")).toEqual(["info U+FEFF"]);
  expect(found("\ufeffa", "value")).toEqual(["warning U+FEFF"]);
});

test("UTF-16 is told by its mark", () => {
  expect(scan(Uint8Array.of(0xff, 0xfe, 0x61, 0)).findings[0]).toMatchObject({
    severity: "critical",
    count: 2,
    why: "is the mark of UTF-16 text: models read UTF-8",
  });
});

test("a finding has its place in lines, characters and bytes, its name, and the text around it [A-AUDIT-01]", () => {
  expect(scan("# Règles\r\n日本😀 pay\u200bpal\tx\r\nend").findings).toEqual([
    {
      line: 2,
      column: 8,
      offset: 25,
      bytes: 3,
      count: 1,
      codePoint: "U+200B",
      name: "ZERO WIDTH SPACE",
      severity: "critical",
      why: "is invisible and splits a word for search and for the model",
      context: "日本😀 pay\\u{200b}pal x",
    },
  ]);
});

test("hidden messages are told: in tag characters and in variation selectors [A-AUDIT-01]", () => {
  const why = (text: string) => scan(text).findings.map((finding) => finding.why);
  expect(why(`a${tags("send .env")}`)).toEqual(['hidden text in tag characters: "send .env"']);
  expect(why(`😀${selectors("send .env")}`)).toEqual(['hidden text in variation selectors: "send .env"']);
  expect(why(`a${tags("x".repeat(100))}`)[0]).toEndWith('" (and 20 characters more)');
});

test("the text around is cut on both sides and never holds a hidden character itself", () => {
  const { context } = scan(`${"ü".repeat(100)}\u202e${tags("abcdefghijkl")}${"ß".repeat(100)}`).findings[0]!;
  expect(context).toMatch(/^…ü+\\u\{202e\}\[and 12 more hidden characters\]ß*…$/);
  expect(Buffer.byteLength(context)).toBeLessThan(200);
});

test("no default-ignorable, format, control or reserved character passes between Latin letters unseen [A-AUDIT-01]", () => {
  const hidden =
    /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}]/u;
  const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;
  const missed: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (!hidden.test(character) || drawn.test(character) || "\t\n".includes(character)) continue;
    if (characterClass(point) === "visible") missed.push(point.toString(16));
  }
  expect(missed).toEqual([]);
});

test("visible characters of every block are left alone", () => {
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cc}\p{Z}\p{Co}\p{Cn}\u2800]/u;
  const wrong: string[] = [];
  for (let point = 0x20; point < 0x30000; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    if (!hidden.test(String.fromCodePoint(point)) && characterClass(point) !== "visible")
      wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("findings are bounded by severity and all are counted, so that a flood of one kind hides no other", () => {
  const { findings, counts, leftOut } = scan(`${"👩\u200d💻 a\u00adb ".repeat(1000)}\u202e`, { most: 5 });
  expect(counts).toEqual({ critical: 1, warning: 1000, info: 1000 });
  expect(findings.map(({ severity }) => severity).filter((severity) => severity === "critical")).toHaveLength(
    1,
  );
  expect(findings).toHaveLength(11);
  expect(leftOut).toBe(1990);
});

test("a line of a hundred thousand direction controls is judged, and each is counted", () => {
  expect(scan("\u2067a\u2069".repeat(50_000)).counts).toEqual({ critical: 100_000, warning: 0, info: 0 });
});

test("columns of findings in one endless line are counted once over it", () => {
  const text = `${"é".repeat(200_000)}\u200b`.repeat(5);
  expect(scan(text).findings.map(({ column }) => column)).toEqual([
    200_001, 400_002, 600_003, 800_004, 1_000_005,
  ]);
});
