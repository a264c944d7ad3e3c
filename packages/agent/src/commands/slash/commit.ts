import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { cleanMessage, messageProblem } from "./shared/commit-message.ts";
import type { CommitPorts, StagedChanges } from "./shared/commit-port.ts";
import { COMMIT_INSTRUCTION, commitPrompt, fileLine } from "./shared/commit-prompt.ts";
import { counted } from "./shared/format.ts";
import { refused, said, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

type Context = SlashContext<CommitPorts>;

/** A model that misses the form is told so once. */
const MOST_PROPOSALS = 2;
const MOST_FILES_SHOWN = 20;
/** Characters of what hooks said. */
const MOST_OUTPUT = 4_000;

/**
 * `/commit [message]`: commits exactly what is staged, with a message that the model of role `commit` proposes (or the given
 * one), after the person's Enter. Nothing is staged here but with `-a`, and then what `git commit -a` would.
 */
export const commitCommand: SlashCommand<CommitPorts> = {
  ...slashInfo("commit"),
  async run(argument, context) {
    const [, all, message = ""] = /^(-a|--all)?(?:^|\s+|$)([\s\S]*)$/.exec(argument) ?? [];
    if (all !== undefined) await context.ports.git.stageKnown();
    let own = message === "" ? null : message;
    let changed = false;
    for (;;) {
      const staged = await context.ports.git.staged(context.signal);
      if (context.signal.aborted) return stopped();
      if (staged === null)
        return refused(
          "This folder is in no git repository, so there is nothing to commit to.",
          "!git init makes one.",
        );
      const obstacle = whyNot(staged);
      if (obstacle !== null) return obstacle;
      const proposal = own ?? (await propose(staged, context));
      if (context.signal.aborted) return stopped();
      if (proposal === "")
        return refused(
          "The model proposed no message; nothing was committed.",
          "/commit MESSAGE commits with your own.",
        );
      const message = await agree(proposal, staged, changed, context);
      if (message === null) return said("Nothing was committed; what is staged stays staged.");
      const result = await context.ports.git.commit(message, staged.tree);
      if (result.state === "done")
        return said(
          `Committed ${result.id}${result.branch === undefined ? "" : ` on ${result.branch}`}: ${message}`,
          counted(staged.files.length, "file"),
          ...(result.hooks === undefined ? [] : [hookWords(result.hooks)]),
        );
      if (result.state === "failed") return failed(result.output, message);
      // another tree needs another look, and its own message unless the person wrote this one
      changed = true;
      own = message === proposal ? own : message;
    }
  },
};

/** The end of what hooks said, which says how it ended. */
function hookWords(output: string): string {
  const words = output.trimEnd();
  const cut = words.length - MOST_OUTPUT;
  return `Hooks said:\n${cut > 0 ? `[… ${cut} characters left out …]\n${words.slice(-MOST_OUTPUT).toWellFormed()}` : words}`;
}

function stopped(): SlashOutcome {
  return said("Stopped; nothing was committed.");
}

function whyNot(staged: StagedChanges): SlashOutcome | null {
  if (staged.conflicts.length > 0)
    return refused(
      `There are unsolved conflicts in ${staged.conflicts.slice(0, MOST_FILES_SHOWN).join(", ")}.`,
      "Solve them, stage the files with !git add FILE, and send /commit again.",
    );
  if (staged.files.length > 0) return null;
  return staged.unstaged > 0
    ? refused(
        `Nothing is staged; ${counted(staged.unstaged, "file")} changed but not staged.`,
        "Stage what belongs into the commit: !git add FILE, or /commit -a for all files that git knows.",
      )
    : refused("Nothing is staged, and nothing has changed.");
}

/** The model's message in the right form, as far as two attempts and tidying can bring it; empty when there was none. */
async function propose(staged: StagedChanges, { ports, signal }: Context): Promise<string> {
  const prompt = commitPrompt(staged);
  let message = "";
  let complaint = "";
  for (let attempt = 0; attempt < MOST_PROPOSALS && !signal.aborted; attempt++) {
    const answer = await ports.commitModel.propose(COMMIT_INSTRUCTION, prompt + complaint, signal);
    message = cleanMessage(answer);
    const problem = messageProblem(answer);
    if (problem === null) break;
    complaint = `\n\nYour last answer was:\n${answer.slice(0, 500)}\nIt is not usable: ${problem} Answer with one line.`;
  }
  return message;
}

/** Asks until the person commits or cancels; Enter commits, Esc cancels. */
async function agree(
  proposal: string,
  staged: StagedChanges,
  changed: boolean,
  { dialogs, signal }: Context,
): Promise<string | null> {
  let message = proposal;
  for (;;) {
    const answer = await dialogs.choose<"commit" | "edit" | "cancel">(
      {
        title: changed
          ? "What is staged changed meanwhile. Commit it as it is now?"
          : `Commit ${counted(staged.files.length, "file")}?`,
        detail: [message, "", ...fileLines(staged)].join("\n"),
        choices: [
          { value: "commit", label: "Commit" },
          { value: "edit", label: "Edit the message" },
          { value: "cancel", label: "Cancel" },
        ],
        initial: 0,
        filter: false,
      },
      signal,
    );
    if (answer === "commit") return message;
    if (answer !== "edit") return null;
    const edited = await dialogs.ask({ title: "Commit message", initial: message }, signal);
    if (edited !== null && edited.trim() !== "") message = edited.trim();
  }
}

function fileLines({ files }: StagedChanges): string[] {
  const more = files.length - MOST_FILES_SHOWN;
  return [
    ...files.slice(0, MOST_FILES_SHOWN).map(fileLine),
    ...(more > 0 ? [`… and ${counted(more, "more file")}`] : []),
  ];
}

function failed(output: string, message: string): SlashOutcome {
  return {
    blocks: [
      text("git refused the commit; what is staged stays staged:"),
      text(output.trim() === "" ? "(it said nothing)" : output.trimEnd()),
      text(`To try again with the same message: /commit ${message}`),
    ],
    failed: true,
  };
}
