import { expect, test } from "bun:test";
import { parseShellLine } from "./parse-line.ts";

/** The commands of a line, each as its words joined by a bar. */
function commands(text: string): string[] {
  return parseShellLine(text).commands.map(({ words }) => words.map((word) => word.text).join("|"));
}

const rows: [text: string, commands: string[]][] = [
  ["a 'b c' \"d e\" f\\ g", ["a|b c|d e|f g"]],
  ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
  ["a \\\n b", ["a|b"]],
  ["a # b; c", ["a"]],
  ["a#b", ["a#b"]],
  ["$'\\x61\\102\\n'", ["aB\n"]],
  ["a $(b c) `d`", ["b|c", "d", "a|$(b c)|`d`"]],
  ['a "$(b "c d")"', ["b|c d", 'a|$(b "c d")']],
  ["(a; b) | { c; }", ["a", "b", "c"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["for x in a b; do c; done", ["c"]],
  ["for ((i=0; i<2; i++)); do c; done", ["c"]],
  ["case x in a|b) c ;; (d) e ;& *) f ;; esac; g", ["c", "e", "f", "g"]],
  ["[[ a && b > c ]] && d", ["d"]],
  ["((a > 1)) && d", ["d"]],
  ["cat <<A <<-B\n$(a)\nA\n\tx\n\tB\nb", ["cat", "a", "b"]],
  ["cat <<'A'\n$(a)\nA", ["cat"]],
  ["a <(b) > >(c)", ["b", "c", "a|<(b)"]],
  ["echo if then", ["echo|if|then"]],
  ["'if' a", ["if|a"]],
  ["x=(a $(b)) c", ["b", "c"]],
  ["! time -p a", ["a"]],
];
for (const [text, expected] of rows)
  test(`${JSON.stringify(text)} runs ${expected.join(" and ")}`, () => {
    const line = parseShellLine(text);
    expect(line.problems).toEqual([]);
    expect(commands(text)).toEqual(expected);
  });

test("assignments and redirections stand apart from the words", () => {
  const [command] = parseShellLine("A=1 B='x y' a 2>&1 >out <<<text b {fd}>>log &>all").commands;
  expect(command!.assignments.map(({ name, value }) => [name, value.text])).toEqual([
    ["A", "1"],
    ["B", "x y"],
  ]);
  expect(command!.words.map((word) => word.text)).toEqual(["a", "b"]);
  expect(command!.redirections.map(({ operator, target }) => operator + target.text)).toEqual([
    ">&1",
    ">out",
    "<<<text",
    ">>log",
    "&>all",
  ]);
});

test("a word says what of it is certain", () => {
  const [command] = parseShellLine("a --out=$X src/*.ts {b,c} ~/d 'e*' \"$f\" {} [ x ]").commands;
  expect(command!.words.map(({ kind, fixed }) => [kind, fixed])).toEqual([
    ["literal", "a"],
    ["dynamic", "--out="],
    ["pattern", "src/"],
    ["dynamic", ""],
    ["pattern", ""],
    ["literal", "e*"],
    ["dynamic", ""],
    ["literal", "{}"],
    ["literal", "["],
    ["literal", "x"],
    ["literal", "]"],
  ]);
});

for (const [text, problem] of [
  ["a 'b", "single quote"],
  ['a "b', "double quote"],
  ["a `b", "backquote"],
  ["a $(b", "parenthesis is not closed"],
  ["a )", "nothing opened"],
  ["cat <<A", "no body"],
  ["a >", "leads nowhere"],
  ["a ;; b", "outside of a case"],
  ["f() { a; }", "defines a function"],
  ["coproc a", "coprocess"],
  ["x='$(a)'", "evaluated as code"],
  ["(".repeat(100), "nested too deeply"],
  ["$(".repeat(100_000), "nested too deeply"],
  ["a".repeat(200_001), "too long"],
] as const)
  test(`${JSON.stringify(text.slice(0, 20))} has a problem: ${problem}`, () => {
    expect(
      parseShellLine(text)
        .problems.map(({ message }) => message)
        .join("; "),
    ).toContain(problem);
  });
