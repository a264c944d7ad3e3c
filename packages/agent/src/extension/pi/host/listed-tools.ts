import type { HostPorts } from "./host-ports.ts";
import type { HostState } from "./host-state.ts";
import { BUILT_IN, sourceOf } from "./source-info.ts";

/** Names of the tools that the next request tells the model of. */
export function activeTools(state: HostState, ports: HostPorts): string[] {
  const names = allTools(state, ports).map(({ name }) => name);
  return names.filter((name) => state.active === null || state.active.has(name));
}

/** Every tool there is, as extensions see it. */
export function allTools(state: HostState, ports: HostPorts) {
  const own = state.extensions.flatMap((extension) =>
    [...extension.tools.values()].map(({ name, description, parameters, promptGuidelines = [] }) => ({
      name,
      description,
      parameters,
      promptGuidelines,
      exposure: "direct",
      sourceInfo: sourceOf(extension),
    })),
  );
  const names = new Set(own.map(({ name }) => name));
  const base = ports
    .tools()
    .filter(({ name }) => !names.has(name))
    .map(({ name, description, input }) => ({
      name,
      description,
      parameters: input,
      promptGuidelines: [],
      exposure: "direct",
      sourceInfo: BUILT_IN,
    }));
  return [...base, ...own];
}
