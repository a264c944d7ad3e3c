import type { Component } from "@earendil-works/pi-tui";

/** A component that draws what the function gives, and keeps the keys it gets. */
export function drawing(draw: (width: number) => readonly string[], onKey?: (data: string) => void) {
  const keys: string[] = [];
  let disposed = 0;
  let drawn = 0;
  const component: Component & { dispose(): void } = {
    render: (width) => {
      drawn++;
      return draw(width);
    },
    handleInput: (data) => {
      keys.push(data);
      onKey?.(data);
    },
    invalidate: () => undefined,
    dispose: () => {
      disposed++;
    },
  };
  return {
    component,
    keys,
    get disposed() {
      return disposed;
    },
    get drawn() {
      return drawn;
    },
  };
}
