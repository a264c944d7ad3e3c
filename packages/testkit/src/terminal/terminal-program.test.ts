import { expect, test } from "bun:test";
import { markedProcesses } from "../process/marker.ts";
import { workspace } from "../workspace/workspace.ts";
import { startTerminal, type TerminalOptions, type TerminalProgram } from "./terminal-program.ts";

const onPosix = test.skipIf(process.platform === "win32");

/** A program that prints and then waits for Enter. */
function printing(text: string, options: TerminalOptions = {}): TerminalProgram {
  return startTerminal(["bash", "--norc", "-c", `stty -echo; printf '${text}'; read; printf bye`], options);
}

/** A program that takes raw input and shows it in the notation of `cat -v`. */
function rawEcho(setup: string, options: TerminalOptions = {}): TerminalProgram {
  return startTerminal(["bash", "-c", `stty raw -echo; printf '${setup}READY '; exec cat -v`], options);
}

onPosix("the screen shows what a program wrote, each grapheme in its width", async () => {
  await using program = printing("one\\r\\n日本語🎉👨‍👩‍👧é|", { cols: 30, rows: 4 });
  await program.waitFor("|");
  expect(program.screen()).toEqual(["one", "日本語🎉👨‍👩‍👧é|", "", ""]);
  expect(program.cursor()).toEqual({ row: 1, column: 12 });
  expect(program.cell(1, 0)).toMatchObject({ text: "日", width: 2 });
  expect(program.cell(1, 1)).toMatchObject({ text: "", width: 0 });
});

onPosix("cells tell their colours and attributes", async () => {
  await using program = printing("\\e[1;38;2;1;2;255mA\\e[0;48;5;200mB\\e[0;3;7mC\\e[0mD");
  await program.waitFor("D");
  expect(program.cell(0, 0)).toMatchObject({ foreground: "#0102ff", background: null, bold: true });
  expect(program.cell(0, 1)).toMatchObject({ foreground: null, background: 200, bold: false });
  expect(program.cell(0, 2)).toMatchObject({ inverse: true, italic: true });
  expect(program.styles()[0]?.map(({ column, text }) => [column, text])).toEqual([
    [0, "A"],
    [1, "B"],
    [2, "C"],
    [3, "D"],
  ]);
});

onPosix("a text that never comes is told with the screen", async () => {
  await using program = startTerminal(["bash", "-c", "printf other; exit 3"]);
  await expect(program.waitFor("wanted")).rejects.toThrow(/ended without wanted.*other.*code 3/s);
});

onPosix("the end comes after all that was written is on the screen", async () => {
  await using program = startTerminal(["bash", "-c", "seq 1 3000; exit 3"]);
  expect(await program.exited).toEqual({ code: 3, signal: null });
  expect(program.screen()).toContain("3000");
  expect(program.scrollback()[0]).toBe("1");
  const written = Array.from({ length: 3000 }, (_, index) => `${index + 1}\r\n`).join("");
  expect(program.output).toBe(written);
  expect(program.bytesWritten).toBe(written.length);
});

onPosix("nothing is seen in the middle of a synchronized update", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "stty -echo; printf '\\e[?2026hhalf'; read; printf ' whole\\e[?2026l'; read",
  ]);
  program.onOutput(() => {
    if (/half$/.test(program.output)) program.press("enter");
  });
  await program.waitFor("half");
  expect(program.screen()[0]).toBe("half whole");
  expect(program.counts.frames).toBe(1);
});

onPosix("a resize reaches the program and the screen", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "trap 'stty size' WINCH; echo READY; while :; do read -t 60; done",
  ]);
  await program.waitFor("READY");
  program.resize(50, 12);
  await program.waitFor("12 50");
  expect(program.screen()).toHaveLength(12);
});

onPosix("Ctrl+C interrupts a program that left the keyboard to the kernel", async () => {
  await using program = startTerminal(["bash", "-c", "echo READY; exec sleep 300"]);
  await program.waitFor("READY");
  program.press("ctrl+c");
  expect((await program.exited).signal).toBe("SIGINT");
});

onPosix("keys are encoded as the program asked the keyboard to be", async () => {
  await using program = rawEcho("\\e[>1u");
  await program.waitFor("READY");
  program.press("shift+enter", "escape");
  await program.waitFor("^[[13;2u^[[27u");
});

onPosix("a terminal without kitty's protocol sends what it always sent", async () => {
  await using program = rawEcho("\\e[>1u\\e[>4;2m", { keyboard: "plain" });
  await program.waitFor("READY");
  program.press("shift+enter", "alt+b");
  await program.waitFor("^M^[b");
});

onPosix("each screen has its own stack of keyboard flags", async () => {
  await using program = printing("\\e[>1u\\e[?1049h\\e[>7uA");
  await program.waitFor("A");
  expect(program.modes).toMatchObject({ alternateScreen: true, kittyKeyboard: 7, kittyPushes: 2 });
  await using popped = printing("\\e[>1u\\e[?1049h\\e[>7u\\e[<u\\e[?1049lB");
  await popped.waitFor("B");
  expect(popped.modes).toMatchObject({ alternateScreen: false, kittyKeyboard: 1, kittyPushes: 1 });
});

