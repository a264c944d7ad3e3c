import { expect, test } from "bun:test";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { MemoryEngine } from "../engine.ts";

const SCOPE = { kind: "project", id: "p" } as const;
const FIRST = 3;

/** What projects and people really write, in many scripts; `locale` is for cutting it into words. */
const TEXTS: readonly { readonly locale: string; readonly text: string }[] = [
  {
    locale: "en",
    text: "The retry budget lives in packages/agent/src/retry/back-off.ts:42 (see `computeDelayMs`).",
  },
  { locale: "en", text: "error[E0502]: cannot borrow `*self` as mutable; exit 0xC0000005 on win32-x64" },
  { locale: "en", text: "Upgraded esbuild 0.21.5 → 0.25.0-beta.3; CVE-2024-23334 is closed, GH-1187 too" },
  { locale: "en", text: "Use snake_case_names in sql/, PascalCaseNames in src\\ui\\, never SCREAMING-KEBAB" },
  { locale: "en", text: "naïve café résumé; Ångström, Łódź, Dvořák & œuvre" },
  { locale: "en", text: "🎉 shipped behind the flag 🇩🇪 👩‍🔬 — ☃" },
  { locale: "en", text: "user+tag@example.org → https://intranet.example:8443/a/b?q=frobnicate#zwölf" },
  { locale: "en", text: "O'Reilly's \"quoted\" AND (nested OR NOT) near: * ^ col:val -- ; DROP" },
  { locale: "de", text: "Die Datenschutzgrundverordnung verlangt Löschfristen für Übertragungsprotokolle." },
  { locale: "fr", text: "L'intégration continue échoue quand l'horloge du conteneur dérive." },
  { locale: "ru", text: "Ёжик починил очередь сообщений, а тайм-аут увеличил вдвое." },
  { locale: "el", text: "Η βάση δεδομένων μεταφέρθηκε στη Φρανκφούρτη." },
  { locale: "ar", text: "قرّرنا نَقْلَ قاعدة البيانات إلى فرانكفورت بسبب التأخير." },
  { locale: "he", text: "העברנו את מסד הנתונים לפרנקפורט בגלל השהיה." },
  { locale: "hi", text: "डेटाबेस को फ्रैंकफर्ट में स्थानांतरित किया गया क्योंकि विलंबता बहुत अधिक थी।" },
  { locale: "th", text: "เราย้ายฐานข้อมูลไปแฟรงก์เฟิร์ตเพราะความหน่วงสูง" },
  { locale: "zh", text: "我们把数据库迁移到法兰克福，因为延迟太高。雨天也要部署。" },
  { locale: "ja", text: "データベースをフランクフルトへ移した。遅延が大きかったためだ。猫も喜ぶ。" },
  { locale: "ko", text: "지연 시간이 길어서 데이터베이스를 프랑크푸르트로 옮겼습니다." },
  { locale: "vi", text: "Chúng tôi đã chuyển cơ sở dữ liệu sang Frankfurt vì độ trễ quá cao." },
  { locale: "tr", text: "Veritabanını İstanbul'dan taşıdık çünkü gecikme ığdır kadardı." },
  { locale: "ka", text: "მონაცემთა ბაზა ფრანკფურტში გადავიტანეთ." },
  { locale: "ta", text: "தரவுத்தளத்தை பிராங்க்பர்ட்டுக்கு மாற்றினோம்." },
  { locale: "am", text: "የውሂብ ጎታውን ወደ ፍራንክፈርት አዛወርነው።" },
];

