import { type ModelServer, modelServer, type Workspace, workspace } from "@pi-ts/testkit";
import type { AgentEvent } from "../../../contract/events.ts";
import type { HubSession, SessionHub } from "../../../contract/session-hub.ts";
import { homeFolders } from "../../../platform/home.ts";
import { parseFlags } from "../../flags.ts";
import { Notices } from "../../notices.ts";
import { createSessionHub } from "../session-hub.ts";

/** A hub on a real home, with a scripted model behind it. */
export interface HubBench extends AsyncDisposable {
  ws: Workspace;
  server: ModelServer;
  hub: SessionHub;
  /** A further hub on the same home: another process's, as far as locks between conversations go. */
  another(argv?: readonly string[]): SessionHub;
}

export async function hubBench(
  options: { files?: Record<string, string>; argv?: readonly string[]; config?: object } = {},
): Promise<HubBench> {
  const server = await modelServer();
  const ws = await workspace(options.files ?? {});
  const environment = ws.env({
    ANTHROPIC_BASE_URL: server.baseUrl("anthropic"),
    ANTHROPIC_API_KEY: "sk-ant-test-0123456789-abcdefghijkl",
  });
  const home = homeFolders(environment);
  if (options.config !== undefined) ws.write(home.config, JSON.stringify(options.config));
  const hubs: SessionHub[] = [];
  const another = (argv: readonly string[] = ["--model", "anthropic/claude-opus-5-5"]) => {
    const hub = createSessionHub({
      flags: parseFlags(argv),
      place: { environment, home, cwd: ws.path },
      mode: "rpc",
      notices: new Notices(),
    });
    hubs.push(hub);
    return hub;
  };
  return {
    ws,
    server,
    hub: another(options.argv),
    another,
    async [Symbol.asyncDispose]() {
      for (const hub of hubs) await hub.close();
      await ws[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Sends a prompt and gives the events of its run. */
export async function eventsOf(session: HubSession, text: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const leave = session.subscribe((event) => events.push(event));
  await (await session.prompt({ text })).ended;
  leave();
  return events;
}
