/** Terminals of every kind: dark, light, without colours, mute, slow, none at all, and tmux between. */

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  call,
  contrastRatio,
  DARK_TERMINAL,
  LIGHT_TERMINAL,
  type ModelServer,
  modelServer,
  say,
  shownColors,
  startTerminal,
  type TerminalColors,
  type TerminalProgram,
  think,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { anyPi, commandFor, pi } from "../support/pi.ts";
import { draftIs, leave, openPi, send, talk } from "./support.ts";

const MARKDOWN = [
  "# A heading\n\nText with **bold**, *italic*, `code`, ~~gone~~ and [a link](https://example.com).",
  "> a quotation\n\n- a point\n- [x] done\n\n| name | value |\n| --- | --- |\n| one | 1 |",
  "```ts\n// a comment\nexport const answer: number = 42; // why\nfunction f(name: string) {\n  return name ?? null;\n}\n```",
  "```diff\n- old\n+ new\n```\n\nthe very end",
].join("\n\n");

const FILES = { "a.ts": "const one = 1;\nconst two = 2;\n" };

/** A conversation with every kind of block on one screen. */
async function everyBlock(program: TerminalProgram, server: ModelServer): Promise<void> {
  server.reply(
    think("A thought about it."),
    call("edit", { file_path: "a.ts", old_string: "two = 2", new_string: "two = 3" }),
    call("bash", { command: "echo fine" }),
    call("bash", { command: "echo broken >&2; exit 1" }),
    call("read", { file_path: "missing.ts" }),
  );
  server.reply(say(MARKDOWN));
  await talk(program, "show me everything", "the very end");
  send(program, "!echo shell; exit 2");
  await program.waitFor(/exit 2 /);
  send(program, "/nonsense");
  await program.waitFor("There is no command /nonsense.");
  send(program, "/session");
  await program.waitFor(/saved in/);
}

/** Cells of text whose colour is too near to what is behind it. Lines and bars are no text. */
function unreadable(program: TerminalProgram, colors: TerminalColors): string[] {
  return program.styles().flatMap((runs, row) =>
    runs.flatMap(({ text, style, column }) => {
      if (!/[\p{L}\p{N}]/u.test(text)) return [];
      const { foreground, background } = shownColors(style, colors);
      const contrast = contrastRatio(foreground, background);
      return contrast >= 4.5
        ? []
        : [`${row}:${column} ${JSON.stringify(text)} ${foreground} on ${background}: ${contrast.toFixed(2)}`];
    }),
  );
}

for (const [name, colors] of [
  ["dark", DARK_TERMINAL],
  ["light", LIGHT_TERMINAL],
  ["black", { foreground: "#ffffff", background: "#000000" }],
  ["cream", { foreground: "#586e75", background: "#fdf6e3" }],
] as const)
  test(`on a ${name} terminal every text can be read: contrast 4.5 to 1 at least [T07][A-TUI-04]`, async () => {
    await using server = await modelServer();
    await using ws = await workspace(FILES);
    await using program = await openPi(ws, server, { rows: 110, cols: 100, colors });
    await program.waitFor((shown) => unreadable(shown, colors).length === 0);
    await everyBlock(program, server);
    program.type("/");
    await program.waitFor("→ clear");
    expect(unreadable(program, colors)).toEqual([]);
    program.press("escape", "ctrl+c", "ctrl+l");
    await program.waitFor("Model ─");
    expect(unreadable(program, colors)).toEqual([]);
  });

/** SGR sequences that set a colour; bold, underlined, inverse and so on are none. */
function colorSequences(output: string): string[] {
  return [...output.matchAll(/\x1b\[([\d;:]*)m/g)].flatMap(([sequence, words = ""]) =>
    words.split(";").some((word) => /^(3[0-8]|4[0-8]|9\d|10[0-7])(:|$)/.test(word)) ? [sequence] : [],
  );
}

test("NO_COLOR means no colour sequence at all, and everything is still there [T07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 110, cols: 100, env: { NO_COLOR: "1" } });
  await everyBlock(program, server);
  send(program, "/theme");
  await program.waitFor("Theme ─");
  program.press("down", "escape");
  await program.waitFor("The theme stays as it is.");
  expect(colorSequences(program.output)).toEqual([]);
});

test("the colours are there without NO_COLOR: the test above can fail [T07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 60 });
  expect(colorSequences(program.output).length).toBeGreaterThan(0);
});

