import type { JsonObject } from "../../../contract/json.ts";
import type { SessionHub } from "../../../contract/session-hub.ts";
import type { ConsentDesk } from "../consent-desk.ts";
import { type ParamSpec, type Params, readParams } from "../params.ts";
import type { RpcConnection } from "../rpc-connection.ts";
import type { SessionDoor } from "../session-door.ts";

/** What methods work with. */
export interface MethodContext {
  hub: SessionHub;
  sessions: SessionDoor;
  desk: ConsentDesk;
  client: RpcConnection;
  /** The folder that the server was started in: where sessions begin that name none. */
  cwd: string;
  facts(): object;
  shutdown(): void;
  /** Runs when the answer has been sent. */
  after(work: () => void): void;
}

/** A method: what it takes, and what it does. */
export interface RpcMethod {
  readonly params: ParamSpec;
  run(given: JsonObject, context: MethodContext): Promise<unknown>;
}

/** A method whose parameters are checked before it runs. */
export function method<const Spec extends ParamSpec>(
  params: Spec,
  run: (params: Params<Spec>, context: MethodContext) => Promise<unknown>,
): RpcMethod {
  return { params, run: async (given, context) => run(readParams(given, params), context) };
}

/** The answer of methods that only do something. */
export const OK = { ok: true } as const;
