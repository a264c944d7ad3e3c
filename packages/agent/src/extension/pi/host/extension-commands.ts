import { errorMessage, PiError } from "../../../contract/errors.ts";
import type { ArgumentCompletion, SlashCommandInfo } from "../../../contract/slash-command.ts";
import { runAs } from "../load/running-extension.ts";
import type { PiCommand, PiCompletion } from "../pi-types.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { commandContext } from "./extension-context.ts";
import type { HostState } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

interface Owned {
  extension: LoadedExtension;
  command: PiCommand;
}

/** The slash commands that extensions have registered. */
export class ExtensionCommands {
  readonly #state: HostState;
  readonly #dispatcher: Dispatcher;

  readonly #reserved: ReadonlySet<string>;

  /** `reserved`: names of the program's own commands. */
  constructor(state: HostState, dispatcher: Dispatcher, reserved: ReadonlySet<string>) {
    this.#state = state;
    this.#dispatcher = dispatcher;
    this.#reserved = reserved;
  }

  /** By the name that people type. Where several extensions have one name, or pi itself has it, all are kept as `name:1`, `name:2`. */
  #all(): Map<string, Owned> {
    const named = new Map<string, Owned[]>();
    for (const extension of this.#state.extensions)
      for (const [name, command] of extension.commands)
        named.set(name, [...(named.get(name) ?? []), { extension, command }]);
    const all = new Map<string, Owned>();
    for (const [name, owners] of named)
      for (const [index, owned] of owners.entries())
        all.set(owners.length === 1 && !this.#reserved.has(name) ? name : `${name}:${index + 1}`, owned);
    return all;
  }

  list(): readonly SlashCommandInfo[] {
    return [...this.#all()].map(([name, { extension, command }]) => ({
      name,
      aliases: [],
      summary: oneLine(String(command.description ?? `of the extension ${extension.name}`)),
      argumentHint: "",
      group: "project",
      during: "any",
      completes: command.getArgumentCompletions !== undefined,
    }));
  }

  has(name: string): boolean {
    return this.#all().has(name);
  }

  /** Runs a command. Rejects with a PiError that names the extension when it fails; an abort ends the wait. */
  async run(name: string, argument: string, signal: AbortSignal): Promise<void> {
    const owned = this.#all().get(name);
    if (owned === undefined) return;
    const { extension, command } = owned;
    const context = commandContext(extension, this.#state);
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const work = runAs(extension, () => command.handler(argument, context));
      await Promise.race([work, stopped.promise]);
    } catch (thrown) {
      extension.keep(`/${name}`, errorMessage(thrown));
      throw new PiError({
        code: "extension_failed",
        message: `/${name} of the extension "${extension.name}" failed: ${errorMessage(thrown)}`,
        cause: thrown,
      });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** What may follow the name; empty when the extension does not say or fails. */
  async complete(
    name: string,
    argument: string,
    signal: AbortSignal,
  ): Promise<readonly ArgumentCompletion[]> {
    const owned = this.#all().get(name);
    const complete = owned?.command.getArgumentCompletions;
    if (owned === undefined || complete === undefined) return [];
    const end = await this.#dispatcher.run(
      owned.extension,
      `the completions of /${name}`,
      () => complete.call(owned.command, argument),
      signal,
    );
    if (end.kind !== "value" || !Array.isArray(end.value)) return [];
    return (end.value as unknown[]).flatMap((each): ArgumentCompletion[] => {
      if (typeof each !== "object" || each === null) return [];
      const { value, label, description } = each as Partial<PiCompletion>;
      if (value === undefined) return [];
      return [
        {
          value: String(value),
          label: String(label ?? value),
          ...(description === undefined ? {} : { description: String(description) }),
        },
      ];
    });
  }
}

function oneLine(text: string): string {
  return text.split("\n", 1)[0]!.replace(/\.$/, "");
}