/** Words as a reader cuts them, and pieces as they stand between spaces: paths, versions, codes. */
function piecesOf({ locale, text }: { readonly locale: string; readonly text: string }): string[] {
  const segments = [...new Intl.Segmenter(locale, { granularity: "word" }).segment(text)];
  const words = segments.filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
  const pictures = text.match(/\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu) ?? [];
  const between = text.split(/\s+/u).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  return [...new Set([...words, ...between, ...pictures])];
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** A kana or a letter of an alphabet alone is no word that anybody looks for. */
const isWord = (piece: string): boolean =>
  [...piece].length > 1 || /[\p{Script=Han}\p{So}\p{RI}]/u.test(piece);

async function filled(
  texts: readonly string[],
): Promise<{ readonly engine: MemoryEngine } & AsyncDisposable> {
  const clock = { now: () => 1_700_000_000_000 };
  const store = await openSqliteStore({ path: ":memory:", clock });
  const engine = new MemoryEngine({ store, clock });
  await engine.remember(
    texts.map((text, index) => ({
      kind: "fact",
      scope: SCOPE,
      text,
      provenance: { host: "test", sessionId: `s${index}`, author: { role: "user" }, typed: true },
    })),
  );
  return { engine, [Symbol.asyncDispose]: () => store.close() };
}

async function firstTexts(engine: MemoryEngine, question: string): Promise<string[]> {
  const { hits } = await engine.search(question, { scopes: [SCOPE], limit: FIRST });
  return hits.map(({ record }) => record.text);
}

test.each(TEXTS)("a text in $locale is found by each of its own words: $text", async (chosen) => {
  await using one = await filled(TEXTS.map(({ text }) => text));
  const others = TEXTS.filter(({ text }) => text !== chosen.text).map(({ text }) => folded(text));
  const rare = piecesOf(chosen)
    .filter(isWord)
    .filter((piece) => !others.some((text) => text.includes(folded(piece))));
  expect(rare.length).toBeGreaterThan(2);
  const missed: string[] = [];
  for (const piece of rare)
    if (!(await firstTexts(one.engine, piece)).includes(chosen.text)) missed.push(piece);
  expect(missed).toEqual([]);
});

const ALPHABETS: readonly (readonly [first: number, last: number])[] = [
  [0x61, 0x7a],
  [0x430, 0x44f],
  [0x3b1, 0x3c9],
  [0x5d0, 0x5ea],
  [0x627, 0x64a],
  [0x905, 0x939],
  [0xe01, 0xe2e],
  [0x3042, 0x3093],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0x10d0, 0x10f0],
  [0x1200, 0x1248],
];

test("made-up words of any alphabet are found, whatever stands around them", async () => {
  let state = 17;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = ([first, last]: readonly [number, number]): string =>
    String.fromCodePoint(...Array.from({ length: 4 + below(4) }, () => first + below(last - first + 1)));
  const gaps = [" ", "-", "/", ".", ", ", "(", ")", "'", '"', "\n", "::", "→", "@", "#", "=", "…", "。"];
  const written = Array.from({ length: 120 }, (_, index) => {
    const words = Array.from({ length: 3 }, () => word(ALPHABETS[index % ALPHABETS.length]!));
    return { words, text: words.map((each) => each + gaps[below(gaps.length)]!).join("") };
  });
  await using one = await filled(written.map(({ text }) => text));
  const missed: string[] = [];
  for (const { words, text } of written)
    for (const each of words)
      if (!(await firstTexts(one.engine, each)).includes(text)) missed.push(`${each} in ${text}`);
  expect(missed).toEqual([]);
});

test("accents, vowel signs, case and width make no difference", async () => {
  await using one = await filled(TEXTS.map(({ text }) => text));
  const pairs = [
    ["resume", "résumé"],
    ["LÖSCHFRISTEN", "Löschfristen"],
    ["ежик", "Ёжик"],
    ["قررنا", "قرّرنا"],
    ["نقل", "نَقْلَ"],
    ["ﾃﾞｰﾀﾍﾞｰｽ", "データベース"],
    ["ｅｓｂｕｉｌｄ", "esbuild"],
  ] as const;
  for (const [asked, there] of pairs) {
    const [first] = await firstTexts(one.engine, asked);
    expect(first).toContain(there);
  }
});
