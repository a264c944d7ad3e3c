import type {
  DisplaySettings,
  HostChange,
  InteractiveHost,
  PromptInput,
  StatusFacts,
  SurfaceControl,
} from "../../../contract/interactive.ts";
import type { Message } from "../../../contract/messages.ts";

/** A program behind the surface that does nothing by itself: a test says what happens. */
export class FakeHost implements InteractiveHost {
  readonly sent: PromptInput[] = [];
  interrupts = 0;
  quits = 0;
  busy = false;
  facts: StatusFacts = {
    role: "default",
    model: { provider: "test", id: "m", name: "Model", thinking: "off" },
    cwd: "/project",
    subagents: 0,
    backgroundCommands: 0,
  };
  settings: DisplaySettings = { notify: "off", vim: false, keybindings: {} };
  readonly #listeners = new Set<(change: HostChange) => void>();
  readonly #started = Promise.withResolvers<SurfaceControl>();

  /** What the surface offers, after the first frame. */
  get surface(): Promise<SurfaceControl> {
    return this.#started.promise;
  }

  get stoppable(): boolean {
    return this.busy;
  }

  /** Something that the surface shows. */
  tell(change: HostChange): void {
    if (change.type === "busy") this.busy = change.busy;
    for (const listener of this.#listeners) listener(change);
  }

  start(surface: SurfaceControl): void {
    this.#started.resolve(surface);
  }

  subscribe(listener: (change: HostChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  parts() {
    return [];
  }

  status(): StatusFacts {
    return this.facts;
  }

  display(): DisplaySettings {
    return this.settings;
  }

  messages(): readonly Message[] {
    return [];
  }

  extensionMessages() {
    return [];
  }

  resultImages() {
    return [];
  }

  send(input: PromptInput): void {
    this.sent.push(input);
  }

  shell(): void {
    throw new Error("no shell here");
  }

  interrupt(): boolean {
    this.interrupts++;
    return this.busy;
  }

  takeQueue() {
    return [];
  }

  commands() {
    return [];
  }

  async completeArgument() {
    return [];
  }

  command(): void {
    throw new Error("no commands here");
  }

  async findFiles() {
    return ["src/main.ts"];
  }

  promptHistory() {
    return [];
  }

  quit(): void {
    this.quits++;
    this.tell({ type: "quit", restart: false });
  }
}
