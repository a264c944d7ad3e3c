import { expect, test } from "bun:test";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { TINY_PNG } from "@pi-ts/testkit";
import { promptContent } from "./prompt-content.ts";

const FOLDER = { real: "/p", shown: "/p" };

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const link = (uri: string, name: string): ContentBlock => ({ type: "resource_link", uri, name });

test.each([
  ["file:///p/src/a%20b.ts", "a b.ts", "`src/a b.ts`"],
  ["file:///p/src/a.ts#L12", "a.ts", "[a.ts](src/a.ts:12)"],
  ["file:///p/src/a.ts#L12-L20", "a.ts", "[a.ts](src/a.ts:12-20)"],
  ["file:///elsewhere/x", "x", "`/elsewhere/x`"],
  ["file:///p", "project", "[project](.)"],
  ["file:///p2/x", "x", "`/p2/x`"],
  ["https://example.com/a?b=1", "the page", "[the page](https://example.com/a?b=1)"],
  ["file://other-host/x", "x", "`file://other-host/x`"],
  ["not an address", "odd", "[odd](not an address)"],
])("the link %s is named where it stands", (uri, name, shown) => {
  expect(promptContent([text("see "), link(uri, name), text(" now")], FOLDER).text).toBe(`see ${shown} now`);
});

test("only what was written counts as typed by the person", () => {
  const embedded: ContentBlock = {
    type: "resource",
    resource: { uri: "file:///p/a", text: "from the file" },
  };
  expect(promptContent([text("keep "), embedded, text(" in mind")], FOLDER)).toEqual({
    text: "keep `a` in mind\n\nContent of `a`:\n```\nfrom the file\n```",
    images: [],
    typed: "keep  in mind",
  });
});

test("an embedded picture is a picture, and other bytes are named as what cannot be shown", () => {
  const blob = (mimeType: string, uri: string, data = "AAAA"): ContentBlock => ({
    type: "resource",
    resource: { uri, mimeType, blob: data },
  });
  const { text: said, images } = promptContent(
    [blob("image/png", "file:///p/a.png", TINY_PNG), blob("application/zip", "file:///p/b.zip")],
    FOLDER,
  );
  expect(images).toEqual([{ type: "image", mimeType: "image/png", data: TINY_PNG }]);
  expect(said).toBe(
    "`a.png``b.zip`\n\n`b.zip` is attached as 3 bytes of application/zip, which cannot be shown as text.",
  );
});

test("a picture that no service takes is refused with what to attach; one under a wrong name has its right one", () => {
  const picture = (mimeType: string, data: string): ContentBlock => ({ type: "image", mimeType, data });
  for (const [data, why] of [
    ["!!", "its data are no base64"],
    ["SUkqAA==", "it is no PNG, JPEG, GIF or WebP"],
    [TINY_PNG.slice(0, 24), "its header is broken"],
  ] as const)
    expect(() => promptContent([text("see"), picture("image/png", data)], FOLDER)).toThrow(
      `the picture (image/png) cannot be sent to a model: ${why}`,
    );
  const { images } = promptContent([picture("image/x-png", TINY_PNG)], FOLDER);
  expect(images).toEqual([{ type: "image", mimeType: "image/png", data: TINY_PNG }]);
});

test("a prompt of nothing is refused", () => {
  expect(() => promptContent([text("  ")], FOLDER)).toThrow("the prompt is empty");
  expect(() => promptContent([], FOLDER)).toThrow("the prompt is empty");
});
