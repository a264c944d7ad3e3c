import type { Handshake } from "../../hosts/shared/handshake.ts";
import type { CommandCall } from "../command.ts";
import type { HostStatus } from "../hosts/host-registration.ts";
import { HOSTS } from "../hosts/host-table.ts";
import { hostWorld } from "../hosts/host-world.ts";
import { type Check, type Checker, ok, warn } from "./check.ts";

/** Programs that memory is registered with: whether they have it in their settings, and whether they have really loaded it. */
export const checkHosts: Checker = async (call) => {
  const { storage } = (await call.memory.config()).settings;
  const store = storage.kind === "postgres" ? null : storage.path;
  const checks: Check[] = [];
  for (const { title, status } of await hostStatuses(call)) {
    const { registered, loaded, problems, file } = status;
    if (problems.length === 0) checks.push(ok("hosts", `${title}: ${hostLine(status)}`));
    checks.push(...problems.map(({ found, hint }) => warn("hosts", `${title}: ${found}`, hint)));
    if (registered && loaded !== null && loaded.store.path !== store)
      checks.push(
        warn(
          "hosts",
          `${title} uses another store: ${loaded.store.path ?? loaded.store.kind}`,
          `start ${title} anew; if this stays, compare the settings it runs with (its environment, ${file})`,
        ),
      );
  }
  return [...checks, ok("hosts", "pi-ts uses this store by itself")];
};

/** How each host that can be registered with stands, in the order of their table. */
export async function hostStatuses(
  call: CommandCall,
): Promise<readonly { readonly name: string; readonly title: string; readonly status: HostStatus }[]> {
  const world = hostWorld(call);
  return Promise.all(
    Object.values(HOSTS).map(async (load) => {
      const { name, title, status } = await load();
      return { name, title, status: await status(world) };
    }),
  );
}

/** How a host stands, in a few words. */
export function hostLine({ registered, loaded }: HostStatus): string {
  if (!registered) return loaded === null ? "not registered" : `not registered; ${loadedLine(loaded)}`;
  return loaded === null ? "registered, never loaded" : `registered; ${loadedLine(loaded)}`;
}

function loadedLine({ loadedAt, hostVersion, adapterVersion, runtime }: Handshake): string {
  const host = hostVersion === null ? "" : `its version ${hostVersion}, `;
  return `last loaded ${loadedAt} (${host}memory ${adapterVersion}, ${runtime})`;
}
