import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { link, type Workspace, workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { treeTool } from "./tree.ts";

const tree = (ws: Workspace, input: { path?: string; depth?: number } = {}) =>
  runTool(treeTool, fileToolContext(ws.path), input);

function fill(ws: Workspace, folder: string, files: number): void {
  mkdirSync(join(ws.path, folder), { recursive: true });
  for (let index = 0; index < files; index++)
    writeFileSync(join(ws.path, folder, `f${String(index).padStart(5, "0")}`), "");
}

test("folders, files and links are drawn down to the depth, hidden ones too [A-TOOL-08][S01]", async () => {
  await using ws = await workspace({
    "src/a/b/c/d.ts": "",
    "src/x.ts": "",
    ".github/ci.yml": "",
    "empty/": "",
    l: link("src"),
  });
  const outcome = await tree(ws);
  expect(outcome.text).toBe(
    [
      "./",
      ".github/",
      "  ci.yml",
      "empty/",
      "l -> src",
      "src/",
      "  a/",
      "    b/ (1 entry)",
      "  x.ts",
      "[5 folders, 3 files down to depth 3]",
    ].join("\n"),
  );
  expect(outcome.details).toMatchObject({ dirs: 5, files: 3, truncated: false });
  expect((await tree(ws, { path: "src/a", depth: 99 })).text).toBe(
    "src/a/\nb/\n  c/\n    d.ts\n[2 folders, 1 file down to depth 10 (the most)]",
  );
});

test("generated folders are named with a count, and entered when asked for [S01]", async () => {
  await using ws = await workspace({ "node_modules/a/x.js": "", "node_modules/b.js": "", "a.ts": "" });
  expect((await tree(ws)).text).toContain("node_modules/ (2 entries, not entered)\n");
  expect((await tree(ws, { path: "node_modules" })).text).toContain("node_modules/\na/\n  x.js\nb.js\n");
});

test("link loops end and nothing is shown twice [S04]", async () => {
  await using ws = await workspace({ "a/x": "", "a/loop": link(".."), self: link("self"), out: link("..") });
  const { text } = await tree(ws, { depth: 10 });
  expect(text).toBe(
    "./\na/\n  loop -> ..\n  x\nout -> ..\nself -> self\n[1 folder, 4 files down to depth 10]",
  );
});

describe("where not all fit", () => {
  test("one large folder cannot hide the others, and totals are true [S05]", async () => {
    await using ws = await workspace({ "z/last.ts": "", "m/n/deep.ts": "" });
    fill(ws, "big", 3000);
    fill(ws, ".", 700);
    const outcome = await tree(ws);
    expect(outcome.text).toContain("z/\n  last.ts");
    expect(outcome.text).toContain("m/\n  n/\n    deep.ts");
    expect(outcome.text).toMatch(/… 2,\d{3} more/);
    expect(outcome.text).toMatch(
      /\[(49\d|500) of 3,706 entries, a fair share of each folder; give a path below, or use find, for the rest; 4 folders, 3,702 files/,
    );
    expect(outcome.details).toMatchObject({ dirs: 4, files: 3702, truncated: true });
    expect((await tree(ws)).text).toBe(outcome.text);
  });

  test("the deepest levels are left out before the breadth [S05]", async () => {
    await using ws = await workspace({});
    for (let index = 0; index < 120; index++) fill(ws, `d${String(index).padStart(3, "0")}/inner`, 9);
    const { text } = await tree(ws);
    const names = text.split("\n").filter((line) => /^d\d+\//.test(line));
    expect(names.length).toBe(120);
    expect(text).toContain("d119/\n  inner/ (9 entries)\n[240 of 1,320 entries");
  });

  test("thousands of folders in one folder leave room for the others [S05]", async () => {
    await using ws = await workspace({ "z/last.ts": "" });
    for (let index = 0; index < 1500; index++)
      mkdirSync(join(ws.path, "many", `d${index}`), { recursive: true });
    const { text } = await tree(ws);
    expect(text).toContain("z/\n  last.ts");
    expect(text).toMatch(/… 1,0\d\d more\n/);
    expect(text).toContain("[500 of 1,503 entries");
  });

  test("a scan stops at its limit and says at least [S05][S07]", async () => {
    let listed = 0;
    await using ws = await workspace({});
    const context = fileToolContext(ws.path);
    const files = {
      ...context.files,
      display: (path: string) => path,
      list: (path: string) => {
        listed++;
        const kind = path === "." ? ("folder" as const) : ("file" as const);
        return Array.from({ length: 1000 }, (_, index) => ({ name: `e${index}`, kind, size: 0 }));
      },
    };
    const outcome = await treeTool.run({}, { ...context, files });
    expect(outcome.text).toContain("of at least 100,000 entries");
    expect(listed).toBe(100);
  });
});

test("an abort ends a scan [S07]", async () => {
  await using ws = await workspace({});
  const context = fileToolContext(ws.path, { signal: AbortSignal.abort(new Error("stopped")) });
  const entry = { name: "d", kind: "folder" as const, size: 0 };
  const files = {
    ...context.files,
    list: () => Array.from({ length: 100 }, (_, n) => ({ ...entry, name: `d${n}` })),
  };
  await expect(treeTool.run({ depth: 10 }, { ...context, files })).rejects.toThrow("stopped");
});

test("unreadable folders are counted and the rest goes on [S07]", async () => {
  await using ws = await workspace({ "a/x": "", "b/y": "" });
  const context = fileToolContext(ws.path);
  const door = context.files;
  const files = {
    ...door,
    display: (path: string) => door.display(path),
    list: (path: string) => door.list(path === "a" ? "missing" : path),
  };
  const outcome = await treeTool.run({}, { ...context, files });
  expect(outcome.text).toBe(
    "./\na/ (unreadable)\nb/\n  y\n[2 folders, 1 file down to depth 3; 1 folder unreadable]",
  );
});

test("an empty folder, a missing one, a file and a depth of 0 are told apart [F16]", async () => {
  await using ws = await workspace({ "empty/": "", "a.txt": "" });
  const told = async (input: { path?: string; depth?: number }) => {
    const { outcome, text } = await tree(ws, input);
    return `${outcome}: ${text}`;
  };
  expect(await told({ path: "empty" })).toBe("empty: empty is an empty folder.");
  expect(await told({ path: "emty" })).toBe("failed: emty does not exist\nDid you mean empty?");
  expect(await told({ path: "a.txt" })).toBe("failed: a.txt is a file, not a folder");
  expect(await told({ path: ".." })).toContain("not_looked: .. leads out of the project");
  expect(await told({ depth: 0 })).toBe("failed: depth 0 shows nothing: give 1 to 10.");
});
