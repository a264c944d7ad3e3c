import { expect, test } from "bun:test";
import { join } from "node:path";
import { Text } from "@earendil-works/pi-tui";
import { workspace } from "@pi-ts/testkit";
import { BorderedLoader, DynamicBorder } from "./components.ts";
import { withFileMutationQueue } from "./file-mutation-queue.ts";
import { keyHint, keyText } from "./key-hints.ts";
import { SessionManager } from "./session-manager.ts";
import { getLanguageFromPath, parseFrontmatter, stripFrontmatter } from "./text-files.ts";
import { formatSize, truncateHead, truncateLine, truncateTail } from "./truncate.ts";

test("text is cut by whole lines from either end, and says how", () => {
  const text = "one\ntwo\nthree";
  expect(truncateHead(text)).toMatchObject({
    content: text,
    truncated: false,
    totalLines: 3,
    totalBytes: 13,
  });
  expect(truncateHead(text, { maxLines: 2 })).toMatchObject({
    content: "one\ntwo",
    truncatedBy: "lines",
    outputLines: 2,
  });
  expect(truncateHead(text, { maxBytes: 8 })).toMatchObject({ content: "one\ntwo", truncatedBy: "bytes" });
  expect(truncateHead(text, { maxBytes: 2 })).toMatchObject({
    content: "",
    firstLineExceedsLimit: true,
    outputLines: 0,
  });
  expect(truncateTail(text, { maxLines: 2 })).toMatchObject({ content: "two\nthree", truncatedBy: "lines" });
  expect(truncateTail(text, { maxBytes: 9 })).toMatchObject({ content: "two\nthree", truncatedBy: "bytes" });
  expect(truncateTail("äöü", { maxBytes: 3 })).toMatchObject({
    content: "ü",
    lastLinePartial: true,
    outputBytes: 2,
  });
  expect(truncateLine("abcdef", 3)).toEqual({ text: "abc... [truncated]", wasTruncated: true });
  expect(truncateLine("ab😀", 3).text).toBe("ab... [truncated]");
  expect([1, 2048, 3 * 1024 * 1024].map(formatSize)).toEqual(["1B", "2.0KB", "3.0MB"]);
});

test("front matter is YAML, and a file without any is all body", () => {
  const parsed = parseFrontmatter("---\nname: x\nlist: [a, b]\nmap:\n  k: 1\n---\n\nbody\n");
  expect(parsed).toEqual({ frontmatter: { name: "x", list: ["a", "b"], map: { k: 1 } }, body: "body" });
  expect(parseFrontmatter("no matter")).toEqual({ frontmatter: {}, body: "no matter" });
  expect(stripFrontmatter("---\r\na: 1\r\n---\r\nrest")).toBe("rest");
});

test("components fit their width", () => {
  expect(new DynamicBorder((text) => text).render(5)).toEqual(["─────"]);
  const loader = new BorderedLoader(
    { requestRender: () => undefined } as never,
    { fg: (_: string, text: string) => text } as never,
    "Waiting",
  );
  const stopped: string[] = [];
  loader.onAbort = () => stopped.push("stopped");
  expect(loader.render(20).some((line) => line.includes("Waiting"))).toBe(true);
  loader.handleInput("\u001b");
  expect([loader.signal.aborted, stopped]).toEqual([true, ["stopped"]]);
  loader.dispose();
  expect(new Text(keyHint("tui.select.cancel", "close"), 0, 0).render(40)[0]).toContain("close");
  expect(keyText("app.tools.expand")).toBe("ctrl+o");
});

test("changes of one file queue up, those of two run beside each other", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = withFileMutationQueue("/x/a", async () => {
    await gate.promise;
    order.push("a1");
    throw new Error("failed");
  });
  const second = withFileMutationQueue("/x/a", async () => void order.push("a2"));
  await withFileMutationQueue("/x/b", async () => void order.push("b"));
  expect(order).toEqual(["b"]);
  gate.resolve();
  expect(await first.catch((error: Error) => error.message)).toBe("failed");
  await second;
  expect(order).toEqual(["b", "a1", "a2"]);
});

test("session files of Pi's form are made, added to and opened again", async () => {
  await using ws = await workspace();
  const made = SessionManager.create(ws.path, join(ws.path, "sessions"));
  const id = made.appendMessage({ role: "user", content: "hi" });
  made.appendCustomEntry("state", { n: 1 });
  made.branch(id);
  made.appendMessage({ role: "user", content: "other way" });
  const opened = SessionManager.open(made.getSessionFile()!);
  expect(opened.getSessionId()).toBe(made.getSessionId());
  expect(opened.getBranch().map(({ type, parentId }) => [type, parentId])).toEqual([
    ["message", null],
    ["message", id],
  ]);
  expect(() => SessionManager.open(join(ws.path, "none.jsonl"))).toThrow("there is no session file");
});

test("languages are known by the ends of file names", () => {
  expect(["a.tsx", "x/y.py", "z.toml", "Makefile"].map(getLanguageFromPath)).toEqual([
    "typescript",
    "python",
    "toml",
    undefined,
  ]);
});
