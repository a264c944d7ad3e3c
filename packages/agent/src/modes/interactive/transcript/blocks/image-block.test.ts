import { afterEach, expect, test } from "bun:test";
import { resetCapabilitiesCache, setCapabilities } from "@earendil-works/pi-tui";
import { ManualClock } from "../../../../agent/test-support/manual-clock.ts";
import { testThemes } from "../../test-support/plain-theme.ts";
import { createTranscript } from "../create-transcript.ts";

afterEach(resetCapabilitiesCache);

const png = {
  type: "image" as const,
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};

function rows(images: boolean, part = png): string {
  const view = createTranscript({
    themes: testThemes("colourless"),
    clock: new ManualClock(),
    images,
    cwd: "/project",
    requestFrame: () => undefined,
    screenRows: () => 24,
  });
  view.prompt({ text: "look", images: [part] }, "prompt");
  return [...view.render(80)].join("\n");
}

test("where the terminal can, a pasted picture is drawn", () => {
  setCapabilities({ images: "kitty", trueColor: true, hyperlinks: true });
  expect(rows(true)).toContain("\x1b_G");
});

test("elsewhere, and where pictures are off, a line says its type and size", () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  expect(rows(true)).toContain("[image/png, 1×1, 72 bytes]");
  setCapabilities({ images: "kitty", trueColor: true, hyperlinks: true });
  expect(rows(false)).toContain("[image/png, 1×1, 72 bytes]");
});

test("a picture that Kitty cannot take, or that is broken, is told", () => {
  setCapabilities({ images: "kitty", trueColor: true, hyperlinks: true });
  expect(rows(true, { ...png, mimeType: "image/tiff" })).toContain("[image/tiff, ");
  expect(rows(true, { ...png, data: "AAAA" })).toContain("[image/png, 3 bytes]");
});
