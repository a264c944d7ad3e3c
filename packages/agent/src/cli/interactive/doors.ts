import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceDoors } from "../../modes/interactive/doors.ts";
import { childEnvironment } from "../../platform/child-environment.ts";
import type { Place } from "../place.ts";

/** A process that still runs this long after it was told to stop was not stopped. Milliseconds. */
const IGNORED_AFTER_MS = 250;

/** The surface's doors to this machine. What is behind them is loaded when it is first used. */
export function createDoors(place: Place): SurfaceDoors {
  const { environment, home, cwd } = place;
  return {
    environment,
    readThemeFiles: () => readThemes(join(home.root, "themes")),
    async readClipboardImage(signal) {
      const { readClipboardImage } = await import("./clipboard.ts");
      return readClipboardImage(environment, signal);
    },
    async readImageFile(path) {
      const { readImageFile } = await import("./image-file.ts");
      return readImageFile(path, cwd);
    },
    async runEditor(argv, file) {
      const editor = Bun.spawn([...argv, file], {
        cwd,
        env: childEnvironment(environment),
        stdio: ["inherit", "inherit", "inherit"],
      });
      await editor.exited;
      return { code: editor.exitCode };
    },
    async writeClipboard(text) {
      const { writeClipboard } = await import("./clipboard.ts");
      return writeClipboard(text, environment);
    },
    openLink(url) {
      openLink(url, childEnvironment(environment));
    },
    onResize(listener) {
      // The stream's own event is left out when the size is the old one again: a window that shrank and grew has lost its cells.
      const resized = () => void setImmediate(listener); // by then the stream has looked up the new size
      process.on("SIGWINCH", resized);
      return () => void process.off("SIGWINCH", resized);
    },
    suspend,
  };
}

async function readThemes(folder: string): Promise<{ path: string; text: string }[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const paths = names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  return Promise.all(paths.sort().map(async (path) => ({ path, text: await readFile(path, "utf8") })));
}

/** Only web addresses: a link comes from a model or a file, and other schemes start programs. */
function openLink(url: string, env: Record<string, string>): void {
  if (!/^https?:\/\//i.test(url)) return;
  const opener =
    process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  try {
    Bun.spawn([opener, url], { env, stdio: ["ignore", "ignore", "ignore"] }).unref();
  } catch {
    // there is no browser to open it with; the terminal shows the address
  }
}

/** The whole group stops, as when the terminal itself sends the signal: what started us (npm) is part of the job. */
async function suspend(): Promise<void> {
  const resumed = new Promise<void>((resolve) => process.once("SIGCONT", () => resolve()));
  process.kill(0, "SIGTSTP");
  // Without a shell that could bring the job back the system ignores the signal, and nothing would ever resume us.
  await Promise.race([resumed, Bun.sleep(IGNORED_AFTER_MS)]);
}
