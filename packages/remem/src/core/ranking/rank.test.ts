import { expect, test } from "bun:test";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { MemoryEngine } from "../engine.ts";
import type { MemoryKind } from "../memory/record.ts";

const SCOPE = { kind: "project", id: "p" } as const;

/** A memory of a session, as the tests below need it. */
interface Piece {
  readonly session: string;
  readonly text: string;
  readonly title?: string;
  readonly kind?: MemoryKind;
}

async function filled(
  pieces: readonly Piece[],
): Promise<{ readonly engine: MemoryEngine } & AsyncDisposable> {
  const clock = { now: () => 1_700_000_000_000 };
  const store = await openSqliteStore({ path: ":memory:", clock });
  const engine = new MemoryEngine({ store, clock });
  await engine.remember(
    pieces.map(({ session, text, title = "", kind = "change" }) => ({
      kind,
      scope: SCOPE,
      title,
      text,
      provenance: { host: "test", sessionId: session, author: { role: "agent" }, typed: false },
    })),
  );
  return { engine, [Symbol.asyncDispose]: () => store.close() };
}

const searched = async (engine: MemoryEngine, question: string): Promise<string[]> =>
  (await engine.search(question, { scopes: [SCOPE], limit: 50 })).hits.map(({ record }) => record.text);

/** Work of other days that says one word of the questions below, and says it well. */
const OTHERS: readonly Piece[] = Array.from({ length: 8 }, (_, index) => ({
  session: `other-${index}`,
  title: `Run number ${index}`,
  text: "",
}));

test("a change that says little by itself is found with the work it belongs to", async () => {
  await using one = await filled([
    ...OTHERS,
    { session: "work", title: "Typed backend contracts", text: "Results of a backend get types" },
    {
      session: "work",
      text: "Address what came up in the discussion of yesterday, so that the tests run again",
    },
  ]);
  const found = await searched(one.engine, "typed backend contracts run");
  expect(found[0]).toBe("Results of a backend get types");
  expect(found[1]).toStartWith("Address what came up");
});

test("company never puts a memory before the one that was asked for", async () => {
  await using one = await filled([
    { session: "work", title: "Typed backend contracts", text: "Results of a backend get types" },
    { session: "work", title: "Backend contracts", text: "Follow-up of the typed results" },
    { session: "later", title: "Backend registry", text: "Backends are looked up by name" },
  ]);
  expect((await searched(one.engine, "backend looked up by name"))[0]).toBe("Backends are looked up by name");
  expect((await searched(one.engine, "typed backend contracts"))[0]).toBe("Results of a backend get types");
});

test("company alone is not recalled: it would cost tokens and say nothing", async () => {
  const green = "Buttons are green, so that tests of colours for people who see some of them badly run well";
  await using one = await filled([
    { session: "work", kind: "decision", text: "The staging cluster runs in Frankfurt" },
    { session: "work", kind: "decision", text: green },
    ...OTHERS,
  ]);
  const question = "Where does the staging cluster run?";
  expect(await searched(one.engine, question)).toContain(green);
  const { hits } = await one.engine.recall(question, { scopes: [SCOPE], budget: 1_000 });
  const recalled = hits.map(({ record }) => record.text);
  expect(recalled).toContain("The staging cluster runs in Frankfurt");
  expect(recalled).not.toContain(green);
});

test("a session that speaks of it several times comes before one that names it once, however long that is", async () => {
  const chatter = Array.from(
    { length: 30 },
    (_, index): Piece => ({
      session: "long",
      kind: "prompt",
      text: `And another thing about topic ${index}, which goes on and on`,
    }),
  );
  await using one = await filled([
    { session: "deep", kind: "prompt", text: "How do we migrate the ledger?" },
    { session: "deep", kind: "answer", text: "The ledger is migrated table by table" },
    { session: "deep", kind: "prompt", text: "And the indexes of the ledger?" },
    ...chatter,
    { session: "long", kind: "prompt", text: "By the way, the ledger is fine" },
  ]);
  const sessions = await one.engine.searchSessions("ledger", { scopes: [SCOPE] });
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["deep", "long"]);
});
