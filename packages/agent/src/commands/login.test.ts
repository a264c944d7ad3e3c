/** `pi login`, `pi logout` and the words that they share with `/login`, with ports in memory. */
import { expect, test } from "bun:test";
import type { CommandResult } from "../contract/command.ts";
import type { LoginChoice, LoginState } from "../contract/logins.ts";
import { stateWords } from "./login/login-words.ts";
import { type LoginCommandPorts, loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import { loginSlashCommand } from "./slash/login.ts";
import { logoutSlashCommand } from "./slash/logout.ts";
import { completed, run } from "./slash/test-support/run-command.ts";
import { type ScriptedAnswer, ScriptedDialogs, wordsOf } from "./slash/test-support/scripted-dialogs.ts";

const NOW = Date.UTC(2026, 10, 30, 14);
const CHOICES: LoginChoice[] = [
  {
    provider: "acme",
    title: "Acme",
    ways: ["browser", "device", "key"],
    missing: null,
    keyVariable: "ACME_API_KEY",
  },
  {
    provider: "anthropic",
    title: "Anthropic",
    ways: ["key"],
    missing: "OAuth needs a client of your own.",
    keyVariable: "ANTHROPIC_API_KEY",
  },
];
const OAUTH: LoginState = {
  provider: "acme",
  kind: "oauth",
  source: "a file",
  account: "ann",
  expiresAt: NOW + 3_600_000,
  renews: true,
};

function ports(answers: readonly ScriptedAnswer[] | null, states: readonly LoginState[] = [], stdin = "k") {
  const did: string[] = [];
  const dialogs = answers === null ? null : new ScriptedDialogs(answers);
  const all: LoginCommandPorts = {
    near: () => [],
    login: {
      choices: async () => CHOICES,
      async logIn(provider, way) {
        did.push(`log in ${provider} ${way}`);
        return { state: OAUTH, notes: [] };
      },
      async saveKey(provider, key) {
        did.push(`save ${provider} ${key}`);
        return { state: { provider, kind: "key", source: "the file" }, notes: ["a note"] };
      },
      states: async () => states,
      async logOut(provider) {
        did.push(`log out ${provider}`);
        return { done: [`gone: ${provider}`], left: [] };
      },
      openBrowser: () => false,
      tell: (message) => void did.push(`told ${message}`),
      now: () => NOW,
    },
    person: { dialogs: async () => dialogs, keyFromStdin: async () => stdin },
  };
  return { all, did, dialogs };
}

async function login(
  words: string[],
  options: Record<string, true>,
  { all }: ReturnType<typeof ports>,
): Promise<{ result: CommandResult; text: string }> {
  const result = await loginCommand.run({ words, options }, all, new AbortController().signal);
  return { result, text: wordsOf(result.blocks) };
}

test("a person chooses provider and way, and is told until when they are logged in [A-AUTH-01]", async () => {
  const port = ports(["Acme", "in the browser"]);
  const { text } = await login([], {}, port);
  expect(port.did).toEqual(["log in acme browser"]);
  expect(text).toBe("Logged in to Acme as ann, until 2026-11-30 15:00 UTC, renewed by itself.");
});

test("a key is asked for in secret, after what OAuth would need was told [A-AUTH-04]", async () => {
  const port = ports(["sk-typed"]);
  const { text, result } = await login(["anthropic"], {}, port);
  expect(port.did).toEqual(["told OAuth needs a client of your own.", "save anthropic sk-typed"]);
  expect(port.dialogs!.texts).toEqual([
    { title: "API key for Anthropic (ANTHROPIC_API_KEY):", secret: true },
  ]);
  expect([text, result.exitCode]).toEqual(["The key for Anthropic is kept in the file.\na note", 0]);
});

test.each([[null], [""], ["  "]])(
  "a question that is answered with %p changes nothing, which is no success",
  async (answer) => {
    const port = ports([answer]);
    const { text, result } = await login(["anthropic"], { key: true }, port);
    expect([text, port.did.filter((what) => what.startsWith("save"))]).toEqual(["Nothing was changed.", []]);
    expect([result.exitCode, result.data]).toEqual([1, { ok: false, message: "Nothing was changed." }]);
  },
);

test("where nobody is at a terminal the usual way is taken, and a key is only taken from stdin [A-AUTH-04]", async () => {
  const oauth = ports(null);
  await login(["acme"], {}, oauth);
  expect(oauth.did).toEqual(["log in acme browser"]);
  const key = ports(null);
  const { text, result } = await login(["anthropic"], {}, key);
  expect([result.exitCode, key.did]).toEqual([1, []]);
  expect(text).toContain("pi login anthropic --key-stdin < FILE");
  const piped = ports(null, [], "from stdin");
  await login(["anthropic"], { "key-stdin": true }, piped);
  expect(piped.did).toEqual(["save anthropic from stdin"]);
});

test("a login that only a pasted answer can end is not waited for where there is no terminal [U01]", async () => {
  const port = ports(null);
  port.all.login.logIn = async (_provider, _way, screen) => {
    screen.browser({ url: "https://acme.example", pasteOnly: "port 80 is in use", take: () => true });
    return { state: OAUTH, notes: [] };
  };
  await expect(login(["acme"], { browser: true }, port)).rejects.toThrow(
    expect.objectContaining({
      message: expect.stringContaining("needs a terminal to paste into what the browser ends at: port 80"),
      hint: "Run it in a terminal: pi login acme, or here with --device",
    }),
  );
  expect(port.did).toEqual([]);
});

test("a way that a provider does not have is refused with what to set [A-AUTH-01]", async () => {
  const port = ports([]);
  const { text, result } = await login(["anthropic"], { browser: true }, port);
  expect([result.exitCode, port.did]).toEqual([1, []]);
  expect(text).toBe("One cannot log in to Anthropic in the browser.\nOAuth needs a client of your own.");
});

test("flags that exclude each other, and --key-stdin without a name, end with 2", async () => {
  for (const [words, options] of [
    [["acme"], { browser: true, device: true }],
    [["acme"], { key: true, "key-stdin": true }],
    [[], { "key-stdin": true }],
  ] as const)
    expect((await login([...words], options as Record<string, true>, ports([]))).result.exitCode).toBe(2);
});

test("--status says who is logged in and until when, also as data; nobody is exit code 1", async () => {
  const { result, text } = await login([], { status: true }, ports(null, [OAUTH]));
  expect(text).toContain("acme | as ann, until 2026-11-30 15:00 UTC, renewed by itself | a file");
  expect(result.data).toEqual({
    logins: [
      expect.objectContaining({ provider: "acme", expires_at: "2026-11-30T15:00:00.000Z", renews: true }),
    ],
  });
  expect((await login([], { status: true }, ports(null))).result.exitCode).toBe(1);
});

test("a key behind the name is refused, and never becomes a prompt [A-AUTH-04][X05]", async () => {
  const words = ["openai", "sk-proj-0123456789abcdef"];
  expect(loginCommand.accepts({ words, options: {} })).toBe(true);
  const port = ports([]);
  const { result, text } = await login(words, {}, port);
  expect([result.exitCode, port.did, text.includes(words[1]!)]).toEqual([2, [], false]);
});

test.each([
  [["sk-ant-api03-0123456789abcdef"]],
  [["openai", "the", "key", "is", "sk-proj-0123456789abcdef"]],
  [["openai", "AIzaSy0123456789012345678901234567890"]],
  [["openai", "OPENAI_API_KEY=sk-proj-0123456789abcdef"]],
  [["with", "my", "key=0123456789abcdef"]],
  [["azure", "Zm9v+YmFy/0123456789ABCDEF=="]],
  [["openai", "'sk-proj-0123456789abcdef'"]],
])("%j is refused without a word of the key, and never becomes a prompt [A-AUTH-04][X05]", async (words) => {
  expect(loginCommand.accepts({ words, options: {} })).toBe(true);
  const port = ports([]);
  const { result, text } = await login(words, {}, port);
  expect([result.exitCode, port.did, text.includes(words.at(-1)!)]).toEqual([2, [], false]);
  expect(text).toContain("--key");
});

test("a key behind pi logout is refused without a word of it, and never becomes a prompt [A-AUTH-04][X05]", async () => {
  const words = ["openai", "sk-proj-0123456789abcdef"];
  expect(logoutCommand.accepts({ words, options: {} })).toBe(true);
  const port = ports([], [OAUTH]);
  const result = await logoutCommand.run({ words, options: {} }, port.all, new AbortController().signal);
  expect([result.exitCode, port.did, wordsOf(result.blocks).includes(words[1]!)]).toEqual([2, [], false]);
});

test("what may be a key in the place of a provider is not repeated by /login and /logout either [X05]", async () => {
  const word = "AbCd0123456789EfGh";
  const port = ports([], [OAUTH, { provider: "openai", kind: "key", source: "a file" }]);
  const loggedIn = await run(loginSlashCommand, word, port.all);
  const loggedOut = await run(logoutSlashCommand, word, port.all);
  expect([loggedIn.failed, loggedOut.failed]).toEqual([true, true]);
  expect(loggedIn.said + loggedOut.said).not.toContain(word);
});

test("words of a login that is over say how to come back", () => {
  const over = { ...OAUTH, expiresAt: NOW - 1, renews: false };
  expect(stateWords(over, NOW)).toBe("as ann, expired 2026-11-30 13:59 UTC, pi login acme");
  expect(stateWords({ ...OAUTH, ended: "revoked" }, NOW)).toBe("ended: revoked; pi login acme");
});

test("pi logout takes the only login, asks among several, and names them where nobody can be asked [A-AUTH-04]", async () => {
  const key: LoginState = { provider: "openai", kind: "key", source: "a file" };
  const out = async (port: ReturnType<typeof ports>, ...words: string[]) => {
    const result = await logoutCommand.run({ words, options: {} }, port.all, new AbortController().signal);
    return { code: result.exitCode, text: wordsOf(result.blocks), did: port.did };
  };
  expect(await out(ports(null, [OAUTH]))).toMatchObject({ code: 0, text: "gone: acme" });
  expect((await out(ports(["openai"], [OAUTH, key]))).did).toEqual(["log out openai"]);
  const nobody = await out(ports(null, [OAUTH, key]));
  expect(nobody).toMatchObject({ code: 1, did: [] });
  expect(nobody.text).toContain("One of: acme, openai.");
  expect((await out(ports(null, [OAUTH]), "gemini")).text).toContain('Nobody is logged in to "gemini".');
});

test("a sentence that begins with login is a prompt", () => {
  const accepts = (words: string[]) => loginCommand.accepts({ words, options: {} });
  expect([accepts([]), accepts(["openai"]), accepts(["form", "is", "broken"])]).toEqual([true, true, false]);
  expect(accepts(["form", "https://acme.example/issues/12"])).toBe(false);
});

test("/login completes providers, then their ways, and repeats nothing that may be a key [A-AUTH-04][X05]", async () => {
  const port = ports([]);
  expect(await completed(loginSlashCommand, "a", port.all)).toEqual(["acme", "anthropic"]);
  expect(await completed(loginSlashCommand, "acme d", port.all)).toEqual(["acme device"]);
  const { said, failed } = await run(loginSlashCommand, "acme sk-secret", port.all);
  expect([failed, said.includes("sk-secret"), port.did]).toEqual([true, false, []]);
});
