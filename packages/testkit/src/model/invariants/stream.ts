import type { Fields, Wire } from "../wire.ts";

/** This server only streams: a request for a whole answer would get something its client cannot read. */
export function streamProblems(wire: Wire, body: Fields): string[] {
  if (wire === "gemini") return [];
  const streams = wire === "ollama" ? body["stream"] !== false : body["stream"] === true;
  return streams ? [] : ["stream: must be true; this server gives no whole answers"];
}
