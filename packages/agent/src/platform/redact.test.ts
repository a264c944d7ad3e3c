import { expect, test } from "bun:test";
import { createRedactor } from "./redact.ts";

const { text, data } = createRedactor();
// Put together here, so that no scanner takes this file for a leak.
const j = (...parts: string[]) => parts.join("");
const hex = "0123456789abcdef0123456789abcdef01234567";

const SECRETS: Record<string, string> = {
  "an AWS key id": j("AKIA", "IOSFODNN7EXAMPLE"),
  "a JWT": j(
    "eyJhbGciOiJIUzI1NiJ9",
    ".eyJzdWIiOiIxMjM0NTY3ODkwIn0",
    ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  ),
  "a GitHub token": j("ghp_", hex.slice(0, 36)),
  "a GitHub OAuth token": j("gho_", hex.slice(0, 36)),
  "a fine-grained GitHub token": j("github_pat_", hex, "_", hex),
  "an OpenAI key": j("sk-", hex),
  "an OpenAI project key": j("sk-proj-", "abcDEF_ghi-JKLmno"),
  "an Anthropic key": j("sk-ant-", "api03-abcdefghijk"),
  "a Groq key": j("gsk_", hex),
  "an xAI key": j("xai-", hex),
  "basic authorization": j("Basic ", "ZWFzeWd1ZXNzOjEyMzQ1Njc4OTA="),
  "a Slack token": j("xoxb-", "123456789012-abcdefghijkl"),
  "a Google key": j("AIza", hex.slice(0, 35)),
  "a PEM block": j(
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "MIIEowIBAAKCAQEA\nabcdef==\n",
    "-----END RSA PRIVATE KEY-----",
  ),
  "a PEM block without its end": j("-----BEGIN OPENSSH PRIVATE KEY-----\n", "b3BlbnNzaC1rZXktdjEA"),
};

for (const [name, secret] of Object.entries(SECRETS))
  test(`${name} is taken out, in plain text and inside of JSON text [X05]`, () => {
    expect(text(`before ${secret} after`)).not.toContain(secret.slice(8, 24));
    expect(text(JSON.stringify({ a: [secret] }))).not.toContain(secret.slice(-12).replace(/^.*\n/, ""));
    expect(text(`before ${secret}`)).toStartWith("before ");
  });

test("a PEM block goes whole, with its text lines escaped as in JSON [X05]", () => {
  const escaped = JSON.stringify(`x${SECRETS["a PEM block"]}y`);
  expect(text(escaped)).toBe('"x[redacted]y"');
});

test("the password of a URL goes, its host and user stay [X05]", () => {
  expect(text("psql postgres://bob:s3cr3t@db.example:5432/x")).toBe(
    "psql postgres://bob:[redacted]@db.example:5432/x",
  );
  expect(text("https://example.com:8080/a@b")).toBe("https://example.com:8080/a@b");
});

test("authorization headers lose their value and keep their name [X05]", () => {
  expect(text("Authorization: Bearer abc123def456")).toBe("Authorization: Bearer [redacted]");
  expect(text('{"authorization":"Basic dXNlcjpwYXNz"}')).toBe('{"authorization":"Basic [redacted]"}');
  expect(text("x-api-key: my-own-key")).toBe("x-api-key: [redacted]");
});

test("assignments of keys lose their value [X05]", () => {
  expect(text("export OPENAI_API_KEY=whatever-it-is; ls")).toBe("export OPENAI_API_KEY=[redacted]; ls");
  expect(text('DB_PASSWORD="hunter2hunter2"')).toBe('DB_PASSWORD="[redacted]"');
  expect(text('{"client_secret": "abcdefgh"}')).toBe('{"client_secret": "[redacted]"}');
  expect(text("https://x.example/?key=abcdefgh&b=1")).toBe("https://x.example/?key=[redacted]&b=1");
});

test("keys in use go wherever they stand, also JSON-escaped, URL-encoded and in base64 [X05]", () => {
  const key = 'odd"key/with+signs';
  const own = createRedactor([key, "short"]);
  expect(own.text(`a ${key} b`)).toBe("a [redacted] b");
  expect(own.text(JSON.stringify({ error: `bad ${key}` }))).toBe('{"error":"bad [redacted]"}');
  expect(own.text(`?q=${encodeURIComponent(key)}`)).toBe("?q=[redacted]");
  expect(own.text(`Basic: ${Buffer.from(key).toString("base64")}`)).toBe("Basic: [redacted]");
  expect(own.text("a short word")).toBe("a short word");
});

test("data is copied with every string redacted, and whole where the name says it is a secret [X05]", () => {
  const value = {
    args: { api_key: "x", list: [{ note: SECRETS["an OpenAI key"] }], max_tokens: 5, token: "abc" },
    ok: true,
  };
  expect(data(value)).toEqual({
    args: { api_key: "[redacted]", list: [{ note: "[redacted]" }], max_tokens: 5, token: "[redacted]" },
    ok: true,
  });
  expect(value.args.api_key).toBe("x");
});

test("ordinary text stays as it is", () => {
  for (const ordinary of [
    "the task-runner and the sk-spinner-large class",
    "basic understanding of token: counting",
    "const key = keys[0]; git@github.com:a/b.git",
    "a password must have eight characters",
    "max_tokens=4096 KEY_COUNT = 7",
  ])
    expect(text(ordinary)).toBe(ordinary);
});
