/** What goes into a prompt: pastes, files, images, earlier prompts, the editor of the person. */
import { expect, test } from "bun:test";
import { executable, modelServer, say, TINY_PNG, workspace } from "@pi-ts/testkit";
import { draftIs, draftOf, leave, openPi, send, talk } from "./support.ts";

test("a paste of 5,000 lines is sent whole, and the editor shows only that it is there", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("that was long"));
  await using program = await openPi(ws, server);
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at} of the paste`).join("\n");
  program.paste(lines);
  await program.waitFor(
    (shown) => draftOf(shown).includes("5000 lines") || draftOf(shown).includes("5,000 lines"),
  );
  expect(draftOf(program).split("\n")).toHaveLength(1);
  program.press("enter");
  await program.waitFor("that was long");
  expect(server.request(1).userTexts.join("\n")).toContain(lines);
});

test("a paste that begins with a slash or an exclamation mark runs nothing hidden", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("read it"));
  await using program = await openPi(ws, server);
  program.paste(`!touch pwned\n${"more\n".repeat(50)}`);
  await program.waitFor((shown) => draftOf(shown) !== "");
  program.press("enter");
  await program.waitFor("read it");
  expect(ws.exists("pwned")).toBe(false);
  expect(server.request(1).userTexts.at(-1)).toContain("!touch pwned");
});

test("escape sequences inside a paste reach the model as text at most, and the terminal never", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("fine"));
  await using program = await openPi(ws, server);
  program.paste("before\x1b]0;evil title\x07after");
  await program.waitFor("after");
  program.press("enter");
  await program.waitFor("fine");
  expect(program.output).not.toContain("\x1b]0;evil title");
  expect(program.title).not.toContain("evil");
});

test("@ completes files of the project without ignored and secret ones, and Tab takes one", async () => {
  await using server = await modelServer();
  await using ws = await workspace(
    {
      "src/parser.ts": "x",
      "src/printer.ts": "x",
      ".gitignore": "out/\n",
      "out/parser.js": "x",
      ".env": "K=1",
    },
    { git: true },
  );
  server.reply(say("looked"));
  await using program = await openPi(ws, server);
  program.type("explain @pars");
  await program.waitFor(/→ .*parser\.ts/);
  expect(program.screen().join("\n")).not.toContain("out/parser.js");
  program.press("tab");
  await program.waitFor((shown) => draftOf(shown).startsWith("explain @src/parser.ts"));
  send(program, "please");
  await program.waitFor("looked");
  expect(server.request(1).userTexts.at(-1)).toMatch(/explain @src\/parser\.ts ?please/);
});

test("the path of an image that is dropped becomes an image of the request", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "shot.png": Buffer.from(TINY_PNG, "base64") });
  server.reply(say("a tiny picture"));
  await using program = await openPi(ws, server);
  program.type("what is this? ");
  await draftIs(program, "what is this?");
  program.paste(ws.at("shot.png"));
  await program.waitFor((shown) => /\[.*image.*\]/i.test(draftOf(shown)));
  program.press("enter");
  await program.waitFor("a tiny picture");
  expect(server.request(1).userImages).toEqual([{ mimeType: "image/png", data: TINY_PNG }]);
});

test("Up brings back what was sent in an earlier run, and Ctrl+R finds it [A-TUI-01][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("fine")]);
  await using first = await openPi(ws, server);
  await talk(first, "sweep the chimney", "fine");
  send(first, "feed the cat");
  await first.waitFor("> feed the cat");
  await leave(first);
  await using second = await openPi(ws, server);
  second.press("up");
  await draftIs(second, "feed the cat");
  second.press("up");
  await draftIs(second, "sweep the chimney");
  second.press("ctrl+c", "ctrl+r");
  second.type("cat");
  await second.waitFor(/feed the cat/);
  second.press("enter");
  await draftIs(second, "feed the cat");
});

test("Ctrl+G opens the draft in the editor of the person and takes over what it saved", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "edit.sh": executable(
      '#!/bin/sh\nprintf "EDITING %s\\n" "$(cat "$1")"\nread answer\nprintf "written %s" "$answer" > "$1"\n',
    ),
  });
  const env = { EDITOR: ws.at("edit.sh") };
  await using program = await openPi(ws, server, { env });
  program.type("my draft");
  await draftIs(program, "my draft");
  program.press("ctrl+g");
  await program.waitFor("EDITING my draft");
  expect(program.modes.alternateScreen).toBe(false);
  expect(program.lineSettings.canonical).toBe(true);
  program.type("by hand\n");
  await draftIs(program, "written by hand");
  expect(program.modes.alternateScreen).toBe(true);
});

test("an editor that fails leaves the draft, and one that is missing is named", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { env: { EDITOR: "false" } });
  program.type("my draft");
  await draftIs(program, "my draft");
  program.press("ctrl+g");
  await program.waitFor("The prompt stays as it was.");
  program.type("!");
  await draftIs(program, "my draft!");
  await using other = await openPi(ws, server, { env: { EDITOR: "no-such-editor" } });
  other.press("ctrl+g");
  await other.waitFor(/no-such-editor[\s\S]*Check VISUAL and EDITOR\./);
});

test("Shift+Enter and Alt+Enter make a new line, Enter sends both lines [A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("two lines"));
  await using program = await openPi(ws, server);
  program.type("one");
  program.press("shift+enter");
  program.type("two");
  await draftIs(program, "one\ntwo");
  program.press("enter");
  await program.waitFor("two lines");
  expect(server.request(1).userTexts.at(-1)).toContain("one\ntwo");
});

test("wide characters and emoji keep the cursor where they end [T04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  program.type("日本語👩‍👩‍👧x");
  await program.waitFor((shown) => draftOf(shown).endsWith("x"));
  expect(program.cursor().column).toBe(3 * 2 + 2 + 1);
  program.press("backspace", "backspace");
  await draftIs(program, "日本語");
  expect(program.cursor().column).toBe(6);
});
