import { expect, test } from "bun:test";
import { CliError } from "../cli-error.ts";
import { parseTime } from "./parse-time.ts";

const NOW = Date.UTC(2026, 10, 30, 12);

test("a time is a day where the user lives, a moment, or so long ago", () => {
  expect(parseTime("2026-02-03", "since", NOW)).toBe(new Date(2026, 1, 3).getTime());
  expect(parseTime("2026-02-03T04:05:06Z", "since", NOW)).toBe(Date.UTC(2026, 1, 3, 4, 5, 6));
  expect(parseTime("36h", "since", NOW)).toBe(NOW - 36 * 3_600_000);
  expect(parseTime("2w", "since", NOW)).toBe(NOW - 14 * 86_400_000);
});

test.each(["2026-02-30", "2026-13-01", "yesterday", "3", "", "-3d", "2026-02-03T99:00"])(
  "%j is no time, and is refused by name",
  (text) => {
    const refused = (): unknown => {
      try {
        return parseTime(text, "before", NOW);
      } catch (error) {
        return error;
      }
    };
    expect(CliError.is(refused())).toBe(true);
    expect((refused() as CliError).message).toBe(`--before ${JSON.stringify(text)} is no time`);
  },
);
