import { expect, test } from "bun:test";
import { dialogScreen, KEY } from "../test-support/dialog-screen.ts";
import { askConsent, CONSENT_GUARD_MS, type ConsentRequest } from "./consent.ts";
import { askTrust } from "./project-trust.ts";

const REQUEST: ConsentRequest = {
  tool: "bash",
  what: "git push origin main",
  reason: "No rule allows it.",
  rules: ["bash(git push:*)"],
  lasting: true,
};

async function asked(request: ConsentRequest = REQUEST, signal?: AbortSignal) {
  const screen = dialogScreen(72, 20);
  const answer = askConsent(screen.host, request, signal);
  await Promise.resolve();
  screen.after(CONSENT_GUARD_MS);
  return { ...screen, screen, answer };
}

test("a call is asked about with all of its input, why, and the rule that a lasting yes would add", async () => {
  const { screen, dock } = await asked();
  using _ = screen;
  expect(await dock()).toEqual([
    `─ Run bash? ${"─".repeat(60)}`,
    "git push origin main",
    "",
    "No rule allows it.",
    "› Yes, this once",
    "  Yes, in this session  allows bash(git push:*)",
    "  Yes, always           saves the rule bash(git push:*)",
    "  No                    and tell the model what to do instead",
    "Enter chooses   Esc closes",
    "status",
  ]);
});

test.each([
  [0, "once"],
  [1, "session"],
  [2, "always"],
] as const)("answer %d allows it %s", async (downs, allow) => {
  const { screen, type, answer } = await asked();
  using _ = screen;
  type(...Array(downs).fill(KEY.down), KEY.enter);
  expect(await answer).toEqual({ allow });
});

test("a no can tell the model what to do instead", async () => {
  const { screen, type, answer } = await asked();
  using _ = screen;
  type(KEY.up, KEY.enter);
  await Bun.sleep(0);
  type(..."use the fork", KEY.enter);
  expect(await answer).toEqual({ allow: "no", reason: "use the fork" });
});

test("Esc, and an aborted run, are a no", async () => {
  const { screen, type, answer } = await asked();
  using _ = screen;
  type(KEY.escape);
  expect(await answer).toEqual({ allow: "no" });
  const run = new AbortController();
  const second = askConsent(screen.host, REQUEST, run.signal);
  await Promise.resolve();
  run.abort();
  expect(await second).toEqual({ allow: "no" });
});

test("Enter that was meant for the editor allows nothing", async () => {
  using screen = dialogScreen(72, 20);
  const answer = askConsent(screen.host, REQUEST);
  await Promise.resolve();
  screen.type(KEY.enter);
  expect(screen.host.isOpen).toBe(true);
  screen.type(KEY.escape);
  expect(await answer).toEqual({ allow: "no" });
});

test("without a rule that describes it a call can be allowed for the session, but not for good", async () => {
  const { screen, dock } = await asked({ tool: "write", what: "/etc/hosts", rules: [], lasting: false });
  using _ = screen;
  expect((await dock()).filter((row) => row.includes("Yes"))).toEqual([
    "› Yes, this once",
    "  Yes, in this session  for exactly this",
  ]);
});

test("hidden and control characters of a command are shown, not obeyed", async () => {
  const { screen, dock, terminal } = await asked({
    ...REQUEST,
    what: "echo ok\u202e # \x1b[8mrm -rf /\x1b[0m\rls",
  });
  using _ = screen;
  expect((await dock())[1]).toBe("echo ok\\u{202e} # \\x1b[8mrm -rf /\\x1b[0m\\x0dls");
  expect(terminal.written.join("")).not.toMatch(/\u202e|\x1b\[8m/);
});

test("a project's trust is asked with what would act; no is marked first, and one can look before", async () => {
  using screen = dialogScreen(72, 24);
  const answer = askTrust(screen.host, {
    folder: "/home/me/project/.pi-go",
    changed: false,
    items: ["/home/me/project/.pi-go/config.json", "/home/me/project/check.sh"],
    content: () => Promise.resolve([{ kind: "text", text: '{ "hooks": [] }' }]),
  });
  await Promise.resolve();
  screen.after(400);
  const rows = await screen.dock();
  expect(rows.join("\n")).toContain("/home/me/project/check.sh");
  expect(rows.find((row) => row.startsWith("›"))).toStartWith("› Not now");
  screen.type(KEY.down, KEY.enter);
  await Bun.sleep(0);
  expect(await screen.dock()).toContain('{ "hooks": [] }');
  screen.type(KEY.escape);
  await Bun.sleep(0);
  screen.type(KEY.end, KEY.enter);
  expect(await answer).toBe("always");
});

test("a dismissed question trusts nothing", async () => {
  using screen = dialogScreen(72, 24);
  const request = { folder: "/p", changed: true, items: [], content: () => Promise.resolve([]) };
  const answer = askTrust(screen.host, request);
  await Promise.resolve();
  screen.type(KEY.escape);
  expect(await answer).toBe("no");
});
