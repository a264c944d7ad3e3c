import { expect, test } from "bun:test";
import { commandHelp, flagRows, helpText } from "./help.ts";
import { commandList, findCommand } from "./sub-commands.ts";

const commands = await commandList();

test.each(commands.map((command) => [command.name, command] as const))(
  "the help of pi %s is asked for without the arguments that it needs, and names every option",
  async (name, command) => {
    const found = await findCommand([name, "--help"]);
    expect(found?.command.name).toBe(name);
    const help = commandHelp(command);
    expect(help).toStartWith(command.usage);
    for (const option of command.options) expect(help).toContain(`--${option.name}`);
  },
);

test("a prompt that asks about help is a prompt", async () => {
  expect(await findCommand(["run", "-p", "--help"])).toBeNull();
  expect(await findCommand(["why", "--help"])).toBeNull();
});

test("what an option takes is said in the words of the usage", () => {
  const help = commandHelp(commands.find(({ name }) => name === "sessions")!);
  expect(help).toMatch(/--limit <n> +list, search: how many/);
  expect(help).toMatch(/--format <html\|json\|markdown>\n +export: html/);
  expect(help).toMatch(/--json +as JSON/);
});

test("the whole help names every command and every flag, each on a line that fits 120 columns", () => {
  const help = helpText(commands);
  for (const { name, summary } of commands) expect(help).toContain(`pi ${name}`.padEnd(30) + summary);
  for (const { form } of flagRows()) expect(help).toContain(form);
  const long = help.split("\n").filter((line) => line.length > 120);
  expect(long).toEqual([]);
});
