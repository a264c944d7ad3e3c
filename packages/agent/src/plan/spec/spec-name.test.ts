import { expect, test } from "bun:test";
import { isSpecName, specName } from "./spec-name.ts";

test.each([
  ["Export as CSV", "export-as-csv"],
  ["  User's login -- with 2FA!  ", "users-login-with-2fa"],
  ["Überschrift größer", "uberschrift-gro-er"],
  ["../../etc/passwd", "etc-passwd"],
  [
    "a very long idea that goes on and on until nobody reads it any more",
    "a-very-long-idea-that-goes-on-and-on-until-nobody",
  ],
  ["日本語", ""],
  ["", ""],
])("the spec of %p is called %p [A-SOP-01]", (idea, name) => {
  expect(specName(idea)).toBe(name);
  expect(name === "" || isSpecName(name)).toBe(true);
});

test.each(["..", "a/b", "A", "a_b", "-a", "a-", ".approved", ""])("%p names no spec", (word) => {
  expect(isSpecName(word)).toBe(false);
});
