import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { imageSize } from "../../contract/images.ts";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { readTool } from "./read.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const PNG = bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0");
const JPEG = bytes("\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc0\0\x0b\x08\0\x05\0\x07\x01\x01\x11\0");
const GIF = bytes("GIF89a\x07\0\x05\0\0\0\0");
const WEBP_X = bytes("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x06\0\0\x04\0\0");
const WEBP_L = bytes("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x06\0\x01\0\0\0");
const WEBP_LOSSY = bytes("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x07\0\x05\0");

test("the size of each image type is read from its header, and a broken header is none", () => {
  expect(imageSize(PNG, "image/png")).toEqual({ width: 3, height: 2 });
  for (const [data, type] of [
    [JPEG, "image/jpeg"],
    [GIF, "image/gif"],
    [WEBP_X, "image/webp"],
    [WEBP_L, "image/webp"],
    [WEBP_LOSSY, "image/webp"],
  ] as const)
    expect([type, imageSize(data, type)]).toEqual([type, { width: 7, height: 5 }]);
  expect(imageSize(PNG.subarray(0, 18), "image/png")).toBeNull();
  expect(imageSize(bytes("\xff\xd8\xffxx"), "image/jpeg")).toBeNull();
});

test("a model that takes images gets the original bytes [F15]", async () => {
  await using ws = await workspace({ "a.png": PNG });
  const outcome = await runTool(readTool, fileToolContext(ws.path), { file_path: "a.png" });
  expect(outcome.text).toBe("a.png: PNG image, 3x2, 29 bytes");
  expect(outcome.images).toEqual([
    { type: "image", mimeType: "image/png", data: Buffer.from(PNG).toString("base64") },
  ]);
});

test("images that the model or its service would refuse are only described [F15]", async () => {
  const wide = PNG.slice();
  new DataView(wide.buffer).setUint32(16, 9000);
  const large = new Uint8Array(4_000_000);
  large.set(PNG);
  await using ws = await workspace({
    "a.png": PNG,
    "wide.png": wide,
    "large.png": large,
    "cut.png": PNG.subarray(0, 17),
  });
  const read = async (file_path: string, images = true) => {
    const outcome = await runTool(readTool, fileToolContext(ws.path, { images }), { file_path });
    return `${outcome.outcome} ${outcome.images?.length ?? 0} ${outcome.text}`;
  };
  expect(await read("a.png", false)).toBe(
    "not_looked 0 a.png: PNG image, 3x2, 29 bytes. Not shown: test-model takes no images.",
  );
  expect(await read("wide.png")).toContain("not_looked 0 wide.png: PNG image, 9000x2");
  expect(await read("large.png")).toContain(
    "not_looked 0 large.png: PNG image, 3x2, 3.8 MB. Not shown: more than",
  );
  expect(await read("cut.png")).toContain("its header is broken");
});
