// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shell commands
import { expect, test } from "bun:test";
import { decision, permissions } from "./test-support/bench.ts";

/** A small generator with a fixed seed: every run tries the same lines. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = generator(20_260_101);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const HARMLESS = ["ls", "git status", "echo 'a b'", "cat a.txt", "true", "printf '%s' x", "A=1 ls -l"];
const wrap: ((line: string) => string)[] = [
  (line) => line,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `if true; then ${line}; fi`,
  (line) => `while false; do ${line}; done`,
  (line) => `for i in a b; do ${line}; done`,
  (line) => `case a in a) ${line};; esac`,
  (line) => `echo "$(${line})"`,
  (line) => `cat <(${line})`,
  (line) => `f() { ${line}; }; f`,
  (line) => `bash -c '${line.replaceAll("'", "'\\''")}'`,
  (line) => `eval '${line.replaceAll("'", "'\\''")}'`,
  (line) => `cat <<EOF\n$(${line})\nEOF\n`,
  (line) => `echo \${x:-$(${line})}`,
];
const join = ["; ", " && ", " || ", " | ", " & ", "\n"];
const prefix = ["", "A=1 ", "sudo ", "env ", "timeout 5 ", "nohup ", "command ", "\\", "/bin/", "xargs "];

function line(forbidden: string | undefined): string {
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(HARMLESS));
  if (forbidden !== undefined)
    parts.splice(Math.floor(random() * (parts.length + 1)), 0, pick(prefix) + forbidden);
  let text = parts.reduce((left, right) => left + pick(join) + right);
  for (let depth = Math.floor(random() * 3); depth > 0; depth--) text = pick(wrap)(text);
  return text;
}

test("a denied command is found wherever it stands in a generated line [X02]", async () => {
  const checked = permissions({ deny: ["bash(rm -rf:*)"] });
  for (let round = 0; round < 3_000; round++) {
    const text = line("rm -rf build");
    const decided = await decision(checked, text);
    if (decided !== "deny") throw new Error(`${decided}: ${text}`);
  }
});

test("no generated line with a part that is not allowed is allowed [X02]", async () => {
  const checked = permissions({
    ask: ["bash"],
    allow: [
      "bash(ls:*)",
      "bash(git status:*)",
      "bash(echo:*)",
      "bash(cat:*)",
      "bash(true)",
      "bash(printf:*)",
    ],
  });
  for (let round = 0; round < 3_000; round++) {
    const text = line("npm publish");
    if ((await decision(checked, text)) !== "ask") throw new Error(text);
  }
});

test("a line of allowed parts joined plainly is allowed [X02]", async () => {
  const checked = permissions({
    ask: ["bash"],
    allow: [
      "bash(ls:*)",
      "bash(git status)",
      "bash(echo:*)",
      "bash(cat:*)",
      "bash(true)",
      "bash(printf:*)",
      "bash(A=1 ls:*)",
    ],
  });
  for (let round = 0; round < 500; round++) {
    const text = [pick(HARMLESS), pick(HARMLESS), pick(HARMLESS)].reduce((a, b) => a + pick(join) + b);
    if ((await decision(checked, text)) !== "run") throw new Error(text);
  }
});

test("no text makes the parser throw or hang, and with an unknown end it never runs unasked", async () => {
  const pieces = [
    "$(",
    ")",
    "`",
    "'",
    '"',
    "\\",
    "<<EOF\n",
    "EOF\n",
    "((",
    "))",
    "{",
    "}",
    "[[",
    "]]",
    "case x in",
    "esac",
    ";;",
    "|",
    "&",
    ">",
    "<",
    "$",
    "a",
    " ",
    "\n",
    "rm",
    "if",
    "for",
    "do",
    "${",
    "!",
    "#",
    "~",
    "*",
    "=",
    "\0",
    "é",
    "😀",
  ];
  const checked = permissions({ deny: ["bash(rm:*)"] });
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 25) }, () => pick(pieces)).join("");
    expect(["run", "ask", "deny"]).toContain(await decision(checked, text));
  }
  expect(await decision(checked, "(".repeat(5_000))).toBe("ask");
  expect(await decision(checked, "$(".repeat(5_000))).toBe("ask");
  expect(await decision(checked, `${"a".repeat(300_000)}`)).toBe("ask");
});
