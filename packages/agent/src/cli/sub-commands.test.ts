import { expect, test } from "bun:test";
import { commandFlags, commandList, findCommand } from "./sub-commands.ts";

const found = async (...argv: string[]) => (await findCommand(argv))?.command.name ?? null;

test("a first word that is a sub-command with arguments that fit is one", async () => {
  expect(await found("doctor")).toBe("doctor");
  expect(await found("doctor", "--json")).toBe("doctor");
  expect(await found("models", "sonnet")).toBe("models");
  expect(await found("models", "--url", "http://127.0.0.1:1/v1")).toBe("models");
  expect(await found("demo")).toBe("demo");
});

test("the same word in a sentence is a prompt", async () => {
  expect(await found("doctor", "my", "code")).toBeNull();
  expect(await found("models", "are", "what?")).toBeNull();
  expect(await found("demo", "the", "feature")).toBeNull();
  expect(await found("Doctor")).toBeNull();
  expect(await found("toString")).toBeNull();
});

test("-p and -- make a prompt of any words", async () => {
  expect(await found("doctor", "-p")).toBeNull();
  expect(await found("-p", "doctor")).toBeNull();
  expect(await found("--", "doctor")).toBeNull();
});

test("flags that are not the command's own are handed on with their values", async () => {
  const command = await findCommand(["ping", "--model", "a/b", "hello"]);
  expect(command?.rest).toEqual(["--model", "a/b"]);
  expect(command?.parsed.words).toEqual(["hello"]);
});

test("every sub-command has a summary and a usage for --help", async () => {
  for (const command of await commandList()) {
    expect(command.usage).toStartWith(`pi ${command.name}`);
    expect(command.summary.length).toBeGreaterThan(10);
  }
});

test("a command's own option may have one letter", async () => {
  const command = await findCommand(["audit", "-v", "--strip"]);
  expect(command?.parsed.options).toEqual({ verbose: true, strip: true });
});

const mistakes: [string[], number, string][] = [
  [["audit", "--bogus"], 64, "unknown flag --bogus"],
  [["audit", "--format"], 64, "--format needs a value"],
  [["audit", "--strip=yes"], 64, "--strip takes no value, but has one behind its ="],
  [["doctor", "--bogus"], 2, "unknown flag --bogus"],
];
for (const [argv, exitCode, message] of mistakes)
  test(`pi ${argv.join(" ")} is refused with ${exitCode} [A-AUDIT-02]`, async () => {
    const command = (await findCommand(argv))!;
    expect(() => commandFlags(command)).toThrow(
      expect.objectContaining({ exitCode, message: expect.stringContaining(message) }),
    );
  });
