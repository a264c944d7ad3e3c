import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { TINY_PNG, workspace } from "@pi-ts/testkit";
import { BROWSER, openPage } from "../test-support/browser.ts";
import { answer, call, exported, result, transcript, user } from "../test-support/transcripts.ts";

/** Each would set `window.hit`, or ask for an address, if it acted. */
const ATTACKS = [
  "<script>window.hit = 1</script>",
  "</script><script>window.hit = 1</script>",
  "</style><script>window.hit = 1</script><style>",
  '"><img src=x onerror="window.hit = 1">',
  "' onmouseover='window.hit = 1",
  "<img src=https://evil.example/a.png>",
  "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
  "<svg onload=window.hit=1>",
  "<base href=https://evil.example/>",
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  "<link rel=stylesheet href=https://evil.example/a.css>",
  "<form action=https://evil.example/><button autofocus onfocus=window.hit=1>",
  "<!--",
  "<![CDATA[",
  "&lt;script&gt;window.hit = 1&lt;/script&gt;",
  "\u0000<scr\u0000ipt>window.hit = 1</script>",
  "\u202egnp.exe",
  "\u001b]8;;javascript:window.hit=1\u0007click\u001b]8;;\u0007",
];
const MARKDOWN = [
  "[a](javascript:window.hit=1)",
  "[b]( JaVaScRiPt:window.hit=1)",
  "[c](data:text/html,<script>window.hit=1</script>)",
  "[d](vbscript:x) [e](file:///etc/passwd) [f](//evil.example)",
  "![g](https://evil.example/pixel.png)",
  '[h](https://evil.example/"onclick="window.hit=1)',
  "<javascript:window.hit=1> [i][j]\n\n[j]: javascript:window.hit=1",
  '```html"onclick="window.hit=1\n</code></pre><script>window.hit=1</script>\n```',
  "| <script>window.hit=1</script> |\n|---|\n| <img src=x onerror=window.hit=1> |",
  "# <script>window.hit=1</script>\n\n- <svg onload=window.hit=1>\n\n> <script>window.hit=1</script>",
];

function hostilePage(): string {
  const all = [...ATTACKS, ...MARKDOWN];
  const messages = all.flatMap((text, index) => [
    user(text),
    answer({ type: "thinking", text }, text, call(`c${index}`, text, { [text]: text, command: text })),
    result(`c${index}`, [
      { type: "text", text },
      { type: "image", mimeType: `image/png" onerror="window.hit=1`, data: "AAAA" },
      { type: "image", mimeType: "image/svg+xml", data: btoa("<svg onload='window.hit=1'/>") },
      { type: "image", mimeType: "image/png", data: '"><script>window.hit=1</script>' },
    ]),
    answer(call(`e${index}`, "edit", { old_string: text, new_string: text, file_path: text })),
  ]);
  return exported(
    transcript(messages, {
      title: all.join(" "),
      cwd: all.join(" "),
      others: all.map((text, index) => [text, index, [user(text), answer(text)]]),
    }),
  );
}

