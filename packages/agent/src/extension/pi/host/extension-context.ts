import { PiError } from "../../../contract/errors.ts";
import { extensionUi } from "./extension-ui.ts";
import type { ProgramPort } from "./host-ports.ts";
import { type HostState, portsOf } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { sendMessage, sendUserMessage } from "./messages-out.ts";
import { modelRegistry } from "./model-registry.ts";
import { toPiModel } from "./pi-model.ts";
import { systemPromptOptions } from "./prompt-options.ts";

interface CompactOptions {
  customInstructions?: string;
  onComplete?(result: unknown): void;
  onError?(error: unknown): void;
}

/** `ctx` of one extension: looked up at each use, so that a conversation that is gone is told as such. */
export function extensionContext(extension: LoadedExtension, state: HostState): object {
  const ports = () => portsOf(state, extension);
  let ui: object | undefined;
  return {
    get ui() {
      ui ??= extensionUi(extension, ports().surface(), (message) => state.heard?.(message));
      return ui;
    },
    get mode() {
      return ports().mode;
    },
    get hasUI() {
      return ports().surface() !== null;
    },
    get cwd() {
      return ports().cwd;
    },
    get sessionManager() {
      ports();
      return state.sessionView;
    },
    get modelRegistry() {
      return modelRegistry(ports().models);
    },
    get model() {
      return toPiModel(ports().models.current());
    },
    get scopedModels() {
      ports();
      return [];
    },
    get thinkingLevel() {
      return ports().models.thinking();
    },
    get signal() {
      ports();
      return state.run?.abort.signal;
    },
    // From the moment that an answer is wanted: who waits for the run to begin must not miss a short one.
    isIdle: () => ports() !== null && (state.run === null || state.settling) && state.starting.length === 0,
    isProjectTrusted: () => ports().trusted,
    abort: () => ports() !== null && state.run?.abort.abort(),
    hasPendingMessages: () => ports() !== null && state.pending.length > 0,
    shutdown: () => ports().program()?.quit(),
    getContextUsage() {
      const { models, runs } = ports();
      const { contextWindow } = models.current();
      const tokens = runs.contextTokens();
      return { tokens, contextWindow, percent: (tokens / contextWindow) * 100 };
    },
    compact(options: CompactOptions = {}) {
      const { runs } = ports();
      state.inBackground(extension, "compact", async () => {
        try {
          await runs.compact(options.customInstructions);
          options.onComplete?.({});
        } catch (error) {
          if (options.onError === undefined) throw error;
          options.onError(error);
        }
      });
    },
    getSystemPrompt: () => state.system ?? ports().system(),
  };
}

interface SwitchOptions {
  withSession?(context: unknown): unknown;
}

/** `ctx` of a command: it may also move between conversations, where there is a terminal. */
export function commandContext(extension: LoadedExtension, state: HostState): object {
  const base = state.contextOf(extension) as object;
  const program = (): ProgramPort => {
    const port = portsOf(state, extension).program();
    if (port !== null) return port;
    throw new PiError({
      code: "no_program",
      message: "conversations can be changed in the terminal program only",
      hint: "Run the command there.",
    });
  };
  const moved = async (move: (port: ProgramPort) => Promise<boolean>, options: SwitchOptions = {}) => {
    const port = program();
    const cancelled = !(await move(port));
    if (!cancelled && options.withSession !== undefined)
      await port.goOn(extension.entry.file, options.withSession);
    return { cancelled };
  };
  const more = {
    getSystemPromptOptions: () => portsOf(state, extension) && systemPromptOptions(state),
    async waitForIdle() {
      while (state.run !== null || state.starting.length > 0)
        await (state.run?.idle ?? state.starting[0]!.promise);
    },
    newSession: (options?: SwitchOptions) => moved((port) => port.newSession(), options),
    switchSession: (id: string, options?: SwitchOptions) => moved((port) => port.switchSession(id), options),
    fork: (id: string, options: SwitchOptions & { position?: string } = {}) =>
      moved((port) => port.fork(id, options.position === "at" ? "at" : "before"), options),
    navigateTree: (id: string, options: { summarize?: boolean; customInstructions?: string } = {}) =>
      moved((port) =>
        port.goTo(id, {
          summarize: options.summarize === true,
          ...(options.customInstructions === undefined ? {} : { instructions: options.customInstructions }),
        }),
      ),
    reload: () => program().reload(),
    sendMessage: async (draft: never, options?: object) => sendMessage(state, extension, draft, options),
    sendUserMessage: async (content: unknown, options?: object) =>
      sendUserMessage(state, extension, content, options),
  };
  return Object.create(base, Object.getOwnPropertyDescriptors(more)) as object;
}
