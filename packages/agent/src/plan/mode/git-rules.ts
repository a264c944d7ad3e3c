import { programName, programsRun } from "../../platform/shell-syntax/programs-run.ts";

/** Git commands that change a repository, here or elsewhere. Those with harmless forms (`git branch`) are left to the sandbox. */
const WRITING: ReadonlySet<string> = new Set(
  "add am apply checkout cherry-pick clean commit fetch gc http-push imap-send init merge mv pull push rebase reset restore revert rm send-email send-pack stash switch update-ref".split(
    " ",
  ),
);
/** Of commands with commands of their own, those that send something away. */
const SENDING: Readonly<Record<string, ReadonlySet<string>>> = {
  lfs: new Set(["push", "lock", "unlock", "migrate"]),
  subtree: new Set(["add", "merge", "pull", "push", "split"]),
  svn: new Set(["dcommit", "branch", "tag", "set-tree", "commit-diff"]),
  p4: new Set(["submit"]),
};
/** Options before git's own command that take the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
]);

/**
 * Why a command line may not run in plan mode although its sandbox can write nothing: git would push to another machine, or fail in
 * words that the model takes for a broken repository.
 */
export function gitProblem(line: string): string | undefined {
  for (const { command } of programsRun(line).runs) {
    if (programName(command.words[0]) !== "git") continue;
    const words = command.words.slice(1).map(({ text }) => text);
    let at = 0;
    while (at < words.length && words[at]!.startsWith("-")) at += WITH_VALUE.has(words[at]!) ? 2 : 1;
    const verb = words[at];
    if (verb !== undefined && WRITING.has(verb)) return `git ${verb} changes the repository`;
    const inner = words.slice(at + 1).find((word) => !word.startsWith("-"));
    if (verb !== undefined && Object.hasOwn(SENDING, verb) && SENDING[verb]!.has(inner ?? ""))
      return `git ${verb} ${inner} changes the repository`;
  }
  return undefined;
}
