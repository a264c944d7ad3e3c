import { expect, test } from "bun:test";
import type { AgentEvent } from "../../contract/events.ts";
import type { ImagePart, Message } from "../../contract/messages.ts";
import { bench, of, tool, user } from "../test-support/bench.ts";
import { call } from "../test-support/fake-model.ts";
import {
  asksForSummary,
  automatic,
  calling,
  fakeSpill,
  resulting,
  saying,
  smallModel,
  steps,
} from "../test-support/long-history.ts";

function idle(history: Message[], more: Parameters<typeof bench>[0] = {}) {
  const b = bench({ history, ...more });
  b.model.otherwise = [b.model.end([{ type: "text", text: "THE NOTES" }])];
  const compact = async (focus?: string): Promise<AgentEvent[]> => {
    const events: AgentEvent[] = [];
    const request = { signal: b.stop.signal, ...(focus === undefined ? {} : { focus }) };
    for await (const event of b.runner.compact(request)) events.push(event);
    return events;
  };
  const view = () => JSON.stringify(b.conversation.list);
  return { ...b, b, compact, view };
}

const short = [user("do it"), ...steps(6, 300), saying("I did it")];

test("a person may compact long before the window is full, and automatic compaction need not be on [A-SESS-03]", async () => {
  const { compact, view, conversation } = idle([...short]);
  const events = await compact();
  expect(events.map((event) => event.type)).toEqual(["compaction", "compaction"]);
  expect(of(events, "compaction")[1]).toMatchObject({ kind: "summary", phase: "end" });
  expect(view()).toContain("THE NOTES");
  expect(view()).toContain("do it");
  expect(conversation.synced).toBe(1);
});

test("what the person wants kept goes into the request for the summary", async () => {
  const { compact, model } = idle([...short]);
  await compact("the database schema");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain(
    "keep above all what concerns: the database schema",
  );
});

test("an empty conversation says that there is nothing to compact, and asks nobody", async () => {
  const { compact, model } = idle([]);
  const events = await compact();
  expect(of(events, "compaction").at(-1)).toMatchObject({ phase: "failed" });
  expect(of(events, "compaction").at(-1)?.reason).toContain("nothing before the newest messages");
  expect(model.requests).toHaveLength(0);
});

test("a compaction and a run never go on side by side", async () => {
  const b = idle([...short]);
  const running = b.runner.compact({ signal: b.stop.signal })[Symbol.asyncIterator]();
  await running.next();
  const beside = async () => {
    for await (const _ of b.runner.run(user("now"), b.stop.signal)) break;
  };
  await expect(beside()).rejects.toMatchObject({ code: "busy" });
  expect(() => b.runner.undoCompaction()).toThrow("already running");
  await running.return?.();
});

test("a compaction is undone: all messages are back, and what came after it stays [C07]", async () => {
  const b = idle([...short]);
  const before = b.conversation.list.slice();
  await b.compact();
  await b.b.run("and more");
  const undone = b.runner.undoCompaction()!;
  expect(undone.kind).toBe("summary");
  expect(undone.tokensAfter).toBeGreaterThan(undone.tokensBefore);
  expect(b.conversation.list.slice(0, before.length)).toEqual(before);
  expect(b.view()).toContain("and more");
  expect(b.view()).not.toContain("[The conversation up to here was summarised");
  expect(b.runner.undoCompaction()).toBeNull();
});

test("a compaction that was undone does not come again by itself with the next message", async () => {
  const b = idle([user("before"), ...steps(30, 600)], { model: smallModel, compaction: automatic });
  await b.b.run("go");
  expect(b.model.requests.filter(asksForSummary)).toHaveLength(1);
  b.runner.undoCompaction();
  await b.b.run("again");
  expect(b.model.requests.filter(asksForSummary)).toHaveLength(1);
});

test("files that were changed or read are listed by the program, over several compactions, whatever the summary says [C06]", async () => {
  const work: Message[] = [user("edit them")];
  for (let n = 0; n < 8; n++) {
    work.push(
      calling(`r${n}`, "read", { file_path: `read-${n}.ts` }),
      resulting(`r${n}`, "read", "x ".repeat(200)),
    );
    work.push(
      calling(`e${n}`, "edit", { file_path: `"odd" name-${n}.ts` }),
      resulting(`e${n}`, "edit", "x ".repeat(200)),
    );
  }
  const b = idle(work, { tools: [tool("read"), tool("edit", { kind: "edit" })] });
  await b.compact();
  b.conversation.list.push(
    user("go on"),
    ...steps(6, 300),
    calling("last", "edit", { file_path: "late.ts" }),
  );
  b.conversation.list.push(resulting("last", "edit", "ok"), ...steps(4, 300, "other"));
  await b.compact();
  const summary = b.conversation.list.find(
    (message) => message.role === "user" && message.origin === "summary",
  );
  const list = String(summary?.parts[1] && "text" in summary.parts[1] ? summary.parts[1].text : "");
  for (let n = 0; n < 8; n++) expect(list).toContain(JSON.stringify(`"odd" name-${n}.ts`));
  expect(list).toContain('"late.ts"');
  expect(list.indexOf("Read only:")).toBeLessThan(list.indexOf('"read-0.ts"'));
});

