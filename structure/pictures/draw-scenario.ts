import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  DARK_TERMINAL,
  LIGHT_TERMINAL,
  modelServer,
  screenPicture,
  startTerminal,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { builtPi, wireSetup } from "../../e2e/support/pi.ts";
import type { Scenario, Step } from "./scenario.ts";

/** Plays a scenario with the built `pi` and gives the picture of its end. Throws, with the screen, when a step's text never comes. */
export async function drawScenario(scenario: Scenario): Promise<string> {
  const { cols, rows, files, folder, title } = scenario;
  await using server = await modelServer();
  // In the home, so that the picture shows `~/folder` and not where the home happens to be.
  await using space = await workspace();
  const project = join(space.home, folder);
  mkdirSync(project);
  for (const [path, content] of Object.entries(files)) space.write(join(project, path), content);
  for (const words of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "first"],
  ])
    space.git("-C", project, ...words);
  for (const answer of scenario.answers) server.reply(...answer);
  const { env, model } = wireSetup(server, "anthropic");
  const colors = scenario.terminal === "light" ? LIGHT_TERMINAL : DARK_TERMINAL;
  await using program = startTerminal([builtPi(), "--model", model], {
    cwd: project,
    env: space.env(env),
    cols,
    rows,
    colors,
  });
  for (const step of scenario.steps) await take(program, step);
  await program.settled();
  return screenPicture(program, { title, colors, cursor: !program.modes.cursorHidden });
}

async function take(program: TerminalProgram, step: Step): Promise<void> {
  if ("type" in step) program.type(step.type);
  else if ("press" in step) program.press(...step.press);
  else await program.waitFor(step.waitFor);
}
