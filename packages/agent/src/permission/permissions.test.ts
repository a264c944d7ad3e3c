import { expect, test } from "bun:test";
import type { ConsentAnswer } from "../contract/consent.ts";
import { bashCall, pendingCall, permissions, person } from "./test-support/bench.ts";

const { signal } = new AbortController();

test("a denied call is blocked with the rule and what to do", async () => {
  const checked = permissions({ deny: ["bash(git push:*)"] });
  const decided = await checked.beforeTool(bashCall("ls && git push"), signal);
  expect(decided?.block).toBe(
    'Not run: the permission rule deny "bash(git push:*)" forbids this: it runs: git push. Do not reach the same by another way; do without it, or ask the user to do it.',
  );
});

test("without a terminal what would be asked is refused with that reason", async () => {
  const checked = permissions({ ask: ["write"] });
  const decided = await checked.beforeTool(pendingCall("write", { file_path: "a" }), signal);
  expect(decided?.block).toContain("there is no terminal to ask on");
  expect(decided?.block).toContain('ask "write"');
});

test("once runs one call and asks again for the next", async () => {
  const ask = person({ answer: "once" }, { answer: "once" });
  const checked = permissions({ ask: ["bash"] }, { ask });
  expect(await checked.beforeTool(bashCall("git push"), signal)).toBeUndefined();
  expect(await checked.beforeTool(bashCall("git push"), signal)).toBeUndefined();
  expect(ask.questions).toHaveLength(2);
  expect(ask.questions[0]).toMatchObject({
    rule: "bash",
    suggestions: ["bash(git push:*)"],
    lasting: true,
  });
});

test("session covers what was suggested until the end, and persists nothing", async () => {
  const ask = person({ answer: "session" });
  const kept: string[] = [];
  const checked = permissions({ ask: ["bash"] }, { ask, persist: (rule) => void kept.push(rule) });
  await checked.beforeTool(bashCall("git push origin"), signal);
  expect(await checked.beforeTool(bashCall("git push --tags"), signal)).toBeUndefined();
  expect((await checked.beforeTool(bashCall("git pull"), signal))?.block).toContain("refused");
  expect(kept).toEqual([]);
  expect(checked.granted()).toEqual(["bash(git push:*)"]);
});

test("always hands over the rules, which are then enough on their own", async () => {
  const kept: string[] = [];
  const checked = permissions(
    { ask: ["bash(git push:*)"] },
    { ask: person({ answer: "always" }), persist: (rule) => void kept.push(rule) },
  );
  await checked.beforeTool(bashCall("git push origin main"), signal);
  expect(kept).toEqual(["bash(git push origin main)"]);
  const later = permissions({ ask: ["bash(git push:*)"], allow: kept });
  expect((await later.verdict(bashCall("git push origin main"))).kind).toBe("run");
  expect((await later.verdict(bashCall("git push origin dev"))).kind).toBe("ask");
});

test("a rule that cannot be kept holds for the session, and that is said", async () => {
  const problems: string[] = [];
  const checked = permissions(
    { ask: ["write"] },
    {
      ask: person({ answer: "always" }),
      persist: () => Promise.reject(new Error("disk full")),
      onProblem: (message) => problems.push(message),
    },
  );
  const call = () => pendingCall("write", { file_path: "src/a.ts" });
  expect(await checked.beforeTool(call(), signal)).toBeUndefined();
  expect(await checked.beforeTool(call(), signal)).toBeUndefined();
  expect(problems).toEqual([
    "The rule write(src/**) could not be kept and holds for this session only: disk full",
  ]);
});

test("a refusal gives the model the person's reason", async () => {
  const ask = person({ answer: "refuse", reason: "use a branch" }, { answer: "refuse" });
  const checked = permissions({ ask: ["bash"] }, { ask });
  expect((await checked.beforeTool(bashCall("git push"), signal))?.block).toContain("said: use a branch");
  expect((await checked.beforeTool(bashCall("git push"), signal))?.block).toContain("ask what to do instead");
});

test("questions come one at a time, and an answer settles those that wait for the same", async () => {
  const answers: ((answer: ConsentAnswer) => void)[] = [];
  const checked = permissions(
    { ask: ["bash"] },
    { ask: { decide: () => new Promise((resolve) => answers.push(resolve)) } },
  );
  const first = checked.beforeTool(bashCall("git push a"), signal);
  const second = checked.beforeTool(bashCall("git push b"), signal);
  const third = checked.beforeTool(bashCall("git pull"), signal);
  await Bun.sleep(0);
  expect(answers).toHaveLength(1);
  answers[0]!({ answer: "session" });
  expect(await first).toBeUndefined();
  expect(await second).toBeUndefined();
  await Bun.sleep(0);
  expect(answers).toHaveLength(2);
  answers[1]!({ answer: "refuse", reason: "no" });
  expect((await third)?.block).toContain("no");
});

