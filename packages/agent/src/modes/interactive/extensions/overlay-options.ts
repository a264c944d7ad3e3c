import type { OverlayMargin, OverlayOptions, SizeValue } from "@earendil-works/pi-tui";

const ANCHORS = new Set<unknown>([
  "center",
  "top-left",
  "top-right",
  "bottom-left",
  "bottom-right",
  "top-center",
  "bottom-center",
  "left-center",
  "right-center",
]);

export interface OverlayScreen {
  columns(): number;
  rows(): number;
  /** Whether overlays may be seen now. */
  visible(): boolean;
}

/**
 * An extension's overlay options, read anew with each frame (they may be a function or change), with everything kept within the
 * screen: an overlay that is larger would move what lies below it. `fault` hears what they throw; the defaults hold then.
 */
export function overlayOptions(
  given: unknown,
  screen: OverlayScreen,
  fault: (error: unknown) => void,
): OverlayOptions {
  const read = (): Record<string, unknown> => {
    try {
      const options: unknown = typeof given === "function" ? given() : given;
      return typeof options === "object" && options !== null ? (options as Record<string, unknown>) : {};
    } catch (error) {
      fault(error);
      return {};
    }
  };
  const field = <T>(name: string, keep: (value: unknown) => T): T => {
    try {
      return keep(read()[name]);
    } catch (error) {
      fault(error);
      return keep(undefined);
    }
  };
  const options = {
    get width() {
      return field("width", size);
    },
    get minWidth() {
      return field("minWidth", number);
    },
    // Always there: it is what keeps an overlay as high as the screen.
    get maxHeight() {
      return field("maxHeight", size) ?? "100%";
    },
    get anchor() {
      return field("anchor", (value) => (ANCHORS.has(value) ? value : "center"));
    },
    get offsetX() {
      return field("offsetX", number);
    },
    get offsetY() {
      return field("offsetY", number);
    },
    get row() {
      return field("row", size);
    },
    get col() {
      return field("col", size);
    },
    get margin(): OverlayMargin {
      return field("margin", (value) => margin(value, screen));
    },
    visible: (columns: number, rows: number): boolean =>
      screen.visible() &&
      field("visible", (value) => (typeof value === "function" ? value(columns, rows) !== false : true)),
    get nonCapturing() {
      return field("nonCapturing", (value) => value === true);
    },
  };
  return options as OverlayOptions;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? Math.trunc(value) : undefined;
}

function size(value: unknown): SizeValue | undefined {
  if (typeof value === "string") return /^\d+(?:\.\d+)?%$/.test(value) ? (value as SizeValue) : undefined;
  return number(value);
}

/** At most so much that a cell is left. */
function margin(value: unknown, screen: OverlayScreen): OverlayMargin {
  const sides = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const side = (name: string, most: number) =>
    Math.max(0, Math.min(number(typeof value === "number" ? value : sides[name]) ?? 0, most));
  const across = Math.floor((screen.columns() - 1) / 2);
  const down = Math.floor((screen.rows() - 1) / 2);
  return {
    top: side("top", down),
    right: side("right", across),
    bottom: side("bottom", down),
    left: side("left", across),
  };
}
