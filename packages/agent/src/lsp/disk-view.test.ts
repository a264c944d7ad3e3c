import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { workspace } from "@pi-ts/testkit";
import { pathOf } from "./file-uri.ts";
import { editBench } from "./test-support/edit-bench.ts";
import { fakeServer } from "./test-support/fake-server.ts";

const WATCHING = {
  requests: [
    {
      method: "client/registerCapability",
      params: {
        registrations: [
          {
            id: "w",
            method: "workspace/didChangeWatchedFiles",
            registerOptions: { watchers: [{ globPattern: "**/*.fake" }] },
          },
        ],
      },
    },
  ],
};

test("files that a command made, changed, renamed and removed are told to the server before its next question [L01]", async () => {
  await using ws = await workspace({ "a.fake": "one\n", "b.fake": "two\n", "c.fake": "x\n", "d.txt": "" });
  const fake = fakeServer(ws, WATCHING);
  await using bench = editBench(ws, fake);
  const ask = (file: string) => bench.ask.diagnostics(file, bench.signal);
  await ask("a.fake");
  while (fake.answers().length < 1) await Bun.sleep(1);
  await ask("c.fake");
  ws.write("a.fake", "one bad\n");
  renameSync(ws.at("b.fake"), ws.at("e.fake"));
  rmSync(ws.at("c.fake"));
  ws.write("d.txt", "changed");
  bench.session.workspace.commandRan();
  expect(await ask("a.fake")).toMatchObject({ state: "answer", value: [{ message: "this is bad" }] });
  const changes = fake
    .received("workspace/didChangeWatchedFiles")
    .flatMap(({ params }) => params["changes"] as { uri: string; type: number }[])
    .map(({ uri, type }) => `${pathOf(uri)!.slice(ws.path.length + 1)} ${type}`);
  expect(new Set(changes)).toEqual(new Set(["a.fake 2", "b.fake 3", "e.fake 1", "c.fake 3"]));
  expect(fake.received("textDocument/didClose").map(({ params }) => params["textDocument"])).toEqual([
    { uri: expect.stringContaining("c.fake") },
  ]);
  await expect(ask("c.fake")).rejects.toMatchObject({ code: "file_missing" });
});

test("what our own tools write is told to the server at once [L01]", async () => {
  await using ws = await workspace({ "a.fake": "one\n" });
  const fake = fakeServer(ws, WATCHING);
  await using bench = editBench(ws, fake);
  await bench.ask.diagnostics("a.fake", bench.signal);
  while (fake.answers().length < 1) await Bun.sleep(1);
  await bench.write("new.fake", "x\n");
  await bench.edit("a.fake", "one", "two");
  const types = fake
    .received("workspace/didChangeWatchedFiles")
    .map(({ params }) => (params["changes"] as { type: number }[])[0]!.type);
  expect(types.slice(0, 2)).toEqual([1, 2]);
});

test("the document used longest ago is closed when there are too many [L01]", async () => {
  await using ws = await workspace(
    Object.fromEntries(Array.from({ length: 42 }, (_, index) => [`f${index}.fake`, "x\n"])),
  );
  const fake = fakeServer(ws);
  await using bench = editBench(ws, { ...fake, limits: { settleMs: 0 } });
  for (let index = 0; index < 42; index++) await bench.ask.symbols(`f${index}.fake`, bench.signal);
  expect(
    fake
      .received("textDocument/didClose")
      .map(({ params }) => (params["textDocument"] as { uri: string }).uri),
  ).toEqual([expect.stringContaining("f0.fake"), expect.stringContaining("f1.fake")]);
});
