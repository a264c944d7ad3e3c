import type { AuditPorts } from "../commands/audit.ts";
import type { CompletionsPorts } from "../commands/completions.ts";
import type { DoctorPorts } from "../commands/doctor.ts";
import type { LoginCommandPorts } from "../commands/login.ts";
import type { MemoryPorts } from "../commands/memory.ts";
import type { ModelsPorts } from "../commands/models.ts";
import type { PingPorts } from "../commands/ping.ts";
import type { RunSpecPorts } from "../commands/run.ts";
import type { SessionsPorts } from "../commands/sessions/sessions-ports.ts";
import { isPiError } from "../contract/errors.ts";
import type { Notice } from "../contract/settings.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { systemClock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { nearNames } from "../platform/near-names.ts";
import { createProcessRegistry } from "../platform/processes/registry.ts";
import { availableModels } from "../provider/registry/available-models.ts";
import { type ResolveOptions, resolveModel } from "../provider/registry/resolve.ts";
import type { AcpPorts } from "./acp-command.ts";
import { auditPort } from "./audit-port.ts";
import { resolveOptions } from "./choose-model.ts";
import type { DemoPorts } from "./demo/demo-command.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import { lateLogin } from "./login/late-login.ts";
import { personPort } from "./login/person-port.ts";
import { Notices } from "./notices.ts";
import { pingTarget } from "./ping-target.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";
import { sessionsPort } from "./sessions/sessions-port.ts";
import { loadSettings } from "./settings.ts";

const PING_PATIENCE_MS = 60_000;

type Ports = AcpPorts &
  AuditPorts &
  CompletionsPorts &
  DoctorPorts &
  LoginCommandPorts &
  MemoryPorts &
  ModelsPorts &
  PingPorts &
  RunSpecPorts &
  SessionsPorts &
  DemoPorts & {
    /** Warnings that the command has not told. */
    untold(): Notice[];
    close(): Promise<void>;
  };

/** What the sub-commands are handed; each part is made when a command first asks for it. */
export function commandPorts(
  flags: Flags,
  place: Place,
  streams: Streams,
  interruptions: Interruptions,
): Ports {
  const notices = new Notices();
  const processes = createProcessRegistry({
    environment: place.environment,
    ownerId: newId(),
    clock: systemClock,
  });
  let loaded: Promise<{ settings: Settings; options: ResolveOptions }> | undefined;
  const setup = () => {
    loaded ??= (async () => {
      const settings = await loadSettings(flags, place.environment, place.cwd, place.home, notices);
      return {
        settings,
        options: await resolveOptions(flags, settings, place.environment, place.home, notices),
      };
    })();
    return loaded;
  };
  const tell = (message: string) => void streams.err(`${visibleText(message)}\n`);
  return {
    acp: {
      async serve() {
        const { runAcp } = await import("./run-acp.ts");
        return runAcp({ flags, place, streams, interruptions, notices });
      },
    },
    audit: auditPort(place),
    completions: {
      async sources() {
        const { completionSources } = await import("./completion-sources.ts");
        return completionSources({ place, setup });
      },
    },
    doctor: {
      async checks() {
        const { doctorChecks } = await import("./doctor-checks.ts");
        const { createShellFor } = await import("./shell.ts");
        const { settings, options } = await setup();
        const shell = createShellFor(settings, place, processes);
        const confinement = await shell.prepare();
        return doctorChecks({
          home: place.home,
          cwd: place.cwd,
          processes,
          confinement,
          resolve: () => resolveModel(options),
          logins: async () =>
            (await import("./login/login-states.ts")).loginChecks(place.home, place.environment),
          extensions: async () =>
            (await import("./extensions/extension-checks.ts")).extensionChecks(flags, settings, place),
          hooks: async () => (await import("./hook-checks.ts")).hookChecks(settings, place),
          skills: async () => (await import("./skill-checks.ts")).skillChecks(settings, place),
          lsp: async () => (await import("./lsp-checks.ts")).lspChecks(settings, place),
          mcp: async () => (await import("./mcp-checks.ts")).mcpChecks(settings, place),
          subagents: async () =>
            (await import("./subagent-checks.ts")).subagentChecks(settings, place, processes),
          memory: async () => (await import("./memory-checks.ts")).memoryChecks(settings, place),
          notices: notices.take(),
        });
      },
    },
    ping: {
      clock: { now: () => performance.now() },
      // with --timeout the whole command has its limit
      patienceMs: flags.timeoutSeconds === null ? PING_PATIENCE_MS : 0,
      async target() {
        const { options } = await setup();
        const resolved = await resolveModel(options);
        return pingTarget(resolved, notices.take());
      },
    },
    models: {
      async list(refresh, signal) {
        const { options } = await setup();
        const list = { cacheFolder: place.home.cache, clock: systemClock, refresh };
        const listed = await availableModels(options, list, signal);
        return { models: listed.models, notices: [...notices.take(), ...listed.notices] };
      },
      async current() {
        try {
          const { model } = await resolveModel((await setup()).options);
          return { provider: model.provider, id: model.id };
        } catch (error) {
          if (isPiError(error)) return null; // nothing is set up yet: no model is the current one
          throw error;
        }
      },
    },
    memory: {
      async run(argv, signal) {
        const { runMemoryCommand } = await import("./run-memory-command.ts");
        const { settings } = await setup();
        return runMemoryCommand(argv, { settings, place, streams, signal, notices: notices.take() });
      },
    },
    run: {
      async spec(request) {
        const { runSpecCommand } = await import("./run-spec-command.ts");
        return runSpecCommand(request, { flags, place, streams, interruptions, notices });
      },
    },
    near: (name, known) => nearNames(name, known),
    login: lateLogin({
      place,
      async setup() {
        const made = await setup();
        for (const { message } of notices.take()) tell(message);
        return made;
      },
      processes: () => processes,
      tell,
      changed: async () => [],
    }),
    person: personPort(streams, interruptions),
    sessions: sessionsPort({ place, streams, notices }),
    demo: { place, streams, interruptions },
    untold: () => notices.take().filter(({ level }) => level === "warning"),
    close: () => processes.endAll(),
  };
}
