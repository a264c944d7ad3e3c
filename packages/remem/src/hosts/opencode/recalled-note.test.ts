import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { FRAME_INSTRUCTION } from "../../core/recall/frame.ts";
import { recalledNoteFile } from "./recalled-note.ts";

test("the file that comes with the package says what the engine says of its frames", () => {
  expect(readFileSync(recalledNoteFile()!, "utf8")).toBe(`${FRAME_INSTRUCTION}\n`);
});
