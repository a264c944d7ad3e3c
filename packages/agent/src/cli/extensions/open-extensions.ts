import { nestedCall } from "../../agent/nested-call.ts";
import type { RunnerOptions } from "../../agent/options.ts";
import { SLASH_INFOS } from "../../commands/slash/slash-infos.ts";
import type { ExtensionSurface } from "../../contract/extension-surface.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Message } from "../../contract/messages.ts";
import type { Conversation } from "../../contract/session.ts";
import type { SessionReason } from "../../extension/pi/host/extension-host.ts";
import type { HostPorts } from "../../extension/pi/host/host-ports.ts";
import { toPiModel } from "../../extension/pi/host/pi-model.ts";
import { systemClock } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import type { AppParts } from "../app-parts.ts";
import { resolveOptions } from "../choose-model.ts";
import { Notices } from "../notices.ts";
import { compileAhead } from "./compile-ahead.ts";
import type { BoundApp, LateExtensions } from "./conversation-extensions.ts";
import { extensionModels } from "./extension-models.ts";
import { ExtensionRunner } from "./extension-runner.ts";
import { extensionSession } from "./extension-session.ts";
import { foundExtensions, loadHost } from "./load-host.ts";
import { printedBy } from "./printed-by.ts";

/** Finds and loads the extensions, and joins them to the conversation that is being built. */
export async function openExtensions(parts: AppParts): Promise<LateExtensions> {
  const { notices } = parts;
  const tell = (level: "info" | "warning", message: string) => {
    if (parts.tellPerson === undefined) notices.add({ level, message });
    else parts.tellPerson(level, message);
  };
  let found = foundExtensions(parts);
  for (const problem of found.problems) tell("warning", problem);
  const load = (fresh: boolean) => loadHost(found.entries, { ...parts, tell, fresh });
  const early = parts.settings.early?.take();
  await early?.extend(found.entries);
  let host = early ?? (await load(false));
  const stays = parts.mode !== "print" && parts.mode !== "json";
  const endCompiling = stays ? compileAhead(host, parts) : () => Promise.resolve();
  let bound: { app: BoundApp; ports: HostPorts } | undefined;
  let leaving: "quit" | "new" | "resume" = "quit";
  let flush: () => void = () => undefined;
  const begin = async (reason: SessionReason) => {
    const { app, ports } = bound!;
    host.bind(ports);
    const brought = await host.begin(reason);
    if (app.skills === null || brought.skills.length + brought.prompts.length === 0) return;
    const { reminder } = await app.skills.add(brought);
    if (reminder !== undefined && app.options.tools.some(({ name }) => name === "read"))
      host.remind(reminder);
  };
  return {
    get host() {
      return host;
    },
    get found() {
      return found;
    },
    // Looked up at each call: a reload makes another host.
    callbacks: [
      {
        name: "extensions",
        beforePrompt: (message, signal) => host.callbacks.beforePrompt!(message, signal),
        beforeModel: (request, signal) => host.callbacks.beforeModel!(request, signal),
        afterModel: (message) => host.callbacks.afterModel!(message),
        beforeTool: (call, signal) => host.callbacks.beforeTool!(call, signal),
        afterTool: (call, outcome, signal) => host.callbacks.afterTool!(call, outcome, signal),
        beforeCompact: (info, signal) => host.callbacks.beforeCompact!(info, signal),
      },
    ],
    resources: found.resources,
    without: (names) => names.filter((name) => !host.extensions.some(({ tools }) => tools.has(name))),
    tools: (base) => host.tools(base),
    conversation: (base) =>
      Object.create(base, {
        append: {
          value: (message: Message) =>
            host.append(message, (stored) => {
              base.append(stored);
              flush();
            }),
        },
      }) as Conversation,
    runner: (options: RunnerOptions) => new ExtensionRunner(options, () => host),
    async begin(app) {
      const session = extensionSession(app.session, app.options.conversation, app.doors.cwd);
      flush = () => session.flush();
      const surface = (await parts.surface?.()) ?? null;
      bound = { app, ports: await portsOf(parts, app, session, surface, tell) };
      await begin(app.session.messages().length > 0 ? "resume" : (parts.sessionReason ?? "startup"));
    },
    modelChanged: (model, before) => host.modelChanged(toPiModel(model), toPiModel(before)),
    thinkingChanged: (level, before) => host.thinkingChanged(level, before),
    commands: () => host.commands.list(),
    async reload() {
      if (bound === undefined) return;
      await host.close("reload");
      found = foundExtensions(parts);
      for (const problem of found.problems) tell("warning", problem);
      host = await load(true);
      await begin("reload");
    },
    async refuses(reason) {
      const by = await host.cancels("session_before_switch", { reason });
      if (by === null) leaving = reason;
      return by;
    },
    async close() {
      await Promise.all([host.close(leaving), endCompiling()]);
    },
  };
}

async function portsOf(
  parts: AppParts,
  app: BoundApp,
  session: HostPorts["session"],
  surface: ExtensionSurface | null,
  tell: HostPorts["tell"],
): Promise<HostPorts> {
  const { flags, settings, home, environment } = parts;
  const { options, runner } = app;
  const models = extensionModels({
    options: await resolveOptions(flags, settings, environment, home, new Notices()),
    current: () => options.model,
    thinking: () => options.thinking,
    setThinking: (level) => app.setThinking(level),
    use: (opened) => app.useModel(opened),
    budget: app.budget,
    refuse: (message) => tell("warning", message),
    printedBy: (command) => printedBy(app.processes, app.doors.cwd, command),
  });
  const drive = parts.driveRun;
  return {
    mode:
      parts.mode === "interactive"
        ? "tui"
        : parts.mode === "json" || parts.mode === "print"
          ? parts.mode
          : "rpc",
    cwd: app.doors.cwd,
    trusted: settings.trusted,
    session,
    models,
    runs: {
      ...(drive === undefined ? {} : { start: (message) => drive((signal) => runner.run(message, signal)) }),
      async compact(focus) {
        const request = { ...(focus === undefined ? {} : { focus }), signal: new AbortController().signal };
        if (drive !== undefined) await drive((signal) => runner.compact({ ...request, signal }));
        else for await (const _ of runner.compact(request));
      },
      contextTokens: () => runner.contextTokens(),
    },
    processes: app.processes,
    clock: systemClock,
    settings: () => visibleSettings(settings.config as unknown as JsonObject),
    system: () => options.system,
    tools: app.tools,
    runTool: (call, signal, progress) => nestedCall(options, call, signal, progress),
    toolContext: (signal, progress) => options.toolContext(`extension-${newId()}`, signal, progress),
    commands: () => [
      ...SLASH_INFOS.map(({ name, summary }) => ({ name, description: summary, source: "builtin" as const })),
      ...(app.skills?.library?.commands() ?? []).map(({ name, summary }) => ({
        name,
        description: summary,
        source: "skill" as const,
      })),
    ],
    tell,
    surface: () => surface,
    program: () => parts.extensionProgram?.() ?? null,
  };
}

/** The settings without what may hold a key. */
function visibleSettings({
  providers: _providers,
  headers: _headers,
  mcp: _mcp,
  oauth: _oauth,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}
