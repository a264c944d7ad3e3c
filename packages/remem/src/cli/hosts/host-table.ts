import type { HostName } from "../../hosts/shared/handshake.ts";
import type { HostRegistration } from "./host-registration.ts";

/** Every host that memory can be registered with, loaded when it is asked for. */
export const HOSTS: Readonly<Record<HostName, () => Promise<HostRegistration>>> = {
  pi: async () => (await import("./pi/pi-registration.ts")).piRegistration,
  opencode: async () => (await import("./opencode/opencode-registration.ts")).opencodeRegistration,
};
