import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { projectChanges } from "../../../cli/project-changes.ts";
import { noUsage } from "../../../contract/messages.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import { createFileDoor } from "../../../sandbox/files/file-door.ts";
import { createPlaceDoor } from "../../../sandbox/files/place-door.ts";
import { memorySession } from "../../memory-session.ts";
import type { Session } from "../../session.ts";
import { assistant, storeOf, user } from "../../test-support/sessions.ts";
import { CheckpointRecorder } from "../recorder.ts";
import { Rewinder } from "../rewinder.ts";

const NEW = { mode: "interactive", model: "m", provider: "p" };

/** A project with a session whose "agent" edits files and runs commands, as the loop would. */
export class Project implements AsyncDisposable {
  readonly ws: Workspace;
  readonly problems: string[] = [];
  session: Session;
  recorder!: CheckpointRecorder;
  rewinder!: Rewinder;
  #calls = 0;
  #opens = 0;
  readonly #processes: ProcessRegistry;

  private constructor(ws: Workspace, session: Session) {
    this.ws = ws;
    this.session = session;
    this.#processes = createProcessRegistry({ environment: ws.env(), ownerId: "test", clock: systemClock });
    this.#load();
  }

  static async open(
    files: Parameters<typeof workspace>[0] = {},
    options: { git?: boolean; onDisk?: boolean } = {},
  ): Promise<Project> {
    const ws = await workspace(files, options.git ? { git: true } : {});
    const facts = { cwd: ws.path, ...NEW };
    const { store } = storeOf(join(ws.home, "sessions"));
    return new Project(ws, options.onDisk === false ? memorySession(facts, Date.now) : store.create(facts));
  }

  get #files() {
    return createFileDoor({ root: this.ws.path });
  }

  #load(): void {
    const files = this.#files;
    const onProblem = (message: string) => void this.problems.push(message);
    const project = projectChanges({ files, processes: this.#processes, onProblem });
    const places = createPlaceDoor(files.root);
    this.recorder = new CheckpointRecorder({ session: this.session, files, places, project, onProblem });
    this.rewinder = new Rewinder(this.session, this.recorder.states);
  }

  /** As if the process had been killed, and another one had opened the session. */
  reopen(): void {
    this.session.close();
    this.session = storeOf(join(this.ws.home, "sessions"), ++this.#opens * 10_000).store.open(
      this.session.id,
    );
    this.#load();
  }

  say(text: string): void {
    const message = user(text);
    this.recorder.appending(message);
    this.session.append(message);
    this.recorder.appended(message);
  }

  answer(text: string): void {
    this.session.append(assistant(text));
  }

  /** A call up to the moment in which its tool would run; the result ends it. */
  async begin(name: string, input: Record<string, string>): Promise<() => Promise<void>> {
    const id = `call-${this.session.id}-${++this.#calls}-${this.#opens}`;
    const kind = name === "bash" ? "run" : "edit";
    this.session.append({
      role: "assistant",
      parts: [{ type: "tool_call", id, name, arguments: input }],
      source: { provider: "p", wire: "anthropic", model: "m" },
      stop: "tool",
      usage: noUsage(),
    });
    await this.recorder.before({ id, name, kind, input });
    return async () => {
      const result = { type: "tool_result" as const, id, name, content: [], isError: false };
      this.session.append({ role: "tool", parts: [result] });
      this.recorder.appended({ role: "tool", parts: [result] });
      await this.recorder.idle();
    };
  }

  /** The agent writes a file. */
  async write(path: string, text: string): Promise<void> {
    const end = await this.begin("write", { file_path: path, content: text });
    this.#files.write(path, Buffer.from(text));
    await end();
  }

  /** The agent runs a command. */
  async bash(command: string): Promise<void> {
    const end = await this.begin("bash", { command });
    await this.shell(command);
    await end();
  }

  /** A command of somebody else. */
  async shell(command: string): Promise<void> {
    const { code, stderr } = await runProcess(["bash", "-c", command], {
      cwd: this.ws.path,
      env: this.ws.env(),
    });
    if (code !== 0) throw new Error(`${command}: ${stderr}`);
  }

  /** The whole turn of a prompt that makes the agent write one file. */
  async turn(prompt: string, path: string, text: string): Promise<void> {
    this.say(prompt);
    await this.write(path, text);
    this.answer(`done: ${prompt}`);
  }

  /** The place before a prompt. */
  before(prompt: string) {
    const point = this.rewinder.prompts().find(({ turn }) => {
      const [part] = turn.message.parts;
      return part?.type === "text" && part.text === prompt;
    });
    if (point === undefined) throw new Error(`there is no prompt "${prompt}"`);
    return point.turn.node.parent;
  }

  plan(prompt: string): Record<string, string> {
    return Object.fromEntries(
      this.rewinder.plan(this.before(prompt)).map(({ path, kind, why }) => [path, why ?? kind]),
    );
  }

  /** Goes back to before a prompt with all files that are the agent's; `overwrite`: with the others, too. */
  rewind(prompt: string, options: { conversation?: boolean; files?: boolean; overwrite?: boolean } = {}) {
    const { conversation = true, files = true, overwrite = false } = options;
    const to = this.before(prompt);
    const restore = this.rewinder
      .plan(to)
      .filter(({ kind }) => files && (kind === "clean" || (overwrite && kind === "outside")));
    return this.rewinder.go({ to, conversation, restore });
  }

  undo() {
    const last = this.rewinder.last();
    if (last === null) throw new Error("there is nothing to undo");
    const restore = last.plan.filter(({ kind }) => kind === "clean");
    const { to, branch } = last;
    return this.rewinder.go({
      to,
      ...(branch === undefined ? {} : { branch }),
      conversation: last.moved,
      restore,
      undoes: last.id,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.close();
    await this.#processes.endAll();
    await this.ws[Symbol.asyncDispose]();
  }
}
