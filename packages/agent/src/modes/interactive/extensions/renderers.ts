import type { Component } from "@earendil-works/pi-tui";
import type {
  ExtensionMessage,
  ExtensionRenderers,
  ExtensionSource,
} from "../../../contract/extension-surface.ts";
import type { CustomDraw, CustomRenderers } from "../transcript/document/custom-renderers.ts";
import type { ToolRun } from "../transcript/tools/tool-run.ts";
import { drawnRows } from "./drawn-rows.ts";
import type { ExtensionComponent } from "./guarded-component.ts";
import { isComponent, type Toolbox } from "./toolbox.ts";

type Render = (...parameters: unknown[]) => unknown;

interface Registered {
  readonly source: ExtensionSource;
  readonly render: Render;
}

/** What is kept of a call between its drawings, as Pi's renderers expect. */
interface Kept {
  /** Shared by the renderers of the call and of its result. */
  readonly state: Record<string, unknown>;
  readonly last: Map<"call" | "result", ExtensionComponent>;
}

/**
 * The renderers that extensions registered, asked by the transcript for blocks that are seen. One that throws, draws too wide or gives
 * no component leaves its place to the plain form; the first two are told.
 */
export class Renderers implements ExtensionRenderers, CustomRenderers {
  readonly #toolbox: Toolbox;
  readonly #messages = new Map<string, Registered>();
  readonly #calls = new Map<string, Registered>();
  readonly #results = new Map<string, Registered>();
  readonly #kept = new WeakMap<ToolRun, Kept>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  setMessage(source: ExtensionSource, customType: string, render: unknown): void {
    this.#set(this.#messages, `message ${customType}`, source, render);
  }

  setEntry(source: ExtensionSource, customType: string, render: unknown): void {
    this.#set(this.#messages, `entry ${customType}`, source, render);
  }

  setTool(source: ExtensionSource, toolName: string, renderers: { call?: unknown; result?: unknown }): void {
    this.#set(this.#calls, toolName, source, renderers.call);
    this.#set(this.#results, toolName, source, renderers.result);
  }

  knows({ kind, customType }: ExtensionMessage): boolean {
    return this.#messages.has(`${kind} ${customType}`);
  }

  message(message: ExtensionMessage, draw: CustomDraw): string[] | undefined {
    const registered = this.#messages.get(`${message.kind} ${message.customType}`);
    const options = { expanded: draw.open, outputPad: 0, ...this.#keyWords };
    return (
      registered &&
      this.#draw(registered, `the renderer of its ${message.kind} "${message.customType}"`, draw, () =>
        registered.render(message.value, options, this.#toolbox.theme),
      )
    );
  }

  toolCall(run: ToolRun, draw: CustomDraw): string[] | undefined {
    const registered = this.#calls.get(run.name);
    if (!registered) return undefined;
    const kept = this.#keptOf(run);
    return this.#draw(registered, `the renderer of its tool ${run.name}`, draw, () =>
      remember(
        kept,
        "call",
        registered.render(run.input, this.#toolbox.theme, this.#context(run, kept, "call", draw)),
      ),
    );
  }

  toolResult(run: ToolRun, draw: CustomDraw): string[] | undefined {
    const registered = this.#results.get(run.name);
    const { live, result } = run;
    if (!registered || (!result && live === "")) return undefined;
    const kept = this.#keptOf(run);
    const value = {
      content: [{ type: "text", text: result?.content ?? live }],
      details: result?.details["extension_details"] ?? result?.details,
      isError: result?.isError ?? false,
    };
    const options = { expanded: draw.open, isPartial: result === undefined };
    return this.#draw(registered, `the renderer of what its tool ${run.name} gave`, draw, () =>
      remember(
        kept,
        "result",
        registered.render(value, options, this.#toolbox.theme, this.#context(run, kept, "result", draw)),
      ),
    );
  }

  #set(renderers: Map<string, Registered>, key: string, source: ExtensionSource, render: unknown): void {
    const before = renderers.get(key);
    if (typeof render !== "function" || (before?.source === source && before.render === render)) return;
    const registered = { source, render: render as Render };
    renderers.set(key, registered);
    this.#toolbox.owned.add(source, () => {
      if (renderers.get(key) !== registered) return;
      renderers.delete(key);
      this.#changed();
    });
    this.#changed();
  }

  #changed(): void {
    const { slots, transcript, tui } = this.#toolbox.ports;
    slots.renderers = this;
    transcript.restyle();
    tui.requestRender();
  }

  #draw(
    { source }: Registered,
    what: string,
    { width, rows: most }: CustomDraw,
    make: () => unknown,
  ): string[] | undefined {
    const { faults, ports } = this.#toolbox;
    try {
      const component = make();
      if (component === undefined || component === null) return undefined;
      if (!isComponent(component)) throw new Error("it gave no component (an object with render(width))");
      const { rows, tooWide } = drawnRows(component.render(width), width, most, (hidden) =>
        ports.themes.current.color.muted(`… ${hidden} more rows`),
      );
      if (tooWide === undefined) return rows;
      faults.tell(source, what, new Error("it draws wider than the screen; the plain form is shown"));
    } catch (error) {
      faults.tell(source, what, error);
    }
    return undefined;
  }

  #keptOf(run: ToolRun): Kept {
    const kept = this.#kept.get(run) ?? { state: {}, last: new Map() };
    this.#kept.set(run, kept);
    return kept;
  }

  /** What Pi's renderers of tools get besides what was asked and what came. */
  #context(run: ToolRun, { state, last }: Kept, slot: "call" | "result", draw: CustomDraw) {
    const duration = run.result?.details["duration_ms"];
    return {
      args: run.input,
      toolCallId: run.id,
      state,
      lastComponent: last.get(slot) as Component | undefined,
      invalidate: draw.changed,
      cwd: draw.cwd,
      executionStarted: run.startedAt !== undefined || run.result !== undefined,
      argsComplete: true,
      isPartial: run.result === undefined,
      expanded: draw.open,
      showImages: draw.images,
      isError: run.result?.isError ?? false,
      durationMs: typeof duration === "number" ? duration : undefined,
      outputPad: 0,
      ...this.#keyWords,
    };
  }

  get #keyWords() {
    const { keybindings, theme } = this.#toolbox;
    return {
      keyText: keybindings.keyText,
      keyHint: (action: string, description: string) =>
        `${theme.fg("dim", keybindings.keyText(action))}${theme.fg("muted", ` ${description}`)}`,
    };
  }
}

function remember(kept: Kept, slot: "call" | "result", component: unknown): unknown {
  if (isComponent(component)) kept.last.set(slot, component);
  else kept.last.delete(slot);
  return component;
}
