import { expect, test } from "bun:test";
import { TINY_PNG } from "@pi-ts/testkit";
import type { ImagePart } from "../../../contract/messages.ts";
import { PromptBench } from "./test-support/prompt-bench.ts";

const PASTE_IMAGE = "\x16";
const ENTER = "\r";
const BACKSPACE = "\x7f";
const png: ImagePart = { type: "image", mimeType: "image/png", data: TINY_PNG };
const other: ImagePart = { type: "image", mimeType: "image/webp", data: "AAAA" };

test("an image from the clipboard is a marker in the text and goes with the prompt", async () => {
  using bench = new PromptBench({ readClipboardImage: async () => png });
  bench.type("see ").type(PASTE_IMAGE);
  await bench.until(() => bench.text.includes("Image"));
  bench.type(" here");
  expect(bench.text).toBe("see [Image #1 PNG 1x1] here");
  bench.type(ENTER);
  expect(bench.sent[0]!.input).toEqual({ text: "see [Image #1 PNG 1x1] here", images: [png] });
  bench.type("next").type(ENTER);
  expect(bench.sent[1]!.input.images).toEqual([]);
});

test("the marker is one character for the cursor, for deletion and as a word; without it the image stays here", async () => {
  using bench = new PromptBench({ readClipboardImage: async () => png });
  bench.type("a ").type(PASTE_IMAGE);
  await bench.until(() => bench.text.includes("Image"));
  bench.type("\x1b[D");
  expect(bench.cursor).toBe("0:2");
  bench.type("\x1b[C").type("\x1b[1;5D");
  expect(bench.cursor).toBe("0:2");
  bench.type("\x1b[1;5C").type(BACKSPACE);
  expect(bench.text).toBe("a ");
  bench.type("\x1f");
  expect(bench.text).toBe("a [Image #1 PNG 1x1]");
  bench.type("\x17").type(ENTER);
  expect(bench.sent[0]!.input).toEqual({ text: "a", images: [] });
});

test("what is sent is numbered by what is left of the images", async () => {
  const images = [png, other];
  using bench = new PromptBench({ readClipboardImage: async () => images.shift() ?? null });
  bench.type(PASTE_IMAGE);
  await bench.until(() => bench.text.includes("#1"));
  bench.type(BACKSPACE).type(PASTE_IMAGE);
  await bench.until(() => bench.text.includes("#2"));
  bench.type(ENTER);
  expect(bench.sent[0]!.input).toEqual({ text: "[Image #1 WEBP]", images: [other] });
});

test("a prompt can be an image alone, and the history then has nothing of it", async () => {
  using bench = new PromptBench({ readClipboardImage: async () => png });
  bench.type(PASTE_IMAGE);
  await bench.until(() => !bench.editor.isEmpty);
  bench.type(ENTER).type("\x1b[A");
  expect(bench.sent[0]!.input.images).toEqual([png]);
  expect(bench.text).toBe("");
});

test("a dropped image file becomes an image, in the order of the text", async () => {
  const asked: string[] = [];
  using bench = new PromptBench({
    readImageFile: async (path) => {
      asked.push(path);
      return path.endsWith("webp") ? other : png;
    },
  });
  bench.type("compare ").paste("/tmp/a\\ b.png '/tmp/c.webp'");
  await bench.until(() => bench.text.includes("WEBP") && bench.text.includes("PNG"));
  expect(asked).toEqual(["/tmp/a b.png", "/tmp/c.webp"]);
  bench.type(" please").type(ENTER);
  expect(bench.sent[0]!.input).toEqual({
    text: "compare [Image #1 PNG 1x1] [Image #2 WEBP] please",
    images: [png, other],
  });
});

test("what is typed while a dropped file is read stays, and a path that is gone stays gone", async () => {
  const { promise, resolve } = Promise.withResolvers<ImagePart | null>();
  using bench = new PromptBench({ readImageFile: () => promise });
  bench.paste("/tmp/a.png").type(" is it");
  expect(bench.text).toBe("/tmp/a.png is it");
  resolve(png);
  await bench.until(() => bench.text.includes("Image"));
  bench.type("?");
  expect(bench.text).toBe("[Image #1 PNG 1x1] is it?");

  const late = Promise.withResolvers<ImagePart | null>();
  using emptied = new PromptBench({ readImageFile: () => late.promise });
  emptied.paste("/tmp/a.png").type("\x15").type("new");
  late.resolve(png);
  await late.promise;
  await Promise.resolve();
  expect(emptied.text).toBe("new");
});

test("a path that is no image stays text, and a file that cannot be read is told", async () => {
  using bench = new PromptBench({
    readImageFile: async (path) => {
      if (path.includes("broken")) throw new Error("too large (40 MB)");
      return null;
    },
  });
  bench.paste("/tmp/none.png").type(" ").paste("/tmp/broken.png");
  while (bench.notices.length === 0) await Promise.resolve();
  expect(bench.text).toBe("/tmp/none.png /tmp/broken.png");
  expect(bench.notices[0]!.message).toBe("/tmp/broken.png could not be read as an image: too large (40 MB)");
});

test("an empty clipboard, a clipboard that fails and one that does not exist are told", async () => {
  for (const [read, message] of [
    [async () => null, "There is no image on the clipboard"],
    [
      async () => {
        throw new Error("wl-paste is missing");
      },
      "The clipboard could not be read: wl-paste is missing",
    ],
    [undefined, "Images cannot be pasted here"],
  ] as const) {
    using bench = new PromptBench(read ? { readClipboardImage: read } : {});
    bench.type("x").type(PASTE_IMAGE);
    while (bench.notices.length === 0) await Promise.resolve();
    expect([bench.notices[0]!.message, bench.text]).toEqual([message, "x"]);
  }
});
