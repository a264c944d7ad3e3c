import type { MemorySettings } from "../runtime/config/memory-config.ts";

/** Where a store is, without a password. */
export function shownStorage({ kind, path, databaseUrl }: MemorySettings["storage"]): string {
  return kind === "postgres" ? withoutPassword(databaseUrl ?? "(no address)") : path;
}

/** A database's address without its password, also where that stands among its parameters. */
export function withoutPassword(address: string): string {
  try {
    const url = new URL(address);
    if (url.password !== "") url.password = "***";
    for (const name of [...url.searchParams.keys()])
      if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, "***");
    return url.href;
  } catch {
    // What cannot be read may hold a password anywhere.
    return "(an address that cannot be read)";
  }
}

/** Whether an address holds a password. */
export function hasPassword(address: string): boolean {
  return withoutPassword(address) !== withoutNothing(address);
}

function withoutNothing(address: string): string {
  try {
    return new URL(address).href;
  } catch {
    return "";
  }
}
