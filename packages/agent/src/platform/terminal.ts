import { fstatSync } from "node:fs";

/** Whether a file descriptor is a terminal. Asks the file system first: loading node:tty, or touching process.stdout, costs some 15 ms. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    if (process.platform !== "win32" && !fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false; // closed
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor);
}
