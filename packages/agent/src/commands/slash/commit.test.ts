import { expect, test } from "bun:test";
import { commitCommand } from "./commit.ts";
import type { CommitResult, StagedChanges, StagedFile } from "./shared/commit-port.ts";
import { type RunOptions, run } from "./test-support/run-command.ts";

const FILE: StagedFile = { change: "modified", path: "src/parse.ts", added: 3, removed: 1 };
const MOVED: StagedFile = { change: "renamed", path: "src/new.ts", from: "src/old.ts", added: 0, removed: 0 };
const STAGED: StagedChanges = {
  tree: "tree-1",
  files: [FILE, MOVED],
  diff: "diff --git a/src/parse.ts b/src/parse.ts\n--- a/src/parse.ts\n+++ b/src/parse.ts\n@@ -1 +1 @@\n-a\n+b\n",
  conflicts: [],
  unstaged: 0,
};
const DONE: CommitResult = { state: "done", id: "abc1234", branch: "main" };

interface World {
  staged?: (StagedChanges | null)[];
  answers?: string[];
  results?: CommitResult[];
}

/** Each list gives its next entry at each call, and its last one from then on. */
function world({ staged = [STAGED], answers = ["fix(parse): read the last line"], results = [DONE] }: World) {
  const commits: string[][] = [];
  const prompts: string[] = [];
  let stagings = 0;
  const next = <T>(list: T[]): T => (list.length > 1 ? list.shift()! : list[0]!);
  const ports = {
    git: {
      staged: async () => next(staged),
      async commit(message: string, tree: string) {
        commits.push([message, tree]);
        return next(results);
      },
      async stageKnown() {
        stagings++;
      },
    },
    commitModel: {
      async propose(_system: string, prompt: string) {
        prompts.push(prompt);
        return next(answers);
      },
    },
  };
  return {
    commits,
    prompts,
    stagings: () => stagings,
    ports,
    send: (argument: string, options?: RunOptions) => run(commitCommand, argument, ports, options),
  };
}

test("Enter commits exactly the staged tree with the proposed message [A-TUI-02][A-TUI-03]", async () => {
  const { send, commits, prompts } = world({});
  const { said, dialogs } = await send("", { answers: ["Commit"] });
  expect(prompts[0]).toContain("+b");
  expect(dialogs.choices[0]).toMatchObject({ title: "Commit 2 files?", initial: 0 });
  expect(dialogs.choices[0]?.choices[0]?.label).toBe("Commit");
  expect(dialogs.choices[0]?.detail).toBe(
    "fix(parse): read the last line\n\nmodified src/parse.ts (+3 −1)\nrenamed  src/old.ts → src/new.ts (+0 −0)",
  );
  expect(commits).toEqual([["fix(parse): read the last line", "tree-1"]]);
  expect(said).toBe("Committed abc1234 on main: fix(parse): read the last line\n2 files");
});

test.each([null, "Cancel"])("Esc or %p commits nothing [A-TUI-03]", async (answer) => {
  const { send, commits } = world({});
  const { said, failed } = await send("", { answers: [answer] });
  expect({ failed, commits }).toEqual({ failed: false, commits: [] });
  expect(said).toContain("Nothing was committed");
});

test("the message can be edited before it is committed", async () => {
  const { send, commits } = world({});
  const { dialogs } = await send("", { answers: ["Edit", " feat: my own words ", "Commit"] });
  expect(dialogs.texts[0]?.initial).toBe("fix(parse): read the last line");
  expect(dialogs.choices[1]?.detail).toStartWith("feat: my own words\n");
  expect(commits).toEqual([["feat: my own words", "tree-1"]]);
});

test.each([null, "  "])("an edit that is dismissed or emptied (%p) keeps the message", async (edit) => {
  const { send, commits } = world({});
  await send("", { answers: ["Edit", edit, "Commit"] });
  expect(commits[0]?.[0]).toBe("fix(parse): read the last line");
});

test("/commit MESSAGE asks no model and keeps the message as it is", async () => {
  const { send, commits, prompts } = world({});
  await send("WIP: My words.", { answers: ["Commit"] });
  expect(prompts).toEqual([]);
  expect(commits).toEqual([["WIP: My words.", "tree-1"]]);
});

test("outside of a repository it says so", async () => {
  const { said, failed } = await world({ staged: [null] }).send("");
  expect(failed).toBe(true);
  expect(said).toContain("in no git repository");
});

