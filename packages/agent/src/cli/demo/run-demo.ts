import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Streams } from "../../modes/shared/surface.ts";
import { homeFolders } from "../../platform/home.ts";
import { newId } from "../../platform/ids.ts";
import { parseFlags } from "../flags.ts";
import type { Interruptions } from "../interruption.ts";
import { Notices } from "../notices.ts";
import type { Place } from "../place.ts";
import { runPrompt } from "../run-prompt.ts";
import { DEMO_FILES, DEMO_PROMPT } from "./demo-project.ts";
import { createScriptedClient, SCRIPTED_MODEL } from "./scripted-client.ts";

/**
 * Runs the demo in a temp folder of its own, with a state folder of its own, and removes both. Returns 0 only when the fixed
 * project's tests really passed.
 */
export async function runDemo(place: Place, streams: Streams, interruptions: Interruptions): Promise<number> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "pi-demo-"));
  const project = join(folder, "receipts");
  try {
    for (const [name, text] of Object.entries(DEMO_FILES)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    await streams.err(
      `This is a demo: a SCRIPTED model that ships inside pi answers here; no key, no network.\nThe loop, the tools and the project in ${project} are real.\n\n$ pi -p "${DEMO_PROMPT}"\n\n`,
    );
    const code = await runPrompt({
      prompt: DEMO_PROMPT,
      flags: parseFlags(["--no-session", "--memory-off"]),
      mode: "print",
      place: {
        environment: place.environment,
        home: homeFolders({ HOME: join(folder, "home"), PI_HOME: join(folder, "home", ".pi-go") }),
        cwd: project,
      },
      streams,
      interruptions,
      notices: new Notices(),
      given: { model: SCRIPTED_MODEL, client: createScriptedClient(newId), secret: null },
    });
    await streams.out(`\n${await changes(project)}\n`);
    await streams.err("The model was scripted. For a real one: pi doctor says what to set.\n");
    if (code !== 0) return code;
    return (await testsPass(project)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the run changed, as a unified diff. */
async function changes(project: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return Object.entries(DEMO_FILES)
    .flatMap(([name, before]) => {
      const after = readFileSync(join(project, name), "utf8");
      return before === after
        ? []
        : [createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, "", "", { context: 3 })];
    })
    .join("\n");
}

/** Runs the project's tests once more, outside of the agent: the demo does not take the script's word for it. */
async function testsPass(project: string): Promise<boolean> {
  const bash = Bun.which("bash");
  if (bash === null) return false;
  const child = Bun.spawn([bash, join("tests", "run.sh")], {
    cwd: project,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  return (await child.exited) === 0;
}
