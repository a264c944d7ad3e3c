import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable, workspace } from "@pi-ts/testkit";
import { editInExternalEditor, editorCommand, lendTerminalOf } from "./external-editor.ts";
import type { PromptEditorNotice } from "./prompt-editor-ports.ts";
import { PromptBench } from "./test-support/prompt-bench.ts";

test("VISUAL goes before EDITOR, words are split as a shell does, and Windows has notepad", () => {
  const table: readonly [Record<string, string>, string, string[] | null][] = [
    [{ VISUAL: "code --wait", EDITOR: "vim" }, "linux", ["code", "--wait"]],
    [{ VISUAL: "  ", EDITOR: "vim" }, "linux", ["vim"]],
    [{ EDITOR: '"/my apps/ed" -w' }, "linux", ["/my apps/ed", "-w"]],
    [{ EDITOR: "'/my apps/ed' a\\ b" }, "darwin", ["/my apps/ed", "a b"]],
    [{ EDITOR: '"C:\\Program Files\\Ed\\ed.exe" -n' }, "win32", ["C:\\Program Files\\Ed\\ed.exe", "-n"]],
    [{ EDITOR: "C:\\Ed\\ed.exe" }, "win32", ["C:\\Ed\\ed.exe"]],
    [{}, "win32", ["notepad"]],
    [{}, "linux", null],
  ];
  for (const [environment, platform, words] of table)
    expect(editorCommand(environment, platform)).toEqual(words);
});

function run(act: (file: string) => number | null) {
  const notices: PromptEditorNotice[] = [];
  const lent: string[] = [];
  const files: string[] = [];
  const edit = (draft: string) =>
    editInExternalEditor(draft, {
      environment: { EDITOR: "ed -x" },
      platform: "linux",
      runEditor: async (argv, file) => {
        files.push(file);
        lent.push(`run ${argv.join(" ")}`);
        return { code: act(file) };
      },
      lendTerminal: async (lend) => {
        lent.push("lend");
        try {
          return await lend();
        } finally {
          lent.push("back");
        }
      },
      notice: (notice) => notices.push(notice),
    });
  return { edit, notices, lent, files };
}

test("the draft goes into a file and its text comes back, without the last newline; the file is removed", async () => {
  const { edit, lent, files, notices } = run((file) => {
    writeFileSync(file, `${readFileSync(file, "utf8")} and more\r\nsecond\n`);
    return 0;
  });
  expect(await edit("draft")).toBe("draft and more\nsecond");
  expect(lent).toEqual(["lend", "run ed -x", "back"]);
  expect(existsSync(files[0]!)).toBe(false);
  expect(notices).toEqual([]);
});

test("an editor that fails leaves the draft as it was, and that is told", async () => {
  for (const [code, message] of [
    [1, "ed -x ended with exit code 1"],
    [null, "ed -x ended with a signal"],
  ] as const) {
    const { edit, notices, files } = run((file) => {
      writeFileSync(file, "half");
      return code;
    });
    expect(await edit("draft")).toBeNull();
    expect(notices.map((notice) => notice.message)).toEqual([message]);
    expect(existsSync(files[0]!)).toBe(false);
  }
});

test("an editor that cannot start, and none at all, are told; the terminal comes back", async () => {
  const { edit, notices, lent } = run(() => {
    throw new Error("there is no program ed");
  });
  expect(await edit("draft")).toBeNull();
  expect(notices[0]!.message).toBe("The prompt could not be edited with ed -x: there is no program ed");
  expect(lent.at(-1)).toBe("back");

  const told: PromptEditorNotice[] = [];
  const none = await editInExternalEditor("draft", {
    environment: {},
    platform: "linux",
    runEditor: () => Promise.reject(new Error("never")),
    lendTerminal: (lend) => lend(),
    notice: (notice) => told.push(notice),
  });
  expect([none, told[0]!.message]).toEqual([null, "No editor is set"]);
});

test("a real editor program edits the prompt of a running screen, which is drawn again", async () => {
  await using ws = await workspace({
    "my editor": executable('#!/bin/sh\nprintf "%s, edited" "$(cat "$2")" > "$2"\n'),
  });
  using bench: PromptBench = new PromptBench({
    editExternally: (draft) =>
      editInExternalEditor(draft, {
        environment: { VISUAL: `"${join(ws.path, "my editor")}" -w` },
        platform: "linux",
        runEditor: async (argv, file) => ({
          code: await Bun.spawn([...argv, file], { env: ws.env() }).exited,
        }),
        lendTerminal: lendTerminalOf(bench.tui),
        notice: (notice) => bench.notices.push(notice),
      }),
  });
  bench.type("draft").type("\x07");
  await bench.until(() => bench.text !== "draft");
  expect([bench.text, bench.notices]).toEqual(["draft, edited", []]);
  bench.type("!");
  expect((await bench.screen()).rows.join("\n")).toContain("draft, edited!");
});
