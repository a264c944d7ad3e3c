import { expect, test } from "bun:test";
import { scopesFor } from "./scopes-for.ts";

const resolution = { project: { key: "p1", aliases: [], evidence: {}, seenAt: 0 } };

test("a fork reads its ancestors' session memory and writes only its own [R02] [C28]", () => {
  const { read, write } = scopesFor(
    resolution,
    { sessionId: "child", ancestors: ["parent", "root", "parent", "child", ""] },
    "/srv/shop",
  );
  expect(read).toEqual([
    { kind: "global" },
    { kind: "project", id: "p1" },
    { kind: "workspace", id: "/srv/shop" },
    { kind: "session", id: "child" },
    { kind: "session", id: "parent" },
    { kind: "session", id: "root" },
  ]);
  expect(write).toEqual({
    project: { kind: "project", id: "p1" },
    session: { kind: "session", id: "child" },
    workspace: { kind: "workspace", id: "/srv/shop" },
  });
});

test("a session without an id has no scopes, instead of everybody's [R02]", () => {
  expect(() => scopesFor(resolution, { sessionId: "" })).toThrow("needs an id");
});
