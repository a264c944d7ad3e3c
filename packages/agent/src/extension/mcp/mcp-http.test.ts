/** Servers behind an address: both transports, sessions, and what services answer. */
import { expect, test } from "bun:test";
import { testProgram, workspace } from "@pi-ts/testkit";
import { systemClock } from "../../platform/clock.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import { eventStream, httpServer } from "./test-support/http-server.ts";
import { address, openHub } from "./test-support/open-hub.ts";

test("a server by streamable HTTP lends its tools, with its headers in every request [A-EXT-03]", async () => {
  await using ws = await workspace();
  using server = httpServer({ text: "by http" });
  await using open = openHub(ws, [address("web", server.url, { headers: { "x-team": "blue" } })]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["web__t"]);
  expect((await open.call("web__t")).text).toBe("by http");
  expect(server.headers().get("x-team")).toBe("blue");
  expect(server.headers().get("mcp-protocol-version")).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("a session that the service has forgotten is opened anew, and the call is made once more [A-EXT-03]", async () => {
  await using ws = await workspace();
  using server = httpServer({ sessions: ["one", "two"] });
  await using open = openHub(ws, [address("web", server.url)]);
  await open.hub.start("all");
  server.forget();
  expect((await open.call("web__t")).text).toBe("ok");
  expect(server.headers().get("mcp-session-id")).toBe("two");
  expect(server.seen.filter((each) => each === "POST initialize")).toHaveLength(2);
});

test("at the end the service is told that the session is over [M08]", async () => {
  await using ws = await workspace();
  using server = httpServer({ sessions: ["one"] });
  {
    await using open = openHub(ws, [address("web", server.url)]);
    await open.hub.start("all");
  }
  expect(server.seen.at(-1)).toBe("DELETE");
});

test.each([
  [401, "login", "it wants an authorisation"],
  [403, "failed", "answers HTTP 403 (forbidden)"],
  [404, "failed", "answers HTTP 404"],
  [500, "failed", "answers HTTP 500"],
])(
  "a service that answers %d leaves the server %s, with the status [A-EXT-03]",
  async (status, state, why) => {
    await using ws = await workspace();
    using server = httpServer({ fault: () => new Response("no", { status }) });
    await using open = openHub(ws, [address("web", server.url)]);
    await open.hub.start("all");
    expect(open.hub.find("web")!.state as string).toBe(state);
    expect(open.hub.find("web")!.problem).toContain(why);
  },
);

test("nobody at the address, and an address without the protocol, are told as such [A-EXT-03]", async () => {
  await using ws = await workspace();
  const gone = httpServer();
  gone[Symbol.dispose]();
  using page = httpServer({
    fault: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  });
  await using open = openHub(ws, [address("gone", gone.url), address("page", page.url)]);
  await open.hub.start("all");
  expect(open.hub.find("gone")!.state).toBe("failed");
  expect(open.hub.find("page")!.state).toBe("failed");
  expect(open.hub.find("page")!.problem).toContain(page.url);
});

test("a redirect within the service is followed; one to another service is not, and no header goes there [X05]", async () => {
  await using ws = await workspace();
  using other = httpServer();
  using server = httpServer({
    fault(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/away") return Response.redirect(other.url, 307);
      return pathname === "/mcp" ? Response.redirect("/mcp/", 307) : undefined;
    },
  });
  const headers = { authorization: "Bearer for-this-service-only" };
  await using open = openHub(ws, [
    address("near", server.url, { headers }),
    address("away", server.url.replace("/mcp", "/away"), { headers }),
  ]);
  await open.hub.start("all");
  expect(open.hub.find("near")!.state).toBe("ready");
  expect(open.hub.find("away")!.state).toBe("failed");
  expect(other.seen).toEqual([]);
});

test("an answer's stream that breaks off fails its call at once [A-EXT-03]", async () => {
  await using ws = await workspace();
  using server = httpServer({
    fault: (_, message) =>
      message?.method === "tools/call" ? eventStream([": hello\n\n", 'data: {"jsonr']) : undefined,
  });
  await using open = openHub(ws, [address("web", server.url)]);
  await open.hub.start("all");
  const outcome = await open.call("web__t");
  expect(outcome).toMatchObject({ outcome: "failed", isError: true });
  expect(outcome.text).toContain("broke off before its answer was complete");
});

test("a call that a service refuses with a status is a failed result, and the next one works [A-EXT-03]", async () => {
  await using ws = await workspace();
  using server = httpServer({
    fault: (_, message, calls) =>
      message?.method === "tools/call" && calls === 1
        ? new Response("overloaded", { status: 503 })
        : undefined,
  });
  await using open = openHub(ws, [address("web", server.url)]);
  await open.hub.start("all");
  expect((await open.call("web__t")).text).toContain("503");
  expect((await open.call("web__t")).text).toBe("ok");
});

const EVERYTHING = testProgram("@modelcontextprotocol/server-everything/dist/index.js");

test.skipIf(EVERYTHING === null).each([
  ["streamableHttp", "/mcp"],
  ["sse", "/sse"],
])(
  "the protocol's own test server over %s is found by its address alone [A-EXT-03] (needs test-programs)",
  async (transport, path) => {
    await using ws = await workspace();
    const port = freePort();
    const processes = createProcessRegistry({
      environment: { ...ws.env(), PORT: String(port) },
      ownerId: `everything-${process.pid}-${transport}`,
      clock: systemClock,
    });
    try {
      processes.start({
        argv: [process.execPath, "--no-env-file", EVERYTHING!, transport],
        cwd: ws.path,
        label: transport,
      });
      const url = `http://127.0.0.1:${port}${path}`;
      await listening(port);
      await using open = openHub(ws, [address("every", url)]);
      await open.hub.start("all");
      expect(open.hub.find("every")).toMatchObject({ state: "ready", problem: null });
      expect((await open.call("every__echo", { message: "over the wire" })).text).toBe("Echo: over the wire");
      expect((await open.call("mcp-resources", { server: "every" })).text).toContain(
        "every: demo://resource/",
      );
    } finally {
      await processes.endAll();
    }
  },
);

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port!;
}

async function listening(port: number): Promise<void> {
  for (;;)
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
