import { expect, test } from "bun:test";
import { liveText } from "./live-text.ts";

function shown(pieces: string[]): string {
  let text = "";
  const live = liveText((delta) => {
    text += delta;
  });
  for (const piece of pieces) live(piece);
  return text;
}

test("live output cannot drive the screen, also by sequences cut into pieces [B05]", () => {
  const input = "a\x1b[31mb\x1b]0;t\x07c\x1b]8;;u\x1b\\d\r\n50%\r60%\x1b[2J\x07e\x9b1mf";
  expect(shown([input])).toBe("abcd\n50%\n60%ef");
  expect(shown([...input].slice(0, 20))).not.toContain("\x1b");
  expect(shown([...input])).toBe("abcd\n50%\n60%ef");
  expect(shown([...input])).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});

test("endless output is shown in samples only [B07]", () => {
  const text = shown(Array.from({ length: 1_000 }, () => "y\n".repeat(5_000)));
  expect(text.length).toBeLessThan(200_000);
  expect(text).toContain("…");
});
