import { expect, test } from "bun:test";
import { estimateTokens } from "./estimate-tokens.ts";

/** Texts and what OpenAI's tokenizer o200k counts for them. */
const COUNTED: readonly (readonly [name: string, text: string, tokens: number])[] = [
  [
    "prose",
    "We decided to keep the retry budget per provider, because requests of one provider share its limits. The next release makes this a setting, and until then the number is fixed at three attempts within a minute.",
    41,
  ],
  [
    "code",
    `export async function readAnswer(response: Response, { count, dimensions }: Expected): Promise<Float32Array[]> {
  const data = await response.json();
  if (!Array.isArray(data.items) || data.items.length !== count)
    throw new TypeError(\`expected \${count} vectors, got \${data.items?.length ?? 0}\`);
  return data.items.map((entry) => unitVector(Float32Array.from(entry.embedding.slice(0, dimensions))));
}
`,
    92,
  ],
  [
    "a framed memory",
    `<memory id="m8f3kq20zv91" kind="decision" by="user" typed="yes" date="2026-05-06">
We use pnpm for the monorepo; npm install breaks the lock file.
</memory>`,
    56,
  ],
  [
    "Chinese",
    "我们决定为每个提供商保留重试预算，因为同一提供商的请求共享其限制。下一个版本会把它变成设置。",
    33,
  ],
  [
    "Japanese",
    "東京の天気はどうですか。明日の会議は午後三時に変更されました。資料を事前に確認してください。",
    30,
  ],
  ["Korean", "다음 릴리스에서는 이것을 설정으로 만들고 그때까지는 숫자를 세 번으로 고정합니다.", 25],
  [
    "Russian",
    "Мы решили хранить бюджет повторов для каждого поставщика, потому что запросы делят его ограничения.",
    21,
  ],
  ["Arabic", "قررنا الاحتفاظ بميزانية إعادة المحاولة لكل مزود لأن الطلبات تشترك في حدوده.", 22],
  ["Hindi", "हमने प्रत्येक प्रदाता के लिए पुनः प्रयास बजट रखने का निर्णय लिया।", 17],
  ["Thai", "เราตัดสินใจเก็บงบประมาณการลองใหม่สำหรับผู้ให้บริการแต่ละราย", 20],
  ["numbers", "ERR_4711 at 2026-05-06T12:34:56.789Z 0x7f3a9c 192.168.10.254:8443 3.14159265358979", 49],
  [
    "paths",
    "packages/remem/src/core/ranking/window-score.ts:42 node_modules/@huggingface/tokenizers/dist/tokenizers.min.mjs",
    26,
  ],
  ["pictures", "🎉🚀✅❌👍🏽🇩🇪 done ✨", 17],
];

test.each(COUNTED)(
  "%s is estimated at no less than its real tokens, and no more than two and a quarter times them",
  (_, text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 2.25);
  },
);

test("what English projects are made of is estimated within half of its real tokens", () => {
  for (const [, text, tokens] of COUNTED.slice(0, 3))
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.5);
});

test("nothing costs nothing, and more text never costs less", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("word ".repeat(100))).toBeGreaterThan(estimateTokens("word ".repeat(50)));
});
