import { expect, test } from "bun:test";
import { canary } from "./canary.ts";
import { link } from "./tree.ts";
import { workspace } from "./workspace.ts";

const bird = canary("Kanarien/vogel-4711");

test("a word that is nowhere passes", async () => {
  await using ws = await workspace({ "a.txt": "nothing" });
  expect(() => bird.absentFrom(ws.path, "and no text either")).not.toThrow();
});

const places: [title: string, path: string, content: string | Uint8Array][] = [
  ["plain in a deep file", "a/b/c.txt", `x ${bird.word} y`],
  ["between other bytes", "a.bin", new Uint8Array([0, 255, ...Buffer.from(bird.word), 0])],
  ["as base64", "a.txt", Buffer.from(bird.word).toString("base64")],
  ["as base64 after one byte", "a.txt", Buffer.from(`a${bird.word}`).toString("base64")],
  ["as base64 after two bytes", "a.txt", Buffer.from(`ab${bird.word}bc`).toString("base64")],
  ["URL-encoded", "a.txt", encodeURIComponent(bird.word)],
];
for (const [title, path, content] of places)
  test(`the word is found ${title}`, async () => {
    await using ws = await workspace({ [path]: content });
    expect(() => bird.absentFrom(ws.path)).toThrow(path.split("/").at(-1));
  });

test("the word is found in a file name, in a link target, in a text and in a request", async () => {
  await using named = await workspace({ Kanarienvogel: "x" });
  expect(() => canary("Kanarienvogel").absentFrom(named.path)).toThrow("the name of");
  await using linked = await workspace({ l: link("Kanarienvogel") });
  expect(() => canary("Kanarienvogel").absentFrom(linked.path)).toThrow("the link target of");
  expect(() => canary("Kanarienvogel").absentFrom("a Kanarienvogel sings")).toThrow("a text");
  expect(() => canary("Kanarienvogel").absentFrom({ text: "a Kanarienvogel" })).toThrow("a request");
});