onPosix("a paste is bracketed for a program that asked, and cannot close its brackets", async () => {
  await using program = rawEcho("\\e[?2004h");
  await program.waitFor("READY");
  program.paste("a\nb\x1b[201~c");
  await program.waitFor("^[[200~a^Mbc^[[201~");
  await using plain = rawEcho("");
  await plain.waitFor("READY");
  plain.paste("a\nb");
  await plain.waitFor("READY a^Mb");
});

onPosix("wheel, click, drag and focus reach a program that asked for them", async () => {
  await using program = rawEcho("\\e[?1002h\\e[?1006h\\e[?1004h", { cols: 120 });
  await program.waitFor("READY");
  program.wheel("down", 1, { row: 4, column: 9 });
  program.click({ row: 0, column: 0 });
  program.drag({ row: 1, column: 1 }, { row: 1, column: 3 });
  program.focus(false);
  await program.waitFor("^[[<65;10;5M^[[<0;1;1M^[[<0;1;1m^[[<0;2;2M^[[<32;4;2M^[[<0;4;2m^[[O");
});

onPosix("a wheel that nobody listens to is an error", async () => {
  await using program = rawEcho("");
  await program.waitFor("READY");
  expect(() => program.wheel("up")).toThrow("does not listen to the mouse");
});

onPosix("what a program left switched on is told by name", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "stty raw -echo; printf '\\e[?1049h\\e[?25l\\e[?2004h\\e[?1003h\\e[?1006h\\e[?1004h\\e[>7u'",
  ]);
  await program.exited;
  expect(program.unrestored()).toEqual({
    alternateScreen: true,
    cursorHidden: true,
    bracketedPaste: true,
    mouseTracking: "any",
    mouseSgr: true,
    focusReporting: true,
    kittyKeyboard: 7,
    kittyPushes: 1,
    echo: false,
    canonical: false,
    signals: false,
    enterAsNewline: false,
    outputProcessing: false,
  });
});

onPosix("a terminal that was left as it was found has nothing to restore", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "stty raw -echo; printf '\\e[?1049h\\e[?25l'; sleep 0; printf '\\e[?25h\\e[?1049l'; stty sane",
  ]);
  await program.exited;
  expect(program.unrestored()).toEqual({});
});

onPosix("bells, titles, notifications, progress and the clipboard are collected", async () => {
  await using program = printing(
    [
      "\\a\\e]2;my title\\a",
      "\\e]9;nine\\a\\e]777;notify;T;a;b\\a\\e]99;i=1:d=0:p=title;Ti\\e\\\\\\e]99;i=1:p=body;Bo\\e\\\\",
      "\\e]9;4;3\\a\\e]52;c;aMOpbGxv\\aEND",
    ].join(""),
  );
  await program.waitFor("END");
  expect(program).toMatchObject({ bells: 1, title: "my title", progress: 3 });
  expect(program.notifications).toEqual([
    { protocol: 9, title: "", body: "nine" },
    { protocol: 777, title: "T", body: "a;b" },
    { protocol: 99, title: "Ti", body: "Bo" },
  ]);
  expect(program.clipboard).toEqual([{ selection: "c", text: "héllo" }]);
});

onPosix("clears of the screen and of the scrollback are counted apart", async () => {
  await using program = printing("\\e[2J\\e[2J\\e[3J\\e[J\\e[HEND");
  await program.waitFor("END");
  expect(program.counts).toMatchObject({ clears: 2, scrollbackClears: 1 });
});

onPosix("what was on the ordinary screen is there again after the alternate one", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "echo before; printf '\\e[?1049h\\e[Hduring'; read; printf '\\e[?1049lafter'",
  ]);
  await program.waitFor("during");
  expect(program.screen()).not.toContain("before");
  program.press("enter");
  await program.exited;
  expect(program.screen().slice(0, 2)).toEqual(["before", "after"]);
});

onPosix("a storm of output is over when it is quiet", async () => {
  await using program = startTerminal([
    "bash",
    "-c",
    "for i in {1..400}; do echo line $i; done; exec sleep 300",
  ]);
  await program.settled();
  expect(program.screen()).toContain("line 400");
});

onPosix("closing the window hangs the program up", async () => {
  await using folder = await workspace();
  await using program = startTerminal(
    ["bash", "-c", "trap 'echo hup > hup; exit 7' HUP; echo READY; while :; do read -t 60 || exit 8; done"],
    { cwd: folder.path },
  );
  await program.waitFor("READY");
  program.hangUp();
  expect((await program.exited).code).toBe(7);
  expect(folder.exists("hup")).toBe(true);
});

onPosix("disposal ends jobs in process groups of their own, too", async () => {
  await using folder = await workspace();
  {
    await using program = startTerminal(["bash", "--norc", "-i"], { cwd: folder.path, env: folder.env() });
    program.type("nohup sleep 301 & sleep 302 & sleep 303 | sleep 304 &\necho up $((40 + 2))\n");
    await program.waitFor("up 42");
    expect(markedProcesses(folder.marker).length).toBeGreaterThanOrEqual(5);
  }
  // The workspace complains about what is left.
});
