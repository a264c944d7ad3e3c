import type { MemoryScope } from "../../core/memory/scope.ts";
import type { AddResult } from "../../core/ports/memory-store.ts";
import { EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "../command.ts";
import { parseStatementKind, STATEMENT_KINDS } from "../input/parse-kinds.ts";
import { counted } from "../output/memory-view.ts";
import { actorOf } from "../person.ts";

const LONGEST = 20_000;

/** `remem add TEXT`: writes a statement down. */
export const addCommand: CommandDefinition = {
  name: "add",
  summary: "write a statement down; it holds for this project",
  usage: "TEXT | -   [--global] [--kind KIND] [--subject WORDS] [--title TITLE] [--file PATH]",
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  options: {
    global: { short: "g", summary: "it holds everywhere, not only in this project" },
    kind: { value: "KIND", short: "k", summary: `what it is (default fact): ${STATEMENT_KINDS.join(", ")}` },
    subject: {
      value: "WORDS",
      summary: 'what it is about ("package manager"): replaces what is known of that',
    },
    title: { value: "TITLE", summary: "a line to list it by" },
    file: { value: "PATH", multiple: true, summary: "a file it is about, relative to the project" },
  },
  notes: [
    "Typed in a terminal, it counts at once, with your authority. Anything else (a pipe, a script, an agent's shell) is written down as a candidate and counts when you approve it with review.",
    "With - or without words, the text is read from stdin.",
  ],
  async run(call) {
    const text = await readText(call);
    const kind = parseStatementKind(call.value("kind"));
    const actor = actorOf(call.world);
    const { memory } = call;
    const opened = await memory.writing();
    const scope: MemoryScope = call.flag("global") ? { kind: "global" } : await memory.projectHere(opened);
    const manager = await memory.manager(opened);
    const subject = call.value("subject");
    const title = call.value("title");
    const result = await manager.create(
      {
        kind,
        scope,
        text,
        files: call.values("file"),
        waits: !actor.interactive,
        ...(subject === undefined ? {} : { subject }),
        ...(title === undefined ? {} : { title }),
      },
      actor,
    );
    if (!(await memory.config()).settings.enabled)
      memory.notices.push("memory is switched off in the settings: nothing is recalled until it is on");
    return outcomeOf(result, call, scope);
  },
};

async function readText({ words, world, memory }: CommandCall): Promise<string> {
  const piped = words.length === 0 || (words.length === 1 && words[0] === "-");
  if (piped && world.input.isTerminal && words.length === 0)
    throw usageError("there is nothing to remember", `write it: ${world.program} add "we use pnpm"`);
  const text = (piped ? await world.input.all() : words.join(" ")).trim();
  if (text === "") throw usageError("there is nothing to remember: the text is empty", "give a text");
  if (text.length > LONGEST)
    throw usageError(
      `the text has ${text.length} characters, and a statement has at most ${LONGEST}`,
      "write down what matters of it, or keep it in a file and name that with --file",
    );
  if (text.includes("\uFFFD"))
    memory.notices.push("the text was not valid UTF-8; what could not be read was replaced");
  return text;
}

function outcomeOf(result: AddResult, { world }: CommandCall, scope: MemoryScope): CommandOutcome {
  const where = scope.kind === "global" ? "everywhere" : "in this project";
  switch (result.outcome) {
    case "added":
      return {
        blocks: [
          result.state === "candidate"
            ? `Written down as ${result.id}. It waits for review and counts when you approve it: ${world.program} review`
            : `Remembered ${where} as ${result.id}.`,
          ...(result.superseded.length === 0
            ? []
            : [
                `It replaces ${counted(result.superseded.length, "memory", "memories")}: ${result.superseded.join(", ")}`,
              ]),
        ],
        data: {
          outcome: "added",
          id: result.id,
          state: result.state,
          scope: scope.kind,
          superseded: result.superseded,
        },
      };
    case "known":
      return {
        blocks: [`This is remembered already, as ${result.id}.`],
        data: { outcome: "known", id: result.id },
      };
    case "forgotten":
      return {
        exitCode: EXIT.failed,
        blocks: [
          "This was erased once, and what was erased does not come back by itself: nothing was written down. Say it in other words if you want it again.",
        ],
        data: { outcome: "forgotten" },
      };
  }
}
