/** What extensions registered for the terminal before there was one, and since. */
import { runAs } from "../load/running-extension.ts";
import type { HostState } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

/** Hands the renderers of an extension to the terminal, when there is one. */
export function registerRenderers(state: HostState, extension: LoadedExtension): void {
  const renderers = state.ports?.surface()?.renderers;
  if (renderers === undefined) return;
  for (const { kind, name, render } of extension.renderers)
    if (kind === "message") renderers.setMessage(extension, name, render);
    else renderers.setEntry(extension, name, render);
  for (const { name, renderCall, renderResult } of extension.tools.values())
    if (renderCall !== undefined || renderResult !== undefined)
      renderers.setTool(extension, name, { call: renderCall, result: renderResult });
}

/** Gives a key to an extension; one that is taken is told of. */
export function registerShortcut(state: HostState, extension: LoadedExtension, key: string): void {
  const surface = state.ports?.surface();
  const shortcut = extension.shortcuts.get(key);
  if (surface === undefined || surface === null || shortcut === undefined) return;
  const run = () => {
    state.inBackground(extension, `the key ${key}`, () => shortcut.handler(state.contextOf(extension)));
  };
  const { description } = shortcut;
  const words = description === undefined ? undefined : String(description);
  const remove = surface.registerShortcut(extension, key, words, () => runAs(extension, run));
  if (remove === undefined)
    state.faults.note(
      extension,
      "registerShortcut",
      `wants the key ${key}, which is reserved; it does not get it`,
    );
  else extension.undoable(remove);
}
