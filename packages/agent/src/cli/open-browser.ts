import type { ProcessDoor } from "../contract/process.ts";

/**
 * Opens an address in the person's browser where there seems to be one; false where there is none, and for what is no web address: that
 * would open a file or another program, at the word of a service. Never throws.
 */
export function openBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
  processes: ProcessDoor,
): boolean {
  const argv = opener(environment);
  const address = URL.parse(url);
  if (argv === null || address === null || !/^https?:$/.test(address.protocol)) return false;
  try {
    processes.start({ argv: [...argv, address.href], cwd: "/", label: "browser" }).detachStreams();
    return true;
  } catch {
    // no such program: the person opens it
    return false;
  }
}

/** Whether there seems to be a browser that opens on the person's own screen. */
export function hasBrowser(environment: Readonly<Record<string, string | undefined>>): boolean {
  return opener(environment) !== null;
}

function opener(environment: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  // Over SSH and in containers a browser would open on the wrong machine, or none.
  const screen = environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"];
  return screen === undefined || screen === "" || environment["SSH_CONNECTION"] !== undefined
    ? null
    : ["xdg-open"];
}
