import { expect, test } from "bun:test";
import { indexTerms } from "./index-terms.ts";
import { terms } from "./tokenize.ts";

const DAY_MS = 86_400_000;
const BARE = { title: "", subject: "", text: "", attachment: "", files: [], authorName: undefined };

test("a memory is found by the words of its day, which are those of the calendar", () => {
  const calendar = new Intl.DateTimeFormat("en", { dateStyle: "full", timeZone: "UTC" });
  for (let at = Date.UTC(2023, 11, 25); at < Date.UTC(2025, 0, 10); at += DAY_MS - 1)
    expect(indexTerms({ ...BARE, at }).origin).toBe(terms(calendar.format(at)).join(" "));
});
