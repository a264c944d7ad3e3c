import type { CommandBlock } from "../../contract/command.ts";
import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import type { RunPorts, RunResult, RunView } from "./run-ports.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { counted } from "./shared/format.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

const FORMS = "/run SPEC, /run SPEC fresh, or /run stop.";

/** `/run SPEC [fresh]`, `/run stop`: carries out a planned spec. */
export const runCommand: SlashCommand<RunPorts> = {
  ...slashInfo("run"),
  async complete(argument, { run }) {
    const specs = (await run.specs()).map((name) => [name, "carry it out"] as const);
    return completeWords(argument, [...specs, ["stop", "stop the run; its work is kept"]]);
  },
  async run(argument, context) {
    const { run } = context.ports;
    if (argument === "stop") return await stopped(run);
    const [spec, word] = firstWord(argument);
    if (spec === "" || (word !== "" && word !== "fresh")) {
      const specs = await run.specs();
      const known =
        specs.length === 0 ? "There are no specs yet; /plan IDEA makes one." : `Specs: ${specs.join(", ")}.`;
      return refused(
        spec === "" ? "Which spec is to be carried out?" : `/run does not know "${argument}".`,
        FORMS,
        known,
      );
    }
    const busy = run.current();
    if (busy !== null) return refused(`${busy} is carried out already.`, "/run stop stops it.");
    return await start(spec, word === "fresh", context);
  },
};

async function stopped(run: RunPorts["run"]): Promise<SlashOutcome> {
  const spec = run.current();
  if (spec === null) return refused("No spec is carried out now.");
  await run.stop();
  return said(`The run of ${spec} is stopped; its work is kept, and /run ${spec} goes on with it.`);
}

async function start(
  spec: string,
  fresh: boolean,
  { ports: { run }, dialogs, signal }: SlashContext<RunPorts>,
): Promise<SlashOutcome> {
  const view = await run.look(spec);
  const yes = await dialogs.confirm(
    {
      title: `${view.unfinished && !fresh ? "Go on with" : "Carry out"} ${spec}?`,
      detail: detailOf(view),
      yes: view.checked ? "Run it" : "Run it unchecked",
      no: "Cancel",
    },
    signal,
  );
  if (!yes) return said("Nothing was run.");
  return outcomeOf(spec, await run.start(spec, { fresh, unchecked: !view.checked }, signal));
}

function detailOf({ slices, gates, checked }: RunView): CommandBlock[] {
  const rows = slices.map(({ number, title, done, parallel }) => [
    done ? "[x]" : "[ ]",
    `${number} ${title}`,
    parallel ? "parallel" : "",
  ]);
  const left = slices.filter(({ done }) => !done).length;
  return [
    table([], rows),
    text(
      gates.length > 0
        ? `Gates: ${gates.join(", ")}.`
        : checked
          ? "There are no gates; only the verify commands of the slices check the work."
          : "Nothing would check this work: there are no gates, and slices have no verify commands.",
    ),
    text(
      `${counted(left, "slice")} by subagents on copies of the project; your files change only when all of it holds.`,
    ),
  ];
}

const ENDS: Readonly<Record<RunResult["outcome"], string>> = {
  merged: "is carried out and in your project",
  nothing: "is carried out; nothing had to be changed",
  failed: "was not carried out; your project is as it was",
  conflict: "is carried out, but clashes with your project, which is as it was",
  stopped: "was stopped; your project is as it was",
};

function outcomeOf(spec: string, result: RunResult): SlashOutcome {
  const { outcome, message, slices, gates, kept, summary } = result;
  const good = outcome === "merged" || outcome === "nothing";
  return {
    blocks: [
      text(`${spec} ${ENDS[outcome]}.`),
      text(message),
      table(
        [],
        slices.map(({ number, title, outcome: end, attempts }) => [
          `${number} ${title}`,
          end,
          attempts > 1 ? `${attempts} attempts` : "",
        ]),
      ),
      ...(gates.length === 0
        ? []
        : [
            text(
              `Gates: ${gates.map(({ name, passed }) => `${name} ${passed ? "passed" : "failed"}`).join(", ")}.`,
            ),
          ]),
      ...(kept.length === 0 ? [] : [text(`Kept: ${kept.join(", ")}.`)]),
      text(good ? `Report: ${summary}` : `Report: ${summary}. /run ${spec} goes on from here.`),
    ],
    ...(good ? {} : { failed: true as const }),
  };
}
