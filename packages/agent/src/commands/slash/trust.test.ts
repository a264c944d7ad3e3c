import { expect, test } from "bun:test";
import { type RunOptions, run } from "./test-support/run-command.ts";
import { type TrustState, trustCommand } from "./trust.ts";

const FOUND: TrustState = {
  state: "unknown",
  root: "~/project",
  items: [{ path: ".pi-go/config.json", effect: "sets hooks" }, { path: "tools/hook.sh" }],
  fingerprint: "sha-1",
  acting: false,
};

function world(more: Partial<TrustState> = {}, granted = true, known = true) {
  const done: string[] = [];
  const ports = {
    trust: {
      state: async () => ({ ...FOUND, ...more }),
      async grant(fingerprint: string) {
        done.push(`grant ${fingerprint}`);
        return granted;
      },
      async revoke() {
        done.push("revoke");
        return known;
      },
    },
  };
  return { done, send: (word: string, options?: RunOptions) => run(trustCommand, word, ports, options) };
}

test.each(["", "yes"])(
  "/trust %s shows what would act, asks, and trusts exactly that [X01]",
  async (word) => {
    const { send, done } = world();
    const { dialogs, said } = await send(word, { answers: [true] });
    expect(JSON.stringify(dialogs.confirms[0]?.detail)).toContain(".pi-go/config.json");
    expect(done).toEqual(["grant sha-1"]);
    expect(said).toContain("It acts from the next start on: /restart.");
  },
);

test("a dismissed question trusts nothing [X01]", async () => {
  const { send, done } = world();
  const { said } = await send("yes", { answers: [false] });
  expect(done).toEqual([]);
  expect(said).toBe("~/project is not trusted; nothing in it acts.");
});

test("what changed while it was shown is not trusted [X01]", async () => {
  const { said, failed } = await world({}, false).send("yes", { answers: [true] });
  expect(failed).toBe(true);
  expect(said).toContain("It changed while you looked");
});

test("a project that changed since it was trusted is asked about as such", async () => {
  const { dialogs } = await world({ state: "changed" }).send("", { answers: [false] });
  expect(JSON.stringify(dialogs.confirms[0]?.detail)).toContain("has changed since you trusted it");
});

test("a trusted project is shown without a question", async () => {
  const { said, dialogs } = await world({ state: "trusted", acting: true }).send("");
  expect(dialogs.confirms).toEqual([]);
  expect(said).toContain("is trusted as it is now. /trust no takes that back.");
  expect(said).toContain("tools/hook.sh");
});

test("trust that does not act yet says that it needs a restart", async () => {
  expect((await world({ state: "trusted" }).send("")).said).toContain("It acts after /restart.");
});

test("a project that brings nothing needs no trust", async () => {
  const { said } = await world({ state: "nothing", items: [], fingerprint: null }).send("yes");
  expect(said).toContain("there is nothing to trust");
});

test("what could not be looked at cannot be trusted", async () => {
  const { said, failed } = await world({ fingerprint: null, problem: "it holds too much" }).send("yes");
  expect(failed).toBe(true);
  expect(said).toContain("it holds too much");
});

test("/trust no takes trust back and says that a run goes on with what it loaded", async () => {
  const { send, done } = world({ state: "trusted", acting: true });
  expect((await send("no")).said).toContain("goes on until /restart");
  expect(done).toEqual(["revoke"]);
});

test("/trust no says when there was no trust", async () => {
  expect((await world({}, true, false).send("no")).said).toBe("~/project was not trusted.");
});

test("many files are cut to a list and a count", async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({ path: `file-${index}` }));
  const { said } = await world({ state: "trusted", items }).send("");
  expect(said).toContain("… and 20 more files");
});

test("/trust refuses another word", async () => {
  expect((await world().send("maybe")).failed).toBe(true);
});
