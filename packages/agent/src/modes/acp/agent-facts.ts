import type { AuthMethod, InitializeResponse } from "@agentclientprotocol/sdk";
import { type ClientFacts, COMMAND_LOGIN } from "./client-facts.ts";

/**
 * The version that is spoken. It is also the answer to an editor that asks for a newer one: the protocol lets the agent name the
 * latest that it has, and the editor goes on or leaves. A newer one is still a draft.
 */
export const SPOKEN_VERSION = 1;

/** The way to a login; `authenticate` is called with its id. */
export const LOGIN_METHOD = "pi-login";

/** Extra words after the command that the editor starts, which make it a login. */
const LOGIN_WORDS: readonly string[] = ["login"];

/** This program: its version, and the command line that starts it. */
export interface OwnProgram {
  version: string;
  command: readonly string[];
}

/** The answer to `initialize`. */
export function agentFacts(client: ClientFacts, program: OwnProgram): InitializeResponse {
  return {
    protocolVersion: SPOKEN_VERSION,
    agentInfo: { name: "pi", title: "pi", version: program.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [loginMethod(client, program)],
  };
}

/** An editor that can start a terminal runs the login in it; for any other the text says what to do. */
function loginMethod({ terminalLogin, commandLogin }: ClientFacts, program: OwnProgram): AuthMethod {
  const [command, ...words] = program.command;
  const line = { command, args: [...words, ...LOGIN_WORDS], label: "pi login" };
  const facts = {
    id: LOGIN_METHOD,
    name: "pi login",
    description:
      "Run `pi login` in a terminal, or set the key of a provider in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY)",
    ...(commandLogin ? { _meta: { [COMMAND_LOGIN]: line } } : {}),
  };
  return terminalLogin ? { type: "terminal", ...facts, args: [...LOGIN_WORDS] } : facts;
}
