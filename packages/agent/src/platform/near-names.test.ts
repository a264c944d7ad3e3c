import { expect, test } from "bun:test";
import { nearNames } from "./near-names.ts";

const KNOWN = ["claude-sonnet-5-5", "claude-opus-5-5", "gpt-6.2-sol", "theme", "thinking"];

test.each([
  ["thme", ["theme"]],
  ["THEME", ["theme"]],
  ["sonet", ["claude-sonnet-5-5"]],
  ["claud-opus", ["claude-opus-5-5"]],
  ["gpt", ["gpt-6.2-sol"]],
  ["xyzzy", []],
  ["", []],
])("%j is near to %j", (name, near) => {
  expect(nearNames(name, KNOWN)).toEqual(near);
});

test("at most the wanted number of names is given, nearest first", () => {
  expect(nearNames("ab", ["ac", "ab", "ad", "ae"], 2)).toEqual(["ab", "ac"]);
});
