import { isAbsolute } from "node:path";
import {
  type AgentApp,
  type AgentContext,
  agent,
  methods,
  type NewSessionRequest,
  RequestError,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import type { HubModel, HubOpenOptions, HubSession, SessionHub } from "../../contract/session-hub.ts";
import { agentFacts, LOGIN_METHOD, type OwnProgram } from "./agent-facts.ts";
import { type ClientFacts, clientFacts, UNKNOWN_CLIENT } from "./client-facts.ts";
import { editorDialogs } from "./editor-dialogs.ts";
import type { ReadText } from "./file-changes.ts";
import { permissionRequests } from "./permission-requests.ts";
import { invalidParams, protocolError } from "./protocol-error.ts";
import { ServedSession } from "./served-session.ts";
import { sessionPage } from "./session-page.ts";
import { toolServers } from "./tool-servers.ts";

export interface AcpServerOptions {
  hub: SessionHub;
  program: OwnProgram;
  readText: ReadText;
  /** The real path of a folder. */
  realFolder(path: string): string;
  /** Resolves when a model can be asked; rejects with what is missing, and what to do. */
  ready(): Promise<void>;
}

/** Which session, where, and with which servers: what `new`, `load` and `resume` have in common. */
type Opening = Pick<NewSessionRequest, "cwd" | "additionalDirectories"> & {
  mcpServers?: NewSessionRequest["mcpServers"];
};

/** Serves the conversations of a hub to one editor over the Agent Client Protocol. */
export class AcpServer {
  readonly #options: AcpServerOptions;
  readonly #sessions = new Map<string, ServedSession>();
  #client: ClientFacts = UNKNOWN_CLIENT;

  constructor(options: AcpServerOptions) {
    this.#options = options;
  }

  /** Resolves when the editor is gone, or `signal` aborts; the sessions stay open for the hub to close. */
  async serve(stream: Stream, signal: AbortSignal): Promise<void> {
    const connection = this.app().connect(stream);
    const onAbort = () => connection.close();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    await connection.closed;
    signal.removeEventListener("abort", onAbort);
    for (const session of this.#sessions.values()) session.release();
  }

  /** The handlers of all methods; what they throw becomes the protocol's errors. */
  app(): AgentApp {
    const { hub, program, ready, realFolder } = this.#options;
    const { session } = methods.agent;
    return agent({ name: "pi" })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#client = clientFacts(params);
        return agentFacts(this.#client, program);
      })
      .onRequest(methods.agent.authenticate, ({ params }) =>
        answered(async () => {
          if (params.methodId !== LOGIN_METHOD)
            throw invalidParams(`there is no way to log in called ${JSON.stringify(params.methodId)}`);
          await ready();
          return {};
        }),
      )
      .onRequest(session.new, ({ params, client }) =>
        answered(async () => {
          const served = await this.#open(params, client, (options) => hub.create(options));
          return { sessionId: served.asking.id, ...served.state() };
        }),
      )
      .onRequest(session.load, ({ params, client }) =>
        answered(async () => {
          const served = await this.#open(params, client, (options) => hub.open(params.sessionId, options));
          served.replay();
          return served.state();
        }),
      )
      .onRequest(session.resume, ({ params, client }) =>
        answered(async () => {
          const served = await this.#open(params, client, (options) => hub.open(params.sessionId, options));
          return served.state();
        }),
      )
      .onRequest(session.list, ({ params }) => answered(() => sessionPage(hub, params, realFolder)))
      .onRequest(session.delete, ({ params }) =>
        answered(async () => {
          await this.#close(params.sessionId);
          await hub.delete(params.sessionId);
          return {};
        }),
      )
      .onRequest(session.close, ({ params }) =>
        answered(async () => {
          if (!(await this.#close(params.sessionId))) throw RequestError.sessionNotFound(params.sessionId);
          return {};
        }),
      )
      .onRequest(session.prompt, ({ params, signal }) =>
        answered(() => this.#session(params.sessionId).prompt(params.prompt, signal)),
      )
      .onRequest(session.setMode, ({ params }) =>
        answered(async () => {
          await this.#session(params.sessionId).setMode(params.modeId);
          return {};
        }),
      )
      .onRequest(session.setConfigOption, ({ params }) =>
        answered(async () => ({
          configOptions: await this.#session(params.sessionId).setOption(params.configId, params.value),
        })),
      )
      .onNotification(session.cancel, async ({ params }) => {
        await this.#sessions.get(params.sessionId)?.cancel();
      });
  }

  #session(id: string): ServedSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async #open(
    { cwd, additionalDirectories = [], mcpServers }: Opening,
    client: AgentContext,
    open: (options: HubOpenOptions & { cwd: string }) => Promise<HubSession>,
  ): Promise<ServedSession> {
    if (!isAbsolute(cwd)) throw invalidParams(`the folder of a session is an absolute path, not "${cwd}"`);
    if (additionalDirectories.length > 0)
      throw invalidParams("a session works in one folder", "leave additionalDirectories out");
    const wanted = toolServers(mcpServers);
    const opened: { id?: string } = {};
    // Nothing is asked before the session is open; when it is loaded again, those who ask stay the same.
    const asking = () => this.#session(opened.id ?? "").asking;
    const session = await open({
      cwd,
      toolServers: wanted,
      ask: permissionRequests(asking, (request, cancellationSignal) =>
        client.request(methods.client.session.requestPermission, request, { cancellationSignal }),
      ),
      ...(this.#client.forms ? { dialogs: this.#dialogs(() => asking().id, client) } : {}),
    });
    const before = this.#sessions.get(session.id);
    before?.release();
    const { id: sessionId } = session;
    opened.id = sessionId;
    const there = before?.serves(session) ? before.servers : null;
    const served = new ServedSession({
      session,
      cwd,
      servers: there ?? wanted,
      client: this.#client,
      readText: this.#options.readText,
      models: () => this.#models(cwd),
      send: (update: SessionUpdate) => {
        // What an editor that has gone does not get is in the session all the same.
        client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
      },
    });
    this.#sessions.set(sessionId, served);
    // An editor knows the session when it has the answer; what is told of it comes after that.
    setImmediate(() => {
      if (there !== null) served.tellUnused(wanted);
      void served.announce();
    });
    return served;
  }

  #dialogs(sessionId: () => string, client: AgentContext) {
    return editorDialogs(sessionId, (request, cancellationSignal) =>
      client.request(
        methods.client.elicitation.create,
        request,
        cancellationSignal === undefined ? {} : { cancellationSignal },
      ),
    );
  }

  #models(cwd: string): Promise<readonly HubModel[]> {
    return this.#options.hub.models(cwd);
  }

  /** False: it was not open. */
  async #close(id: string): Promise<boolean> {
    const session = this.#sessions.get(id);
    if (session === undefined) return false;
    this.#sessions.delete(id);
    await session.close();
    return true;
  }
}

async function answered<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (thrown) {
    throw protocolError(thrown);
  }
}