test("a terminal that answers no query is served as well, and at once [T07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("heard you"));
  await using program = await openPi(ws, server, { queries: "ignored", keyboard: "plain", colors: "silent" });
  await talk(program, "hello", "heard you");
  program.press("up");
  await draftIs(program, "hello");
  program.press("ctrl+c");
  await draftIs(program, "");
  expect(await leave(program)).toBe(0);
  expect(program.unrestored()).toEqual({});
});

test("late answers to colour queries land in no prompt [T07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { colors: "late" });
  program.type("half a ");
  await draftIs(program, "half a");
  program.answerColors(LIGHT_TERMINAL);
  program.type("draft");
  await draftIs(program, "half a draft");
});

test("the theme follows answers that come over a slow link, in their order [T07][A-TUI-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { queries: "ignored", keyboard: "plain" });
  program.type("half a ");
  await draftIs(program, "half a");
  program.send("\x1b]10;rgb:2424/2929/2f2f\x1b\\\x1b]11;rgb:ff");
  program.send("ff/ffff/ffff\x1b\\\x1b[?62;22c");
  program.type("draft");
  await draftIs(program, "half a draft");
  await program.waitFor((shown) => unreadable(shown, LIGHT_TERMINAL).length === 0);
});

test("the theme follows a terminal that changes between dark and light [T07][A-TUI-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("# A heading\n\nsome text"));
  await using program = await openPi(ws, server, { colors: DARK_TERMINAL });
  await talk(program, "hello", "some text");
  program.changeColors(LIGHT_TERMINAL);
  await program.waitFor((shown) => unreadable(shown, LIGHT_TERMINAL).length === 0);
});

test("the interactive mode in a pipe ends with exit code 2 and says what to do", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const { code, stdout, stderr } = await pi(ws, ["--mode", "interactive"], { entrance: anyPi(), server });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("--mode interactive needs a terminal as stdin and stdout");
});

test("TERM=dumb: the interactive mode is refused with what to do, and a prompt is answered in plain text [T07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("a plain answer"));
  const { command, rest } = commandFor(ws, ["--mode", "interactive"], {
    entrance: anyPi(),
    server,
    env: { TERM: "dumb" },
  });
  await using refused = startTerminal(command, rest);
  expect((await refused.exited).code).toBe(2);
  expect(refused.output).toMatch(/TERM is\s+dumb/);
  const nothing = commandFor(ws, [], { entrance: anyPi(), server, env: { TERM: "dumb" } });
  await using bare = startTerminal(nothing.command, nothing.rest);
  expect((await bare.exited).code).toBe(2);
  expect(bare.output).toMatch(/there is no prompt,\s+and\s+TERM\s+is\s+dumb/);
  const plain = commandFor(ws, ["--sandbox", "off", "-p", "hello"], {
    entrance: anyPi(),
    server,
    env: { TERM: "dumb" },
  });
  await using answered = startTerminal(plain.command, plain.rest);
  expect((await answered.exited).code).toBe(0);
  expect(answered.output).toContain("a plain answer");
  expect(answered.output).not.toContain("\x1b");
});

const tmux = spawnSync("tmux", ["-V"]).status === 0;

/** A tmux of this workspace alone, with pi in its only window. */
function insideTmux(ws: Workspace, server: ModelServer): TerminalProgram {
  const { command, rest } = commandFor(ws, ["--sandbox", "off"], { entrance: anyPi(), server });
  const socket = `${ws.temp}/tmux`;
  ws.write(
    `${ws.home}/.tmux.conf`,
    "set -g default-terminal tmux-256color\nset -g status off\nset -sg escape-time 10\n",
  );
  const words = command.map((word) => `'${word}'`).join(" ");
  return startTerminal(["tmux", "-S", socket, "-f", `${ws.home}/.tmux.conf`, "new-session", words], {
    cwd: ws.path,
    env: rest.env,
    keyboard: "plain",
  });
}

test.if(tmux)(
  "inside tmux an answer is drawn, keys work and the end restores the window [T02][T07]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("hello through tmux"));
    await using program = insideTmux(ws, server);
    await program.waitFor(/\d%/);
    await talk(program, "hello", "hello through tmux");
    program.type("/se");
    await program.waitFor("→ session");
    program.press("escape");
    await program.waitFor((shown) => !shown.screen().join("\n").includes("→ session"));
    program.resize(60, 20);
    await program.waitFor((shown) => shown.screen()[19]?.includes("Opus") ?? false);
    expect(program.screen().join("\n")).toContain("hello through tmux");
    program.press("ctrl+c", "ctrl+d");
    await program.exited;
    expect(program.unrestored()).toEqual({});
  },
);
