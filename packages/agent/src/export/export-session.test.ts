import { expect, test } from "bun:test";
import { answer, call, exported, result, transcript, user } from "./test-support/transcripts.ts";

const KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
const FORMATS = ["html", "markdown", "json"] as const;

const SECRET = transcript(
  [
    user(`my key is ${KEY}`),
    answer(
      { type: "thinking", text: KEY, signature: "c2lnbmF0dXJl" },
      `it is ${KEY}`,
      call("c1", "bash", { command: `curl -H "x-api-key: ${KEY}"` }),
    ),
    result("c1", `ANTHROPIC_API_KEY=${KEY} known-value-of-mine`),
  ],
  { title: `With ${KEY}`, others: [["try", 1, [user(KEY)]]] },
);

test.each(FORMATS)("%s has no secret in it, in no place [C13]", (format) => {
  const text = exported(SECRET, { format, redact: { secrets: ["known-value-of-mine"] } });
  expect(text).toContain("[redacted]");
  for (const secret of [KEY, KEY.slice(0, 20), "known-value-of-mine", "c2lnbmF0dXJl"])
    expect(text).not.toContain(secret);
});

test.each(FORMATS)("%s says so when secrets were left in", (format) => {
  const text = exported(SECRET, { format, redact: null });
  expect(text).toContain(KEY);
  expect(text).toMatch(format === "json" ? /"redacted": false/ : /secrets were not taken out/);
});

const SESSION = transcript(
  [
    user("Fix the *parser*"),
    answer("I **look**.", call("c1", "bash", { command: "npm test" })),
    result("c1", "```\n2 failed", true),
    answer(call("c2", "read", { file_path: "a.ts" })),
    { role: "user", origin: "summary", parts: [{ type: "text", text: "What came before" }] },
  ],
  { others: [["try-2", 2, [user("Another way"), answer("Yes")]]] },
);

test("Markdown has every message, folded calls with their results, and every branch by name [A-SESS-02]", () => {
  expect(exported(SESSION, { format: "markdown" })).toBe(`# A session

Session \`abc123\` · model p/m · project \`/home/me/project\` · begun 2026-07-01T12:00:00.000Z · exported 2026-07-01T12:00:00.000Z

Branches: **main** (below), try-2

## User

Fix the *parser*

## Assistant

I **look**.

<details>
<summary><b>bash</b> <code>npm test</code> (failed)</summary>

\`\`\`json
{
  "command": "npm test"
}
\`\`\`

\`\`\`\`
\`\`\`
2 failed
\`\`\`\`

</details>

<details>
<summary><b>read</b> <code>a.ts</code></summary>

\`\`\`json
{
  "file_path": "a.ts"
}
\`\`\`

*(no result)*

</details>

## Summary

> What came before

---

# Branch try-2

It goes its own way after message 2 of main.

## User

Another way

## Assistant

Yes
`);
});

test.each(FORMATS)(
  "a summary of another branch is told apart from what anybody said, in %s [A-SESS-02]",
  (format) => {
    const notes = { role: "user", origin: "branch_summary", parts: [{ type: "text", text: "the way left" }] };
    const text = exported(transcript([user("Go on"), notes as never]), { format, redact: null });
    expect(text).toContain("the way left");
    expect(text).toContain(format === "json" ? '"origin":"branch_summary"' : "Summary of another branch");
  },
);

test("JSON parses, with messages as they are stored, their times and every branch", () => {
  const value = JSON.parse(exported(SESSION, { format: "json" })) as Record<string, unknown>;
  expect(value).toMatchObject({
    format: "pi-ts session",
    version: 1,
    redacted: true,
    session: { id: "abc123", cwd: "/home/me/project" },
    branch: "main",
  });
  const messages = value["messages"] as object[];
  expect(messages).toHaveLength(5);
  expect(messages[0]).toEqual({ time: "2026-07-01T12:00:00.000Z", ...user("Fix the *parser*") });
  expect(value["branches"]).toEqual([
    {
      name: "try-2",
      shared: 2,
      messages: [expect.objectContaining({ role: "user" }), expect.objectContaining({ role: "assistant" })],
    },
  ]);
});

test("the page shows each call with its result, failures, thinking, notes and branches where they leave", () => {
  const html = exported(SESSION);
  expect(html).toContain(
    '<details class="tool failed"><summary><span class="state">failed</span><b>bash</b> <code>npm test</code>',
  );
  expect(html).toContain('<details class="tool none">');
  expect(html).toContain("<strong>look</strong>");
  // A person's own text is shown as it was typed.
  expect(html).toContain('<div class="said">Fix the *parser*</div>');
  expect(html).toContain('class="note"');
  const leaves = html.indexOf("Branch <b>try-2</b> leaves here: 2 messages");
  expect(leaves).toBeGreaterThan(html.indexOf('id="m2"'));
  expect(leaves).toBeLessThan(html.indexOf('id="m4"'));
});

test.each(FORMATS)("an empty session is a whole %s document", (format) => {
  const text = exported(transcript([]), { format });
  expect(text.length).toBeGreaterThan(50);
  if (format === "json") expect(JSON.parse(text)).toMatchObject({ messages: [], branches: [] });
});

test("an edit is shown as a difference, and the colours of a terminal are left out", () => {
  const html = exported(
    transcript([
      answer(call("c1", "edit", { file_path: "a.ts", old_string: "one\ntwo", new_string: "1" })),
      result("c1", "\u001b[31mred\u001b[0m"),
    ]),
  );
  expect(html).toContain(
    '<span class="del">- one</span><span class="del">- two</span><span class="add">+ 1</span>',
  );
  expect(html).toContain("<pre>red</pre>");
});
