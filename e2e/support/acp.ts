/** An editor for tests: the official client of the Agent Client Protocol, on the pipes of a real `pi acp`. */
import { type ChildProcess, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type ClientCapabilities,
  type ClientConnection,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { ModelServer, Workspace } from "@pi-ts/testkit";
import { commandFor, type PiOptions, wireSetup } from "./pi.ts";

/** Chooses an option of a question; null answers that the prompt was cancelled. */
export type Decide = (request: RequestPermissionRequest) => string | null | Promise<string | null>;

export interface EditorOptions extends Partial<PiOptions> {
  /** Further words after `pi acp`. */
  words?: readonly string[];
  /** The whole command line in place of `acp`. */
  argv?: readonly string[];
  capabilities?: ClientCapabilities;
  decide?: Decide;
}

/** Answers a form. */
export type AnswerForm = (request: CreateElicitationRequest) => CreateElicitationResponse;

type Waiting = { seen(update: SessionUpdate, session: string): boolean; resolve(): void };

/** Only ends a `pi` that hangs. */
const HANG_GUARD_MS = 60_000;

/** A running `pi acp` with an editor at its pipes. Disposal ends both. */
export class Editor implements AsyncDisposable {
  readonly connection: ClientConnection;
  /** Everything that was told, in order. */
  readonly told: SessionNotification[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  /** The raw bytes of stdout, as text. */
  stdout = "";
  stderr = "";
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #waiting = new Set<Waiting>();
  readonly #reading = new Set<() => void>();
  decide: Decide;
  #answerForm: AnswerForm = () => ({ action: "decline" });

  constructor(ws: Workspace, server: ModelServer | undefined, options: EditorOptions) {
    const { words = [], decide = () => "once", argv, capabilities: _, ...rest } = options;
    this.decide = decide;
    const model = server === undefined ? [] : ["--model", wireSetup(server, rest.wire ?? "anthropic").model];
    const { command, rest: place } = commandFor(ws, argv ?? ["acp", ...model, ...words], {
      ...rest,
      ...(server === undefined ? {} : { server }),
    });
    const child = spawn(command[0]!, command.slice(1), {
      cwd: place.cwd,
      env: place.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    this.exited = new Promise((resolve) => child.once("close", resolve));
    child.stdout.on("data", (bytes: Buffer) => {
      this.stdout += bytes.toString("utf8");
      for (const check of [...this.#reading]) check();
    });
    child.stderr.on("data", (bytes: Buffer) => {
      this.stderr += bytes.toString("utf8");
    });
    child.stdin.on("error", () => undefined);
    this.connection = client({ name: "test editor" })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        this.asked.push(params);
        const optionId = await this.decide(params);
        return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => this.#answerForm(params))
      .onNotification(methods.client.session.update, ({ params }) => this.#hear(params))
      .connect(
        ndJsonStream(
          Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
          Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
        ),
      );
  }

  answerForms(answer: AnswerForm): void {
    this.#answerForm = answer;
  }

  /** Sends a request; what was told before its answer has been heard when it resolves. */
  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    try {
      return await this.connection.agent.request(method, params);
    } finally {
      // The client hands an answer over at once, and what came before it a few steps later.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  initialize(capabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    return this.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: capabilities,
    });
  }

  newSession(cwd: string, mcpServers: McpServer[] = []): Promise<NewSessionResponse> {
    return this.request(methods.agent.session.new, { cwd, mcpServers });
  }

  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<PromptResponse> {
    const blocks: ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    return this.request(methods.agent.session.prompt, { sessionId, prompt: blocks });
  }

  cancel(sessionId: string): Promise<void> {
    return this.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** The updates of a kind, of one session or of all. */
  updates<Kind extends SessionUpdate["sessionUpdate"]>(kind: Kind, sessionId?: string) {
    return this.told
      .filter((each) => sessionId === undefined || each.sessionId === sessionId)
      .map(({ update }) => update)
      .filter(
        (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
      );
  }

  /** The text that was said to the person, or thought, or (in a replay) said by them. */
  text(
    kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" = "agent_message_chunk",
    sessionId?: string,
  ): string {
    return this.updates(kind, sessionId)
      .map(({ content }) => (content.type === "text" ? content.text : ""))
      .join("");
  }

  /** Resolves when something that matches is told, or was told already. */
  until(seen: (update: SessionUpdate, session: string) => boolean): Promise<void> {
    if (this.told.some(({ update, sessionId }) => seen(update, sessionId))) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting = { seen, resolve };
      this.#waiting.add(waiting);
      void this.exited.then((code) => reject(new Error(`pi ended with ${code}\n${this.stderr}`)));
    });
  }

  /** Resolves when stdout holds the text. */
  untilStdout(text: string): Promise<void> {
    if (this.stdout.includes(text)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!this.stdout.includes(text)) return;
        this.#reading.delete(check);
        resolve();
      };
      this.#reading.add(check);
      void this.exited.then((code) => reject(new Error(`pi ended with ${code} without ${text}`)));
    });
  }

  /** The editor goes away in order: it closes the pipe. Gives the exit code. */
  leave(): Promise<number | null> {
    this.#child.stdin?.end();
    return this.exited;
  }

  /** The editor stops reading, as one that crashed; its end of stdin stays open. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Writes a line as it is. */
  writeLine(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    const guard = setTimeout(() => this.#killGroup(), HANG_GUARD_MS);
    await this.exited;
    clearTimeout(guard);
    this.#killGroup();
  }

  #killGroup(): void {
    try {
      process.kill(-this.#child.pid!, "SIGKILL");
    } catch {
      // nobody of the group is alive
    }
  }

  #hear(notification: SessionNotification): void {
    this.told.push(notification);
    for (const waiting of [...this.#waiting])
      if (waiting.seen(notification.update, notification.sessionId)) {
        this.#waiting.delete(waiting);
        waiting.resolve();
      }
  }
}

/** Starts `pi acp` and says hello. Dispose of it. */
export async function startEditor(
  ws: Workspace,
  server: ModelServer | undefined,
  options: EditorOptions = {},
): Promise<Editor> {
  const editor = new Editor(ws, server, options);
  await editor.initialize(options.capabilities);
  return editor;
}