test("no content becomes an element, an attribute or an address that acts [A-SESS-01]", () => {
  const html = hostilePage();
  const inside = html.slice(html.indexOf("<body>"), html.lastIndexOf("<script>"));
  const elements = new Set([...inside.matchAll(/<([a-z0-9]+)/gi)].map(([, name]) => name!.toLowerCase()));
  for (const name of ["script", "iframe", "svg", "base", "meta", "link", "form", "style", "object", "embed"])
    expect(elements.has(name)).toBe(false);
  const tags = [...inside.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
  expect(tags.filter((tag) => /\son\w+\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""')))).toEqual([]);
  const addresses = [...inside.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
  for (const address of addresses)
    expect(address).toMatch(/^(?:#\w+$|https:\/\/evil\.example\/|data:image\/png;base64,[A-Za-z0-9+/=]*$)/);
  // Pictures of the network are links, which a person may follow or not.
  expect(inside).not.toMatch(/<img[^>]*evil/);
  expect(html).not.toContain("\u202e");
  expect(html).not.toContain("\u001b");
  expect(html.match(/<script>/g)).toHaveLength(1);
});

test("the page's policy lets nothing act but its own style and script", () => {
  const html = exported(transcript([user("hi")]));
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  const sha = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
  const style = sha(/<style>([\s\S]*?)<\/style>/.exec(html)![1]!);
  const script = sha(/<script>([\s\S]*?)<\/script>/.exec(html)![1]!);
  expect(policy).toBe(
    `default-src 'none'; img-src data:; style-src 'sha256-${style}'; script-src 'sha256-${script}'; base-uri 'none'; form-action 'none'`,
  );
  // What comes before the policy is not held by it.
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<title>"));
});

test.skipIf(BROWSER === null)(
  "in a browser hostile content executes nothing and asks for nothing (needs Chromium)",
  async () => {
    await using ws = await workspace({});
    const file = ws.at("page.html");
    writeFileSync(file, hostilePage());
    await using page = await openPage(ws, file);
    await page.value("document.getElementById('fold').click()");
    await page.until("[...document.querySelectorAll('details')].every((each) => each.open)");
    await page.value(
      "for (const each of document.querySelectorAll('main *')) { each.dispatchEvent(new Event('mouseover')); each.dispatchEvent(new Event('focus')); }",
    );
    expect(await page.value("window.hit")).toBeUndefined();
    expect(page.requests.filter((url) => !/^(?:file|data):/.test(url))).toEqual([]);
    expect(await page.value("document.scripts.length")).toBe(1);
    // Nothing even came as far as the policy.
    expect(page.console.filter((message) => /Content Security Policy/i.test(message))).toEqual([]);
  },
);

test.skipIf(BROWSER === null)(
  "in a browser the page renders, searches, folds and changes its colours (needs Chromium)",
  async () => {
    await using ws = await workspace({});
    const file = ws.at("page.html");
    const messages = [
      user("Please fix the parser", { type: "image", mimeType: "image/png", data: TINY_PNG }),
      answer(
        { type: "thinking", text: "hmm" },
        "I **will** look.",
        call("c1", "bash", { command: "cat parser.ts" }),
      ),
      result("c1", "line one\nthe needle in a result"),
      answer("Done:\n\n```ts\nconst a = 1;\n```"),
    ];
    writeFileSync(file, exported(transcript(messages, { others: [["try", 2, [user("another needle")]]] })));
    await using page = await openPage(ws, file);
    expect(page.console).toEqual([]);
    expect(await page.value("document.querySelectorAll('article').length")).toBe(4);
    expect(await page.value("document.querySelector('img').naturalWidth")).toBeGreaterThan(0);
    expect(await page.value("getComputedStyle(document.querySelector('article.user')).borderLeftStyle")).toBe(
      "solid",
    );
    expect(await page.value("document.querySelector('nav').hidden")).toBe(false);
    const open = "[...document.querySelectorAll('details')].filter((each) => each.open).length";
    expect(await page.value(open)).toBe(0);
    const type = (text: string) =>
      page.value(
        `(() => { const input = document.getElementById('search'); input.value = ${JSON.stringify(text)}; input.dispatchEvent(new Event('input')); })()`,
      );
    await type("NEEDLE");
    await page.until("document.getElementById('count').value === '1 of 2'");
    expect(await page.value("document.querySelector('details.tool').open")).toBe(true);
    expect(await page.value("document.getElementById('m1').hidden")).toBe(true);
    expect(await page.value("CSS.highlights.get('hit').size")).toBe(2);
    await page.value(
      "document.getElementById('search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))",
    );
    expect(await page.value("document.getElementById('count').value")).toBe("2 of 2");
    expect(await page.value("document.querySelector('details.branch').open")).toBe(true);
    await type("");
    await page.until(`${open} === 0 && document.querySelectorAll('article[hidden]').length === 0`);
    const background = "getComputedStyle(document.body).backgroundColor";
    const before = await page.value(background);
    await page.value("document.getElementById('theme').click()");
    expect(await page.value(background)).not.toBe(before);
  },
);

if (BROWSER === null) process.stderr.write("Chromium is not installed: pages are not tested in a browser\n");
