/** `pi-ts/rpc`: the client of `pi --mode rpc`, for Node 20 and later and for Bun. */
export { defaultSocketPath } from "./default-socket.ts";
export type {
  RpcConsentRequest,
  RpcEvent,
  RpcMethods,
  RpcNotifications,
  RpcRunEnd,
  RpcSessionFacts,
  RpcSessionInfo,
  RpcStop,
  RpcThinking,
  RpcUsage,
} from "./protocol.ts";
export { connect, RpcClient, type RpcRun, type RpcSubscription } from "./rpc-client.ts";
export { RpcConnectionError, RpcError } from "./rpc-error.ts";
