import type { InitializeRequest } from "@agentclientprotocol/sdk";

/** What the editor can do, as it said in `initialize`; everything is off until then. */
export interface ClientFacts {
  /** It shows notices that are no part of the conversation. */
  readonly notices: boolean;
  /** It shows the progress of a compaction. */
  readonly compaction: boolean;
  /** It asks its person questions in forms. */
  readonly forms: boolean;
  /** It starts a terminal for a login, with the words that it is given behind its own command. */
  readonly terminalLogin: boolean;
  /** The same by the older convention, with a whole command line that stands in `_meta`. */
  readonly commandLogin: boolean;
}

/** The name of that convention, in what an editor can do and in the way to log in. */
export const COMMAND_LOGIN = "terminal-auth";

/** What may be assumed of an editor that has said nothing. */
export const UNKNOWN_CLIENT: ClientFacts = {
  notices: false,
  compaction: false,
  forms: false,
  terminalLogin: false,
  commandLogin: false,
};

/** Reads the capabilities; one that is absent is off. */
export function clientFacts({ clientCapabilities }: InitializeRequest): ClientFacts {
  const { session, auth, elicitation, _meta } = clientCapabilities ?? {};
  return {
    notices: isGiven(session?.notices),
    compaction: isGiven(session?.compaction),
    forms: isGiven(elicitation?.form),
    terminalLogin: auth?.terminal === true,
    commandLogin: _meta?.[COMMAND_LOGIN] === true,
  };
}

function isGiven(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}