test("the person's own messages stay word for word and in order, also those given while work went on [C06]", async () => {
  const steering: Message = {
    role: "user",
    origin: "steering",
    parts: [{ type: "text", text: "never touch main.ts" }],
  };
  const b = idle([
    user("one: use tabs"),
    ...steps(3, 300),
    user("two"),
    ...steps(1, 300),
    steering,
    ...steps(6, 300),
  ]);
  await b.compact();
  await b.b.run("three");
  b.conversation.list.push(...steps(8, 300, "more"));
  await b.compact();
  const said = b.conversation.list.flatMap((message) =>
    message.role === "user" && message.origin !== "summary" ? message.parts : [],
  );
  expect(said.map((part) => (part.type === "text" ? part.text : ""))).toEqual([
    "one: use tabs",
    "two",
    "never touch main.ts",
    "three",
  ]);
});

test("reminders that hold stay, each once [C06]", async () => {
  const reminder = (text: string): Message => ({
    role: "user",
    origin: "reminder",
    parts: [{ type: "text", text }],
  });
  const b = idle([
    reminder("plan mode is on"),
    ...short,
    reminder("plan mode is on"),
    ...steps(6, 300, "more"),
  ]);
  await b.compact();
  expect(b.view().split("plan mode is on")).toHaveLength(2);
});

test("images of older messages are left out with a note that counts them, and the newest request keeps its own", async () => {
  const image: ImagePart = { type: "image", mimeType: "image/png", data: "OLDOLD==" };
  const newest: ImagePart = { ...image, data: "NEWNEW==" };
  const withImage = (text: string, part: ImagePart): Message => ({
    role: "user",
    origin: "user",
    parts: [{ type: "text", text }, part],
  });
  const shown = resulting("s", "read", "a picture");
  shown.parts[0]!.content.push(image);
  const b = idle([
    withImage("look at this", image),
    calling("s", "read"),
    shown,
    withImage("and now at that", newest),
    ...steps(8, 300),
  ]);
  await b.compact();
  expect(b.view()).not.toContain("OLDOLD==");
  expect(b.view()).toContain("NEWNEW==");
  expect(b.view()).toContain("2 images were left out");
  expect(b.view()).toContain("[1 image left out to fit the context window]");
});

test("a request that would take the window alone is cut in its middle and kept in a file", async () => {
  const spill = fakeSpill();
  const long = `BEGIN ${"paste ".repeat(8_000)} END`;
  const b = idle([user(long), ...steps(8, 300)], { model: smallModel, spill });
  await b.compact();
  expect(b.view()).toContain("BEGIN");
  expect(b.view()).toContain(" END");
  expect(b.view().length).toBeLessThan(long.length);
  const [path, kept] = [...spill.files][0]!;
  expect(kept).toBe(long);
  expect(b.view()).toContain(path);
});

test("results of the newest step that are longer than all that may stay are cut, kept in a file, and stay with their calls", async () => {
  const spill = fakeSpill();
  const b = idle([user("go"), ...steps(20, 400)], { model: smallModel, compaction: automatic, spill });
  b.conversation.list.push(
    calling("big", "look"),
    resulting("big", "look", `BEGIN ${"big ".repeat(20_000)}`),
  );
  await b.b.run(null);
  const sent = b.model.requests.at(-1)!;
  expect(asksForSummary(sent)).toBe(false);
  expect(sent.messages.at(-2)?.parts[0]).toMatchObject({ type: "tool_call", id: "big" });
  expect(sent.messages.at(-1)?.parts[0]).toMatchObject({ type: "tool_result", id: "big" });
  expect(JSON.stringify(sent.messages.at(-1)).length).toBeLessThan(20_000);
  expect([...spill.files.values()].some((text) => text.startsWith("BEGIN"))).toBe(true);
});

test("calls that are still open stay open, and get their result after the compaction [C06]", async () => {
  const b = idle([user("go"), ...steps(8, 300), calling("open", "look")]);
  await b.compact();
  expect(b.conversation.list.at(-1)?.parts).toContainEqual(call("open", "look"));
});
