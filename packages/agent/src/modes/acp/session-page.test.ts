import { expect, test } from "bun:test";
import type { HubSessionInfo } from "../../contract/session-hub.ts";
import { sessionPage } from "./session-page.ts";

function hubOf(count: number) {
  const infos: HubSessionInfo[] = Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    title: index === 0 ? "" : `title ${index}`,
    cwd: "/p",
    updated: "2026-01-01T00:00:00Z",
    model: "m",
  }));
  return { infos, list: async () => infos };
}

test("pages follow one another without a gap, also when a new session comes between them", async () => {
  const hub = hubOf(120);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await sessionPage(hub, cursor === undefined ? {} : { cursor }, String);
    seen.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
    hub.infos.unshift({ ...hub.infos[1]!, id: `new${seen.length}` });
  } while (cursor !== undefined && cursor !== null);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `s${index}`));
});

test("a session without a title has none", async () => {
  expect((await sessionPage(hubOf(1), {}, String)).sessions).toMatchObject([
    { sessionId: "s0", title: null },
  ]);
});

test("a cursor that is none is refused with what to do", async () => {
  expect(sessionPage(hubOf(1), { cursor: "gone" }, String)).rejects.toMatchObject({
    message: expect.stringContaining("gone"),
    hint: "begin again without a cursor",
  });
});
