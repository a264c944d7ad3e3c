import { expect, test } from "bun:test";
import { TINY_PNG } from "@pi-ts/testkit";
import { MOST_IMAGE_BASE64, sendableImage } from "./images.ts";

const image = (data: string, mimeType = "image/png") => ({ type: "image", mimeType, data }) as const;
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes as string, "latin1").toString("base64");

test("base64 in lines or without its padding is sent whole and in one", () => {
  const loose = `data:image/png;base64,${TINY_PNG.slice(0, 60)}\r\n${TINY_PNG.slice(60)}`.replace(
    /=+$/,
    "\n",
  );
  expect(sendableImage(image(loose))).toEqual({ image: image(TINY_PNG) });
});

test("what an image is comes from its bytes, not from what it was called", () => {
  const gif = base64("GIF89a\x07\0\x05\0\0\0\0");
  expect(sendableImage(image(gif, "image/png"))).toEqual({ image: image(gif, "image/gif") });
});

test.each([
  ["", "its data are no base64"],
  ["data:image/png;base64,AAAA", "it is no PNG, JPEG, GIF or WebP"],
  ["AAAAA", "its data are no base64"],
  [base64("<svg/>"), "it is no PNG, JPEG, GIF or WebP"],
  [base64("BM\0\0"), "it is no PNG, JPEG, GIF or WebP"],
  [base64("\x89PNG\r\n\x1a\n"), "its header is broken"],
  [base64("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x23\x28\0\0\0\x02"), "a side has more than 8000 pixels"],
  [TINY_PNG.slice(0, 60).padEnd(MOST_IMAGE_BASE64 + 4, "A"), "it has more than 5 MB in base64"],
])("an image that no service takes says why (%#)", (data, fault) => {
  expect(sendableImage(image(data))).toEqual({ fault });
});
