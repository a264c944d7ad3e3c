import { expect, test } from "bun:test";
import { link, runProcess, workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { lsTool } from "./ls.ts";

test("a folder lists folders, sizes, links with targets and hidden names in byte order [A-TOOL-07][S01]", async () => {
  await using ws = await workspace({
    "b.txt": "x".repeat(2048),
    "a/x": "",
    ".hidden": "1",
    l: link("nowhere"),
    out: link("/etc"),
    Z: "",
  });
  const outcome = await runTool(lsTool, fileToolContext(ws.path), {});
  expect(outcome.text).toBe(".hidden  1 byte\nZ  0 bytes\na/\nb.txt  2.0 KB\nl -> nowhere\nout -> /etc");
  expect(outcome.details).toMatchObject({ total: 6, truncated: false, path: "." });
  expect((outcome.details["entries"] as unknown[])[2]).toEqual({ name: "a", is_dir: true, size: 0 });
});

test("empty, missing, a file and a place outside are told apart [F16]", async () => {
  await using ws = await workspace({ "empty/": "", "src/": "", "a.txt": "a", out: link("../outside") });
  const context = fileToolContext(ws.path);
  const ls = async (path: string) => {
    const { outcome, isError, text } = await runTool(lsTool, context, { path });
    return `${outcome} ${isError} ${text}`;
  };
  expect(await ls("empty")).toBe("empty false empty is an empty folder.");
  expect(await ls("scr")).toBe("failed true scr does not exist\nDid you mean src?");
  expect(await ls("a.txt")).toBe("failed true a.txt is a file, not a folder\nUse read to see its contents.");
  expect(await ls("out")).toContain("not_looked true out leads out of the project");
});

test("more than 500 entries are cut with the true total and the same ones every time [S05]", async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 620 }, (_, index) => [`f${String(index).padStart(4, "0")}`, ""]),
  );
  await using ws = await workspace(entries);
  const context = fileToolContext(ws.path);
  const first = await runTool(lsTool, context, { path: "." });
  const lines = first.text.split("\n");
  expect([lines.length, lines[499]]).toEqual([501, "f0499  0 bytes"]);
  expect(lines[500]).toBe("[500 of 620 entries, first by name; use find with a pattern for the rest]");
  expect(first.details).toMatchObject({ total: 620, truncated: true });
  expect((await runTool(lsTool, context, { path: "." })).text).toBe(first.text);
});

test.skipIf(process.platform === "win32")(
  "a name with a line feed stays on one line, one that is no UTF-8 is shown [S07]",
  async () => {
    await using ws = await workspace({ "a\nb": "" });
    await runProcess(["bash", "-c", "echo 1 > $'caf\\xe9'"], { cwd: ws.path });
    const outcome = await runTool(lsTool, fileToolContext(ws.path), {});
    expect(outcome.text).toBe("a\\nb  0 bytes\ncaf\\xE9  2 bytes");
  },
);
