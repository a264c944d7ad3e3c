import { expect, test } from "bun:test";
import { openCallback } from "./callback-server.ts";
import { pendingAnswer } from "./pending-answer.ts";

const question = () => pendingAnswer({ state: "right", errorCode: "login_refused" });

test("the page takes one answer with the right state, once, at its own path [U01]", async () => {
  const answer = question();
  using server = openCallback(answer);
  const status = async (path: string) => (await fetch(new URL(path, server.redirectUrl))).status;
  expect(await status("/other?code=c&state=right")).toBe(404);
  expect(await status("/callback?code=c&state=wrong")).toBe(400);
  expect(await status("/callback?code=&state=right")).toBe(400);
  expect(await status("/callback?code=c&state=right")).toBe(200);
  const again = await fetch(new URL("/callback?code=other&state=right", server.redirectUrl));
  expect([again.status, await again.text()]).toEqual([400, "This login is over already.\n"]);
  expect((await answer.answered).get("code")).toBe("c");
});

test("a page that is closed listens no more, and one whose port is taken says which [U01]", async () => {
  const first = openCallback(question());
  const port = Number(new URL(first.redirectUrl).port);
  expect(() => openCallback(question(), { port })).toThrow(
    `port ${port}, which the browser has to come back to`,
  );
  first[Symbol.dispose]();
  using second = openCallback(question(), { port, path: "/auth/callback" });
  expect(second.redirectUrl).toBe(`http://127.0.0.1:${port}/auth/callback`);
});

test("a refusal is told in plain letters, whatever the service puts into it [X05]", async () => {
  const answer = question();
  const description = "no\u001b[31m way\n<b>".padEnd(400, "x");
  answer.accept(
    new URLSearchParams({ state: "right", error: "access_denied", error_description: description }),
  );
  const said = await answer.answered.then(String, (thrown: Error) => thrown.message);
  expect(said).toStartWith("the service did not authorise pi (access_denied: no31m wayb");
  expect(said.length).toBeLessThan(260);
});

test("what is typed in is an answer only with its code and state; a code alone only where that is asked for [U01]", () => {
  const bare = pendingAnswer({ state: "right", errorCode: "login_refused", bareCode: true });
  for (const text of ["", "two words", "https://a.example/?code=c&state=wrong", "?code=c", "c#wrong"])
    expect(bare.take(text)).toBe(false);
  expect(question().take("code-alone")).toBe(false);
  for (const text of [
    "http://127.0.0.1:1/cb?code=c&state=right",
    "?code=c&state=right",
    "code=c&state=right",
    "c#right",
  ])
    expect(question().take(` ${text}\n`)).toBe(true);
  expect([bare.take("code-alone"), bare.bare]).toEqual([true, true]);
});

test.skipIf(process.platform === "win32")(
  "a port that the system does not give to an ordinary user is named with what to do [U01]",
  () => {
    const isRoot = process.getuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(() => openCallback(question(), { hostname: "localhost", port: 81 })).toThrow(
        expect.objectContaining({
          code: "callback_port",
          message: expect.stringContaining(
            "port 81, which the browser has to come back to, cannot be opened",
          ),
          hint: expect.stringContaining("Paste the address"),
        }),
      );
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  },
);
