import { expect, test } from "bun:test";
import { isPiError } from "../contract/errors.ts";
import { parseFlags } from "./flags.ts";

function refusal(...argv: string[]): { message: string; hint: string | undefined; exitCode: number } {
  try {
    parseFlags(argv);
  } catch (error) {
    if (isPiError(error)) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
    throw error;
  }
  throw new Error(`${argv.join(" ")} was accepted`);
}

test("words and flags may stand in any order", () => {
  const flags = parseFlags(["fix", "--model", "openai/gpt-5.4", "it", "-p"]);
  expect(flags).toMatchObject({ words: ["fix", "it"], model: "openai/gpt-5.4", print: true });
});

test("a value may follow an equals sign, and may then look like a flag", () => {
  expect(parseFlags(["--system=--print", "x"]).system).toBe("--print");
});

test("everything after -- is a prompt, also what looks like a flag or a sub-command", () => {
  expect(parseFlags(["--", "run", "--model"])).toMatchObject({ words: ["run", "--model"], promptOnly: true });
  expect(parseFlags(["say", "--", "-x"])).toMatchObject({ words: ["say", "-x"], promptOnly: false });
});

test("short flags may stand together", () => {
  expect(parseFlags(["-pc"])).toMatchObject({ print: true, continue: true });
});

test("headers are taken with = or : and several times", () => {
  expect(parseFlags(["--header", "a=b=c", "--header", "X-Y: z"]).headers).toEqual({ a: "b=c", "X-Y": "z" });
});

test("tool lists are split at commas and --no-tools is an empty list", () => {
  expect(parseFlags(["--tools", "read, grep", "--exclude-tools", "bash"])).toMatchObject({
    tools: ["read", "grep"],
    excludeTools: ["bash"],
  });
  expect(parseFlags(["--no-tools"]).tools).toEqual([]);
});

test("switches for parts of later versions are accepted where they turn something off", () => {
  expect(parseFlags(["--memory-off", "--no-skills", "hi"]).words).toEqual(["hi"]);
});

const refused: [string[], string][] = [
  [["--modle", "x"], "unknown flag --modle; near names: --mode, --model"],
  [["-x"], "unknown flag -x"],
  [["--model"], "--model needs a value: --model <provider/model>"],
  [["--model", "--print"], "--model needs a value"],
  [["--model", " "], "--model needs a value that is not empty"],
  [["--print=yes"], '--print takes no value, but got "yes"'],
  [["--max-turns", "0"], '--max-turns takes a whole number from 1, not "0"'],
  [["--max-turns", "1.5"], 'not "1.5"'],
  [["--timeout", "-1"], '--timeout takes seconds above 0 and up to 2000000, not "-1"'],
  [["--timeout", "99999999"], 'not "99999999"'],
  [["--sandbox", "none"], '--sandbox takes read-only, workspace-write, off, not "none"'],
  [["--mode", "xml"], '--mode takes interactive, print, json, rpc, acp, not "xml"'],
  [["--socket", "/tmp/s"], "--socket says where --mode rpc listens"],
  [["--url", "ftp://x"], '--url takes an http or https address, not "ftp://x"'],
  [["--header", "no value"], "--header takes name=value, but got no = in it"],
  [["--header", "no name=x"], '--header takes name=value, not "no name=…"'],
  [["--continue", "--session", "a"], "--continue and --session exclude each other"],
  [["--no-session", "-c"], "--no-session leaves nothing on disk"],
  [["--smol", "--slow"], "only one role at a time: --smol, --slow"],
  [["--lsp", "some"], '--lsp takes off, min, full, not "some"'],
  [["--plan-mode=yes"], '--plan-mode takes no value, but got "yes"'],
];
for (const [argv, message] of refused)
  test(`pi ${argv.join(" ")} is refused with what is wrong`, () => {
    const error = refusal(...argv);
    expect(error.message).toContain(message);
    expect(error.exitCode).toBe(2);
    expect(error.hint).toBeString();
  });

test("a refusal never repeats what may be a key or a password [X05]", () => {
  for (const argv of [
    ["--header", "Authorization Bearer topsecret"],
    ["--header", "my header: topsecret"],
    ["--header", "=topsecret"],
    ["--url", "ftp://user:topsecret@host/?key=topsecret"],
    ["--url", "user:topsecret@host"],
  ])
    expect(refusal(...argv).message).not.toContain("topsecret");
});

test("spaces around --url are no part of it", () => {
  expect(parseFlags(["--url", " http://127.0.0.1:1/v1 "]).url).toBe("http://127.0.0.1:1/v1");
});

test("-e takes a path, also after other letters, and may come several times", () => {
  expect(parseFlags(["-e", "a.ts", "-pe", "b.ts", "--extension=c", "hi"])).toMatchObject({
    extensions: ["a.ts", "b.ts", "c"],
    print: true,
    words: ["hi"],
  });
  expect(() => parseFlags(["-ep", "x"])).toThrow("-e needs a value: -e <path>");
  expect(() => parseFlags(["-e"])).toThrow("-e needs a value: -e <path>");
});

test("--no-extensions and flags for extensions are read", () => {
  expect(
    parseFlags(["--no-extensions", "--extension-flag", "loud", "--extension-flag=who=me"]),
  ).toMatchObject({
    noExtensions: true,
    extensionFlags: ["loud", "who=me"],
  });
});
