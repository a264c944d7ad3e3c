import { expect, test } from "bun:test";
import { benignCorpus } from "./__fixtures__/benign-corpus.ts";
import { chance } from "./__fixtures__/chance.ts";
import { secretCorpus } from "./__fixtures__/secret-corpus.ts";
import { createScreen } from "./create-screen.ts";

const screen = createScreen();
const TOKEN = `gh${"p_"}${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"}`;

const textOf = async (text: string): Promise<string> => (await screen.screen(text)).text;

test("what stands in a private block is gone, nested, in any case, in a code fence and without its end [A-MEM-09] [R09]", async () => {
  const outcomes = await Promise.all(
    [
      "a <private>b</private> c",
      "a <PRIVATE>b <private>c</private> d</Private> e",
      "a\n```xml\n<private>b</private>\n```\nc",
      "a <private reason='x'>b\nc",
      "a </private> b",
      "a <private>b</private> c <private>d</private> e",
      "a <pri\u200bvate>b</private> c",
      "a <privateer>b</privateer> c",
      "a <private>[redacted:email] b</private> c",
    ].map(textOf),
  );
  expect(outcomes).toEqual([
    "a [redacted:private-block] c",
    "a [redacted:private-block] e",
    "a\n```xml\n[redacted:private-block]\n```\nc",
    "a [redacted:private-block]",
    "a </private> b",
    "a [redacted:private-block] c [redacted:private-block] e",
    "a [redacted:private-block] c",
    "a <privateer>b</privateer> c",
    "a [redacted:private-block] c",
  ]);
});

test("a secret goes by its span, and the words around it stay [A-MEM-09] [R09]", async () => {
  expect(await screen.screen(`push failed for ${TOKEN}, retried`)).toEqual({
    text: "push failed for [redacted:github-token], retried",
    findings: [{ rule: "github-token", category: "secret", offset: 16, length: TOKEN.length }],
  });
});

test("sentences and names that only look like secrets stay as they are [A-MEM-09] [C14]", async () => {
  const texts = [
    "docs/adr/0015-treat-retrieved-memory-as-untrusted-data",
    "feature/JIRA-1234-move-auth-to-gateway",
    "packages/ui/src/components/DataTable/useColumnResize",
    "OPENAI_BASE_URL_OVERRIDE_FOR_TESTING_V2",
    "The staging password is stored in Vault",
    "We decided the access token is refreshed in middleware",
    "All tests pass: 774 of 774",
  ];
  expect(await Promise.all(texts.map(textOf))).toEqual(texts);
});

test("a secret is found when hidden characters or line breaks cut it [R09] [X05]", async () => {
  const hidden = `${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9, 20)}\u{e0041}${TOKEN.slice(20)}`;
  const wrapped = `token: ${TOKEN.slice(0, 10)}\n${TOKEN.slice(10, 25)}\n${TOKEN.slice(25)}\ndone`;
  const joined = `const t = "${TOKEN.slice(0, 12)}" +\n  "${TOKEN.slice(12)}";`;
  expect(await Promise.all([hidden, wrapped, joined].map(textOf))).toEqual([
    "[redacted:github-token]",
    "token: [redacted:github-token]\ndone",
    'const t = "[redacted:github-token]";',
  ]);
});

test("offsets are those of the text as it came, with hidden characters before and emoji around [A-MEM-09]", async () => {
  const text = `\u{1f600}\u200b x\u202e ${TOKEN} \u{1f469}\u200d\u{1f467} jane@acme.dev \u{1f3fd}`;
  const { findings, text: kept } = await screen.screen(text);
  expect(findings.map(({ rule, offset, length }) => [rule, text.slice(offset, offset + length)])).toEqual([
    ["hidden-characters", "\u200b"],
    ["hidden-characters", "\u202e"],
    ["github-token", TOKEN],
    ["email", "jane@acme.dev"],
  ]);
  expect(kept).toBe(
    "\u{1f600} x [redacted:github-token] \u{1f469}\u200d\u{1f467} [redacted:email] \u{1f3fd}",
  );
});

test("screening what was screened changes nothing, whatever stands together [A-MEM-09]", async () => {
  const c = chance(3);
  const parts = [
    ...secretCorpus(5).map(({ text }) => text),
    ...benignCorpus(5),
    "<private>",
    "</private>",
    "\u200d",
    "\u{e0067}",
    "[redacted:",
    "[redacted:email]",
    "\ud83d",
    "password=",
    "jane@acme.dev",
    "+49 30 1234567",
  ];
  const texts = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + c.number(6) }, () => {
      const part = c.pick(parts);
      const cut = c.number(4) === 0 ? c.number(part.length + 1) : part.length;
      return part.slice(0, cut) + c.pick(["", " ", "\n", "\u200b", "="]);
    }).join(""),
  );
  const once = await Promise.all(texts.map(textOf));
  const twice = await Promise.all(once.map(textOf));
  expect(twice).toEqual(once);
  expect(once.every((text) => text.isWellFormed())).toBe(true);
});

test("a mark that somebody wrote hides nothing beside it [A-MEM-09]", async () => {
  expect(await textOf(`DB_PASSWORD=hunter2[redacted:email]${TOKEN}`)).toBe(
    "DB_PASSWORD=[redacted:environment-secret][redacted:email][redacted:github-token]",
  );
});

test("half a character in a text is no harm [A-MEM-09]", async () => {
  expect(await textOf(`\ud83d ${TOKEN} \ude00`)).toBe("\ufffd [redacted:github-token] \ufffd");
});

test("a text that cannot be screened is withheld as a whole [A-MEM-09] [R09]", async () => {
  const failing = createScreen({ maintainedRules: () => Promise.reject(new Error("not there")) });
  expect(await failing.screen("a text")).toEqual({
    text: "[redacted:unscreened]",
    findings: [{ rule: "unscreened", category: "private", offset: 0, length: 6 }],
  });
  expect((await createScreen({ longest: 10 }).screen("x".repeat(11))).text).toBe("[redacted:too-long]");
});

test("what the maintained rules find goes, too [A-MEM-09]", async () => {
  const found = { rule: "new-service-credential", category: "secret", start: 4, end: 9 } as const;
  const withRules = createScreen({
    maintainedRules: async (text) => (text.slice(4, 9) === "value" ? [found] : []),
  });
  expect((await withRules.screen("the value goes")).text).toBe("the [redacted:new-service-credential] goes");
});
