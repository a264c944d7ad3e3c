import { bounded } from "../shared/host-guard.ts";

const ANSWER_MS = 1_000;

interface RawClient {
  get?(request: { url: string }): Promise<{ data?: { version?: unknown } } | undefined>;
}

/**
 * The version of the host, which its client tells only through the requests it is made of; null where it does not. Routes of a folder
 * cannot be asked while plugins load, this one can.
 */
export async function hostVersion(client: object): Promise<string | null> {
  const raw = (client as { _client?: RawClient })._client;
  if (typeof raw?.get !== "function") return null;
  const asked = await bounded(ANSWER_MS, undefined, async () => raw.get?.({ url: "/global/health" }));
  const version = asked.outcome === "ok" ? asked.value?.data?.version : undefined;
  return typeof version === "string" && version.length < 100 ? version : null;
}
