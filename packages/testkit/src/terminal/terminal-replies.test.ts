import { expect, test } from "bun:test";
import { DARK_TERMINAL, LIGHT_TERMINAL } from "./terminal-colors.ts";
import { startTerminal, type TerminalOptions, type TerminalProgram } from "./terminal-program.ts";

const onPosix = test.skipIf(process.platform === "win32");

/** A program that sends a query and shows all that it gets in the notation of `cat -v`. */
function asking(query: string, options: TerminalOptions = {}): TerminalProgram {
  return startTerminal(["bash", "-c", `stty raw -echo; printf '${query}READY '; exec cat -v`], options);
}

onPosix.each([
  ["its attributes", "\\e[c", "^[[?1;2c"],
  ["the place of the cursor", "\\e[3;5H\\e[6n", "^[[3;5R"],
  ["its keyboard flags", "\\e[>5u\\e[?u", "^[[?5u"],
  ["a mode that is set", "\\e[?2004h\\e[?2004$p", "^[[?2004;1$y"],
  ["a mode that is not set", "\\e[?2026$p", "^[[?2026;2$y"],
  ["its size in cells", "\\e[18t", "^[[8;24;80t"],
  ["its size in pixels", "\\e[14t", "^[[4;432;720t"],
  ["the size of a cell", "\\e[16t", "^[[6;18;9t"],
  ["its background", "\\e]11;?\\a", "^[]11;rgb:1e1e/1e1e/1e1e^[\\"],
  ["its foreground", "\\e]10;?\\e\\\\", "^[]10;rgb:d4d4/d4d4/d4d4^[\\"],
  [
    "colours of its palette",
    "\\e]4;1;?;231;?\\a",
    "^[]4;1;rgb:cdcd/0000/0000^[\\^[]4;231;rgb:ffff/ffff/ffff^[\\",
  ],
  ["that it is dark", "\\e[?996n", "^[[?997;1n"],
] as const)("a terminal tells %s", async (_, query, answer) => {
  await using program = asking(query);
  await program.waitFor(answer);
});

onPosix("a light terminal has light colours", async () => {
  await using program = asking("\\e]11;?\\a\\e[?996n", { colors: LIGHT_TERMINAL });
  await program.waitFor("^[]11;rgb:ffff/ffff/ffff^[\\^[[?997;2n");
});

onPosix("a silent terminal answers no question for colours, but others", async () => {
  await using program = asking("\\e]11;?\\a\\e]4;1;?\\a\\e[c", { colors: "silent" });
  await program.waitFor("^[[?1;2c");
  expect(program.screen()[0]).toBe("READY ^[[?1;2c");
});

onPosix("a late terminal answers when it is told to, and from then on at once", async () => {
  await using program = asking("\\e]10;?\\a\\e]11;?\\a\\e[c", { colors: "late", cols: 100 });
  await program.waitFor("^[[?1;2c");
  program.answerColors(DARK_TERMINAL);
  await program.waitFor("READY ^[[?1;2c^[]10;rgb:d4d4/d4d4/d4d4^[\\^[]11;rgb:1e1e/1e1e/1e1e^[\\");
});

onPosix("a change of the theme is told to a program that asked for it", async () => {
  await using program = asking("\\e[?2031h");
  await program.waitFor("READY");
  program.changeColors(LIGHT_TERMINAL);
  await program.waitFor("^[[?997;2n");
});

onPosix("a terminal that ignores queries answers nothing, and still takes keys", async () => {
  await using program = asking("\\e[c\\e[6n\\e[?u\\e]11;?\\a", { queries: "ignored" });
  await program.waitFor("READY");
  program.type("typed");
  await program.waitFor("typed");
  expect(program.screen()[0]).toBe("READY typed");
});
