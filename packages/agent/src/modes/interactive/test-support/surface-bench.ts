import type { ExtensionSource, ExtensionSurface } from "../../../contract/extension-surface.ts";
import type { SurfaceControl } from "../../../contract/interactive.ts";
import { openSurface, type Surface } from "../surface.ts";
import { FakeHost } from "./fake-host.ts";
import { FakeTerminal } from "./fake-terminal.ts";
import { ManualTimers } from "./manual-timers.ts";

/** A fault that was told, as `name: what: message`. */
export type ToldFault = string;

/** The whole surface on a terminal in memory, with what it offers extensions. Dispose of it with `await using`. */
export class SurfaceBench implements AsyncDisposable {
  readonly terminal: FakeTerminal;
  readonly host = new FakeHost();
  readonly timers = new ManualTimers();
  readonly faults: ToldFault[] = [];
  readonly #surface: Surface;
  control!: SurfaceControl;
  ui!: ExtensionSurface;

  private constructor(columns: number, rows: number) {
    this.terminal = new FakeTerminal(columns, rows);
    this.#surface = openSurface({
      host: this.host,
      version: "0",
      cwd: "/project",
      terminal: this.terminal,
      timers: this.timers,
      doors: {
        environment: { TERM: "xterm-256color", COLORTERM: "truecolor" },
        readThemeFiles: async () => [],
        readClipboardImage: async () => null,
        readImageFile: async () => null,
        runEditor: async () => ({ code: 1 }),
        writeClipboard: async () => true,
        openLink: () => undefined,
        onResize: (listener) => {
          this.#resized = listener;
          return () => undefined;
        },
        suspend: async () => undefined,
      },
    });
  }

  #resized: () => void = () => undefined;

  static async open(columns = 80, rows = 24): Promise<SurfaceBench> {
    const bench = new SurfaceBench(columns, rows);
    bench.control = await bench.host.surface;
    bench.ui = await bench.control.extensions();
    bench.ui.onFault((source, what, error) =>
      bench.faults.push(`${source.name}: ${what}: ${error instanceof Error ? error.message : String(error)}`),
    );
    return bench;
  }

  /** Keys and other input, one element a key. */
  type(...keys: string[]): void {
    for (const key of keys) this.terminal.send(key);
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#resized();
  }

  /** The screen as soon as it is as wanted: it holds a text, or a test of its rows is met. */
  async until(wanted: string | RegExp | ((rows: readonly string[]) => boolean)): Promise<string[]> {
    for (;;) {
      const written = this.terminal.nextWrite();
      const rows = await this.terminal.screen();
      if (typeof wanted === "function" ? wanted(rows) : rows.join("\n").search(pattern(wanted)) >= 0)
        return rows;
      await written;
    }
  }

  /** The screen without a text. */
  without(text: string): Promise<string[]> {
    return this.until((rows) => !rows.join("\n").includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#surface.close();
  }
}

/** Who draws in a test. */
export function extension(name = "todo"): ExtensionSource {
  return { name };
}

function pattern(wanted: string | RegExp): RegExp {
  return typeof wanted === "string" ? new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : wanted;
}
