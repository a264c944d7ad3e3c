import { expect, test } from "bun:test";
import { showHiddenCharacters } from "../modes/shared/safe-text.ts";
import { writeOutCritical } from "./remove-hidden.ts";
import { scan } from "./scan.ts";
import { GENUINE } from "./test-support/corpus.ts";

for (const [what, text] of Object.entries(GENUINE))
  test(`genuine text gives no warning: ${what} [A-AUDIT-03]`, () => {
    expect(scan(text).findings.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(writeOutCritical(text).text).toBe(text);
  });

test("all genuine text in one file gives no warning either, with a byte order mark at its start [A-AUDIT-03]", () => {
  const { findings, counts } = scan(`\ufeff${Object.values(GENUINE).join("\n\n")}`, { most: 10_000 });
  expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(findings[0]).toMatchObject({ offset: 0, codePoint: "U+FEFF", severity: "info" });
  expect(counts.info).toBeGreaterThan(100);
});

test("what the terminal shows as it is and what the scanner lets pass is the same, but for direction and spaces", () => {
  const others = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u115f\u1160\u180e]|\u034f|\u180b|\ufe00/;
  for (const text of Object.values(GENUINE))
    if (!others.test(text)) expect(showHiddenCharacters(text)).toBe(text);
});
