import type { PingTarget } from "../commands/ping.ts";
import type { Notice } from "../contract/settings.ts";
import { maskKey } from "../platform/mask-key.ts";
import { publicAddress } from "../platform/public-address.ts";
import type { ResolvedModel } from "../provider/registry/resolve.ts";
import { loadWire } from "../provider/registry/wires.ts";

/** The way to a model as a ping tells of it: no password and no whole key in it. */
export async function pingTarget(resolved: ResolvedModel, notices: readonly Notice[]): Promise<PingTarget> {
  const { model, settings, key, login } = resolved;
  const adapter = await loadWire(settings.wire);
  return {
    model,
    baseUrl: publicAddress(settings.baseUrl),
    key:
      key !== null
        ? { variable: key.variable, source: key.source, masked: maskKey(key.value) }
        : login && { variable: "the login's token", source: login.source, masked: "…" },
    client: adapter.open(settings),
    notices: [...notices, ...resolved.notices],
  };
}