test("nothing staged: it stages nothing and says how", async () => {
  const { send, commits } = world({ staged: [{ ...STAGED, files: [], diff: "", unstaged: 3 }] });
  const { said, failed } = await send("");
  expect({ failed, commits }).toEqual({ failed: true, commits: [] });
  expect(said).toContain("3 files changed but not staged");
  expect(said).toContain("!git add FILE");
  expect(said).toContain("/commit -a");
});

test.each([
  ["-a", 1, "fix(parse): read the last line"],
  ["--all fix: my words", 1, "fix: my words"],
  ["-about time", 0, "-about time"],
  ["fix: -a is an option now", 0, "fix: -a is an option now"],
])("/commit %s stages %p times and commits %p", async (argument, count, message) => {
  const { send, commits, stagings } = world({});
  await send(argument, { answers: ["Commit"] });
  expect(stagings()).toBe(count);
  expect(commits).toEqual([[message, "tree-1"]]);
});

test("what hooks said of a commit that was made is shown, its end where it is long", async () => {
  const hooks = `${"checked a file\n".repeat(1_000)}all is well`;
  const { send } = world({ results: [{ ...DONE, hooks } as CommitResult] });
  const { said } = await send("", { answers: ["Commit"] });
  expect(said).toContain("Hooks said:\n[… ");
  expect(said).toEndWith("all is well");
  expect(said.length).toBeLessThan(5_000);
});

test("nothing changed at all is said as such", async () => {
  const { said } = await world({ staged: [{ ...STAGED, files: [], diff: "" }] }).send("");
  expect(said).toBe("Nothing is staged, and nothing has changed.");
});

test("conflicts are named and nothing is committed", async () => {
  const { send, commits } = world({ staged: [{ ...STAGED, tree: "", conflicts: ["a.ts"] }] });
  expect((await send("")).said).toContain("unsolved conflicts in a.ts");
  expect(commits).toEqual([]);
});

test("an index that changed meanwhile is proposed and asked about anew", async () => {
  const other = { ...STAGED, tree: "tree-2", files: [FILE] };
  const { send, commits, prompts } = world({
    staged: [STAGED, other],
    answers: ["fix: one", "fix: two"],
    results: [{ state: "changed" }, DONE],
  });
  const { dialogs } = await send("", { answers: ["Commit", "Commit"] });
  expect(dialogs.choices[1]?.title).toContain("changed meanwhile");
  expect(prompts).toHaveLength(2);
  expect(commits).toEqual([
    ["fix: one", "tree-1"],
    ["fix: two", "tree-2"],
  ]);
});

test("words of the person's own survive an index that changed", async () => {
  const { send, commits } = world({ results: [{ state: "changed" }, DONE] });
  await send("", { answers: ["Edit", "feat: mine", "Commit", "Commit"] });
  expect(commits.map(([message]) => message)).toEqual(["feat: mine", "feat: mine"]);
});

test("a hook that refuses is shown with its output, and the message is not lost", async () => {
  const { send } = world({ results: [{ state: "failed", output: "lint: 2 errors\n" }] });
  const { said, failed } = await send("", { answers: ["Commit"] });
  expect(failed).toBe(true);
  expect(said).toContain("lint: 2 errors");
  expect(said).toContain("/commit fix(parse): read the last line");
});

test("an answer out of form is asked for once more, then tidied", async () => {
  const { send, commits, prompts } = world({ answers: ["I changed the parser.", "Updated the parser."] });
  await send("", { answers: ["Commit"] });
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toContain("Your last answer was:\nI changed the parser.");
  expect(commits[0]?.[0]).toBe("chore: updated the parser");
});

test("an empty answer commits nothing and says how to go on", async () => {
  const { send, commits } = world({ answers: [" "] });
  const { said, failed } = await send("");
  expect({ failed, commits }).toEqual({ failed: true, commits: [] });
  expect(said).toContain("/commit MESSAGE");
});

test("Esc while the model thinks asks nothing and commits nothing", async () => {
  const { ports, commits } = world({});
  const controller = new AbortController();
  ports.commitModel.propose = async () => {
    controller.abort();
    return "";
  };
  expect((await run(commitCommand, "", ports, { controller })).said).toBe("Stopped; nothing was committed.");
  expect(commits).toEqual([]);
});
