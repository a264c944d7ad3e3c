import type { Config } from "../config/config.ts";
import { loadKeys } from "../config/keys.ts";
import type { JsonObject } from "../contract/json.ts";
import type { UserMessage } from "../contract/messages.ts";
import { runJsonMode } from "../modes/json/json-mode.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { systemClock } from "../platform/clock.ts";
import { homeFolders } from "../platform/home.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { createFetch } from "../provider/registry/fetch.ts";
import { loadWire } from "../provider/registry/wires.ts";
import type { Session } from "../session/session.ts";
import { AskParent } from "../subagent/ask-parent.ts";
import { SUBAGENT_INSTRUCTION } from "../subagent/built-in-types.ts";
import { type Handoff, PLACE_EVENT } from "../subagent/handoff.ts";
import { ParentPipe } from "../subagent/parent-pipe.ts";
import { SharedPause } from "../subagent/shared-pause.ts";
import { buildApp } from "./app.ts";
import { type Flags, parseFlags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import { logEvents } from "./log-events.ts";
import { requireLogin } from "./login/kept-logins.ts";
import type { Notices } from "./notices.ts";
import { newSession, sessionStore } from "./open-session.ts";
import type { Place } from "./place.ts";
import type { ChosenModel, Settings } from "./run-setup.ts";
import { VERSION } from "./version.ts";

/** What a subagent runs with besides its handoff. */
export interface SubagentRunParts {
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
  notices: Notices;
}

/** Runs this process as a subagent: the handoff on stdin, events on stdout, an end with its parent. Returns the exit code. */
export async function runSubagent(parts: SubagentRunParts): Promise<number> {
  const { streams, interruptions, notices } = parts;
  const tell = (line: JsonObject) => streams.out(encodeJsonLine(line));
  const person = new AskParent(tell);
  const gone = () => {
    person.gone();
    interruptions.stop("stdout_closed");
  };
  const pipe = new ParentPipe(Bun.stdin.stream(), gone, (message) => person.answered(message));
  const handoff = await pipe.handoff(VERSION);
  const home = homeFolders(handoff.environment);
  const place: Place = { environment: handoff.environment, home, cwd: parts.place.cwd };
  const flags = flagsFor(handoff);
  const settings: Settings = {
    config: handoff.config as unknown as Config,
    keys: loadKeys({
      environment: handoff.environment,
      userFile: home.environmentFile,
      project: handoff.project,
      trusted: handoff.trusted,
    }),
    project: handoff.project,
    trusted: handoff.trusted,
  };
  const chosen = await openModel(handoff, settings, notices);
  const session = openSession(handoff, flags, place, notices);
  const { cwd, environment } = place;
  const app = await buildApp({
    flags,
    settings,
    home,
    environment,
    cwd,
    mode: "subagent",
    chosen,
    session,
    notices,
    ...(handoff.asks ? { ask: person } : {}),
    subagent: {
      handoff,
      place: {
        give: () => void tell({ type: PLACE_EVENT, place: "give" }),
        take: async () => {
          const taken = pipe.taken();
          await tell({ type: PLACE_EVENT, place: "take" });
          await taken;
        },
      },
    },
  });
  try {
    session.saveSettings({ parent_session: handoff.parentSession, agent: handoff.agent.id });
    const input: UserMessage = {
      role: "user",
      origin: "user",
      parts: [{ type: "text", text: handoff.task }],
    };
    app.logger.log({ type: "user", content: handoff.task });
    const run = app.runner.run(input, interruptions.signal);
    const end = await runJsonMode(notices.within(logEvents(run, app.logger)), session.id, streams);
    return exitCode(end.stop, end.text, interruptions.cause);
  } finally {
    await app.close();
  }
}

/** The flags that a subagent would have been started with, had they room for everything. */
function flagsFor(handoff: Handoff): Flags {
  const { agent, noSession, noSkills, noContextFiles, maxTurns, tools, task } = handoff;
  return {
    ...parseFlags([]),
    mode: "json",
    name: `${agent.id}: ${task.slice(0, 200).toWellFormed()}`,
    appendSystem: `${SUBAGENT_INSTRUCTION}\n\n${agent.instruction}`,
    tools: [...tools],
    maxTurns,
    noSession,
    noSkills,
    noContextFiles,
  };
}

async function openModel(handoff: Handoff, { config }: Settings, notices: Notices): Promise<ChosenModel> {
  const { fetch, notices: more } = await createFetch({
    environment: handoff.environment,
    caCert: config.caCert ?? null,
    insecure: config.insecure,
  });
  notices.add(...more);
  const { name, apiKey, login, ...way } = handoff.provider;
  const adapter = await loadWire(way.wire);
  const client = adapter.open({
    provider: name,
    ...way,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: login === true ? (await requireLogin(name, handoff.environment)).through(fetch) : fetch,
  });
  const pause = new SharedPause(handoff.team, systemClock, Math.random);
  return { model: handoff.model, client: pause.around(client, name), secret: apiKey ?? null };
}

function openSession(handoff: Handoff, flags: Flags, { home, cwd }: Place, notices: Notices): Session {
  if (handoff.resume !== null) return sessionStore(home, notices).open(handoff.resume);
  const { id: model, provider } = handoff.model;
  return newSession(flags, { cwd, mode: "subagent", model, provider }, home, notices);
}
