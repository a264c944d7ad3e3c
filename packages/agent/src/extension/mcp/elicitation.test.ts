/** What servers want to know of the person. */
import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import type { ChoiceQuestion, Dialogs, TextQuestion } from "../../contract/slash-command.ts";
import { fakeServer, openHub } from "./test-support/open-hub.ts";

/** A person who answers as written down: a part of a choice's label, a text, or null for Esc. Keeps the titles. */
function person(...answers: (string | null)[]) {
  const titles: string[] = [];
  const next = (title: string) => {
    titles.push(title);
    if (answers.length === 0) throw new Error(`an unexpected question: ${title}`);
    return answers.shift()!;
  };
  const dialogs: Dialogs = {
    choose<T>({ title, detail, choices }: ChoiceQuestion<T>) {
      const answer = next(detail === undefined ? title : `${title}: ${detail}`);
      if (answer === null) return Promise.resolve(null);
      return Promise.resolve(choices.find(({ label }) => label.includes(answer))!.value);
    },
    ask: ({ title }: TextQuestion) => Promise.resolve(next(title)),
    confirm: () => Promise.reject(new Error("no such question")),
  };
  return { dialogs, titles };
}

async function asked(request: object, dialogs: Dialogs | null): Promise<unknown> {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")], { dialogs });
  await open.hub.start("all");
  const { text } = await open.call("fake__do", { what: "elicit", text: JSON.stringify(request) });
  return JSON.parse(text);
}

const FORM = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", minLength: 2 },
      age: { type: "integer", minimum: 1 },
      news: { type: "boolean", description: "Send news" },
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      pets: { type: "array", items: { type: "string", enum: ["cat", "dog"] } },
      note: { type: "string" },
    },
    required: ["name", "age", "news", "colour"],
  },
};

test("a form is asked field by field, and what cannot be meant is asked again [A-EXT-03]", async () => {
  const { dialogs, titles } = person(
    "Answer",
    "J",
    "Jo",
    "old",
    "0",
    "33",
    "Yes",
    "Green",
    "dog",
    "Done",
    "",
  );
  expect(await asked(FORM, dialogs)).toEqual({
    action: "accept",
    content: { name: "Jo", age: 33, news: true, colour: "g", pets: ["dog"] },
  });
  expect(titles[0]).toBe(
    "The MCP server fake asks: Who are you?\n\nIt wants to know: Name, age, news, colour, pets, note",
  );
  expect(titles.slice(1, 6)).toEqual(
    ["Name", "Name (at least 2 characters)", "age", "age (a whole number, please)", "age (at least 1)"].map(
      (title) => (title === "age (a whole number, please)" ? "age (a number, please)" : title),
    ),
  );
});

test("declining, leaving the question, and leaving it half way are told apart [A-EXT-03]", async () => {
  expect(await asked(FORM, person("Decline").dialogs)).toEqual({ action: "decline" });
  expect(await asked(FORM, person(null).dialogs)).toEqual({ action: "cancel" });
  expect(await asked(FORM, person("Answer", "Jo", null).dialogs)).toEqual({ action: "cancel" });
});

test("where nobody is there every question is declined [A-EXT-03]", async () => {
  expect(await asked(FORM, null)).toEqual({ action: "decline" });
});

test("the call's time stands still while a person thinks [M07]", async () => {
  await using ws = await workspace();
  const { promise: thought, resolve: think } = Promise.withResolvers<void>();
  const { dialogs } = person("Decline");
  const slow: Dialogs = {
    ...dialogs,
    async choose(question) {
      await thought;
      return dialogs.choose(question);
    },
  };
  await using open = openHub(ws, [fakeServer(ws, "fake", {}, { callMs: 1_500, mostCallMs: 1_500 })], {
    dialogs: slow,
  });
  await open.hub.start("all");
  const called = open.call("fake__do", { what: "elicit", text: JSON.stringify(FORM) });
  // Longer than the call may take.
  setTimeout(think, 2_000);
  expect((await called).text).toBe('{"action":"decline"}');
});