test("an interrupt closes the question and the waiting ones, and later calls are asked as ever", async () => {
  const run = new AbortController();
  const seen: AbortSignal[] = [];
  const checked = permissions(
    { ask: ["bash"] },
    {
      ask: {
        decide: (_question, given) => {
          seen.push(given);
          return new Promise((_, reject) =>
            given.addEventListener("abort", () => reject(new Error("closed"))),
          );
        },
      },
    },
  );
  const open = checked.beforeTool(bashCall("a"), run.signal);
  const waiting = checked.beforeTool(bashCall("b"), run.signal);
  await Bun.sleep(0);
  run.abort();
  expect((await open)?.block).toContain("interrupted");
  expect((await waiting)?.block).toContain("interrupted");
  expect(seen).toHaveLength(1);
  expect(seen[0]!.aborted).toBe(true);
});

test("a door that fails fails that call only", async () => {
  let times = 0;
  const checked = permissions(
    { ask: ["bash"] },
    {
      ask: {
        decide: () =>
          ++times === 1 ? Promise.reject(new Error("no screen")) : Promise.resolve({ answer: "once" }),
      },
    },
  );
  expect(checked.beforeTool(bashCall("a"), signal)).rejects.toThrow("no screen");
  expect(await checked.beforeTool(bashCall("a"), signal)).toBeUndefined();
});

const suggestions: [command: string, suggested: string[], lasting: boolean][] = [
  ["git push origin main", ["bash(git push:*)"], true],
  ["git add . && git commit -m 'a b'", ["bash(git add:*)", "bash(git commit:*)"], true],
  ["npm run test -- x", ["bash(npm run test:*)"], true],
  ["npm test", ["bash(npm test:*)"], true],
  ["gh pr create", ["bash(gh pr create:*)"], true],
  ["ls -la src", ["bash(ls:*)"], true],
  ["./scripts/check.sh all", ["bash(./scripts/check.sh:*)"], true],
  ["timeout 60 npm test", ["bash(timeout 60 npm test)"], true],
  ["sudo apt-get update", ["bash(sudo apt-get update)"], true],
  ["rm -rf build", ["bash(rm -rf build)"], true],
  ["python x.py", ["bash(python x.py)"], true],
  ["bash x.sh", ["bash(bash x.sh)"], true],
  ["node -e 'console.log(1)'", ["bash(node -e 'console.log(1)')"], true],
  ["git --version", ["bash(git --version)"], true],
  ["DEBUG=1 make all", ["bash(DEBUG=1 make all)"], true],
  ["echo x > out/a.txt", ["bash(echo:*)", "write(out/**)"], true],
  ["git push $X", [], false],
  ["for f in *; do git add $f; done", [], false],
  ["if then (", [], false],
  ["echo x > /etc/hosts", [], false],
];
for (const [command, suggested, lasting] of suggestions)
  test(`the rules suggested for ${JSON.stringify(command)} are ${suggested.join(", ") || "none"}`, async () => {
    const verdict = await permissions({ ask: ["bash"] }).verdict(bashCall(command));
    expect(verdict).toMatchObject({ kind: "ask", suggestions: suggested, lasting });
    const allowed = permissions({ ask: ["bash", "write"], allow: suggested });
    if (lasting) expect((await allowed.verdict(bashCall(command))).kind).toBe("run");
  });

test("a file's folder is suggested for edits, the file itself at the top", async () => {
  const checked = permissions({ ask: ["edit"] });
  expect(await checked.verdict(pendingCall("edit", { file_path: "src/x/a.ts" }))).toMatchObject({
    suggestions: ["edit(src/x/**)"],
  });
  expect(await checked.verdict(pendingCall("edit", { file_path: "README.md" }))).toMatchObject({
    suggestions: ["edit(/README.md)"],
  });
});

test("always is not offered where the asking rule is as narrow as any could be", async () => {
  const checked = permissions({ ask: ["bash(npm publish)"] });
  expect(await checked.verdict(bashCall("npm publish"))).toMatchObject({ kind: "ask", lasting: false });
});

test("session on a command that no rule can describe means that very command", async () => {
  const checked = permissions({ deny: ["bash(rm:*)"] }, { ask: person({ answer: "session" }) });
  expect(await checked.beforeTool(bashCall("$TOOL run"), signal)).toBeUndefined();
  expect(await checked.beforeTool(bashCall("$TOOL run"), signal)).toBeUndefined();
  expect((await checked.verdict(bashCall("$TOOL stop"))).kind).toBe("ask");
});
