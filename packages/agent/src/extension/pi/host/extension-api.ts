import { isCommandName } from "../../../contract/slash-command.ts";
import type {
  PiCommand,
  PiCustomDraft,
  PiFlag,
  PiHandler,
  PiShortcut,
  PiToolDefinition,
} from "../pi-types.ts";
import { exec } from "./exec.ts";
import type { BroughtProvider } from "./host-ports.ts";
import { type HostState, portsOf } from "./host-state.ts";
import { activeTools, allTools } from "./listed-tools.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { sendMessage, sendUserMessage } from "./messages-out.ts";
import { asJson } from "./pi-message.ts";
import { thinkingLevel } from "./pi-model.ts";
import { BUILT_IN, sourceOf } from "./source-info.ts";
import { registerRenderers, registerShortcut } from "./surface-parts.ts";
import { keepTool } from "./tool-list.ts";

const NO = /^(?:false|no|off|0|)$/i;

/** What `pi` is to one extension: the members of Pi's ExtensionAPI, and `host`, by which an extension can tell where it runs. */
export function extensionApi(extension: LoadedExtension, state: HostState): object {
  const ports = () => portsOf(state, extension);
  const alive = () => {
    if (extension.stale !== undefined) throw new Error(extension.stale);
  };
  const unsupported = (name: string) => () =>
    state.faults.note(
      extension,
      `pi.${name}`,
      `called pi.${name}, which pi-ts does not have; nothing was done`,
    );
  return {
    host: "pi-ts",
    on(event: string, handler: PiHandler): () => void {
      alive();
      if (typeof handler !== "function") throw new TypeError(`pi.on("${event}") takes a function`);
      extension.handlers.set(event, [...(extension.handlers.get(event) ?? []), handler]);
      return () => {
        const rest = (extension.handlers.get(event) ?? []).filter((each) => each !== handler);
        extension.handlers.set(event, rest);
      };
    },
    registerTool(definition: PiToolDefinition): void {
      alive();
      keepTool(state, extension, definition);
      registerRenderers(state, extension);
    },
    registerCommand(name: string, command: PiCommand): void {
      alive();
      if (typeof command?.handler !== "function")
        throw new TypeError(`pi.registerCommand("${name}") takes a handler`);
      const typed = String(name).replace(/^\//, "");
      extension.commands.set(typed, command);
      if (!isCommandName(typed))
        state.faults.note(
          extension,
          "registerCommand",
          `has a command "${typed}", which nobody can type: a name begins with a letter and has letters, digits, "-", "_", ":" and "."`,
        );
    },
    registerShortcut(key: string, shortcut: PiShortcut): void {
      alive();
      if (typeof key !== "string" || typeof shortcut?.handler !== "function")
        throw new TypeError(
          `pi.registerShortcut(${JSON.stringify(key)}) takes a key, such as "ctrl+q", and a handler`,
        );
      extension.shortcuts.set(key, shortcut);
      registerShortcut(state, extension, key);
    },
    registerFlag(name: string, flag: PiFlag): void {
      alive();
      extension.flags.set(name, flag);
    },
    getFlag(name: string): string | boolean | undefined {
      const flag = extension.flags.get(name);
      const given = state.flagValues.get(name);
      // `--extension-flag NAME=false`: as a text it would count as yes.
      if (flag?.type === "boolean" && typeof given === "string") return !NO.test(given);
      return given ?? flag?.default;
    },
    registerMessageRenderer(type: string, render: unknown): void {
      alive();
      extension.renderers.push({ kind: "message", name: type, render });
      registerRenderers(state, extension);
    },
    registerEntryRenderer(type: string, render: unknown): void {
      alive();
      extension.renderers.push({ kind: "entry", name: type, render });
      registerRenderers(state, extension);
    },
    registerMarkdownTransformer: unsupported("registerMarkdownTransformer"),
    registerToolRenderer: unsupported("registerToolRenderer"),
    sendMessage: (draft: PiCustomDraft, options?: object) => sendMessage(state, extension, draft, options),
    sendUserMessage: (content: unknown, options?: object) =>
      sendUserMessage(state, extension, content, options),
    appendEntry(type: string, data?: unknown): void {
      const { session, surface } = ports();
      session.note({ kind: "entry", custom: String(type), data: asJson(data) });
      const drawn = surface();
      if (drawn === null || !extension.renderers.some(({ kind, name }) => kind === "entry" && name === type))
        return;
      const value = { type: "custom", customType: type, data };
      drawn.showMessage(extension, { kind: "entry", customType: String(type), text: "", value });
    },
    setSessionName: (name: string) => ports().session.setTitle(String(name)),
    getSessionName: () => ports().session.meta.title,
    setLabel: (id: string, label?: string) => ports().session.label(id, label ?? ""),
    exec: (command: string, args: readonly string[] = [], options: object = {}) =>
      exec(ports().processes, ports().cwd, command, args, options),
    getActiveTools: () => activeTools(state, ports()),
    getAllTools: () => allTools(state, ports()),
    setActiveTools(names: readonly string[]): void {
      ports();
      state.active = new Set(names.map(String));
      state.toolChanges++;
    },
    getCommands: () => [
      ...state.extensions.flatMap((each) =>
        [...each.commands].map(([name, { description = "" }]) => ({
          name,
          description,
          source: "extension",
          sourceInfo: sourceOf(each),
        })),
      ),
      ...ports()
        .commands()
        .filter(({ source }) => source !== "builtin")
        .map((command) => ({ ...command, sourceInfo: BUILT_IN })),
    ],
    getSettings: () => structuredClone(ports().settings()),
    async setModel(model: { provider: string; id: string }): Promise<boolean> {
      const { models } = ports();
      const opened = await models.open(model.provider, model.id).catch(() => null);
      if (opened === null) return false;
      models.use(opened);
      return true;
    },
    getThinkingLevel: () => ports().models.thinking(),
    setThinkingLevel(level: unknown): void {
      const known = thinkingLevel(level);
      if (known !== undefined) ports().models.setThinking(known);
    },
    registerProvider(name: string | { id?: string; name?: string }, provider?: BroughtProvider): void {
      alive();
      const id = typeof name === "string" ? name : (name.id ?? name.name ?? "");
      const brought = provider ?? (name as BroughtProvider);
      if (state.ports === null) extension.providers.set(id, brought);
      else state.ports.models.provide(id, brought);
    },
    unregisterProvider(name: string): void {
      if (state.ports === null) extension.providers.delete(name);
      else state.ports.models.provide(name, null);
    },
    registerMcpServer: unsupported("registerMcpServer"),
    unregisterMcpServer: unsupported("unregisterMcpServer"),
    getMcpServers: () => [],
    registerVirtualModel: unsupported("registerVirtualModel"),
    unregisterVirtualModel: unsupported("unregisterVirtualModel"),
    events: {
      on: (channel: string, hear: (data: unknown) => unknown) => state.bus.on(extension, channel, hear),
      emit: (channel: string, data?: unknown) => state.bus.emit(channel, data),
    },
  };
}
