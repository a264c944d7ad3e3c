// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the places of templates
import { expect, test } from "bun:test";
import { expandTemplate, splitWords } from "./expand-arguments.ts";

test.each([
  ["Mend $1 in $2.", "a b c", "Mend a in b."],
  ["Mend $1 in $2.", "a", "Mend a in ."],
  ["All: $@", "a  'b c'", "All: a  'b c'"],
  ["All: $ARGUMENTS", "a b", "All: a b"],
  ["On ${1:-main} by ${2:-me}", "dev", "On dev by me"],
  ["Rest: ${@:2}", 'a "b c" d', "Rest: b c d"],
  ["One: ${@:2:1}", "a b c", "One: b"],
  ["It costs $0 and $HOME", "", "It costs $0 and $HOME"],
  ["It costs $100 or $1.50, $1", "now", "It costs $100 or $1.50, now"],
  ["No places.", "", "No places."],
  ["No places.", "but words", "No places.\n\nbut words"],
  ["$1 then $2", "$2 x", "$2 then x"],
])("%j with %j is %j", (body, argument, expected) => {
  expect(expandTemplate(body, argument)).toBe(expected);
});

test.each([
  ["a b", ["a", "b"]],
  [`"a b" 'c d'`, ["a b", "c d"]],
  [`x="a b"`, ["x=a b"]],
  ["it's", ["it's"]],
  ["", []],
  [`""`, [""]],
])("%j is split into %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
