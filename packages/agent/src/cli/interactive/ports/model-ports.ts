import type { PingPorts } from "../../../commands/ping.ts";
import type { CommitPorts } from "../../../commands/slash/shared/commit-port.ts";
import { type ModelPorts, modelName } from "../../../commands/slash/shared/model-port.ts";
import { PiError } from "../../../contract/errors.ts";
import { textOf } from "../../../contract/messages.ts";
import type { ModelRequest } from "../../../contract/model.ts";
import { systemClock } from "../../../platform/clock.ts";
import { availableModels } from "../../../provider/registry/available-models.ts";
import { isUsable, lookForKey } from "../../../provider/registry/provider-key.ts";
import { providerTarget } from "../../../provider/registry/provider-target.ts";
import type { ResolveOptions } from "../../../provider/registry/resolve.ts";
import { besideBrought, chooseRunModel, resolveOptions, resolveRunModel } from "../../choose-model.ts";
import { Notices } from "../../notices.ts";
import { pingTarget } from "../../ping-target.ts";
import type { ChosenModel } from "../../run-setup.ts";
import type { Program } from "../program.ts";

const BUILT_IN_ROLES = ["default", "smol", "slow", "plan", "commit"] as const;
const PING_PATIENCE_MS = 60_000;

export interface ModelPortParts {
  program: Program;
  /** The role that the model plays now. */
  role(): string;
  /** Takes another model (and the role it plays) into use. */
  adopt(chosen: ChosenModel, role: string): Promise<void>;
}

/** How the options of a resolution look now. */
async function optionsOf(program: Program, notices: Notices): Promise<ResolveOptions> {
  const { settings, parts } = program;
  if (settings === undefined)
    throw new PiError({ code: "not_ready", message: "the settings are not loaded yet", hint: "Try again." });
  return resolveOptions(parts.flags, settings, parts.place.environment, parts.place.home, notices);
}

export function modelPort({ program, role, adopt }: ModelPortParts): ModelPorts["model"] {
  const current = () => {
    const options = program.app?.options;
    const model = options?.model ?? program.chosen?.model;
    if (model === undefined) return null;
    return {
      model,
      thinking: options?.thinking ?? program.settings?.config.thinking ?? "medium",
      role: role(),
    };
  };
  return {
    current,
    roles() {
      const set = program.settings?.config.roles ?? {};
      const names = new Set([...BUILT_IN_ROLES, ...Object.keys(set)]);
      return [...names].map((name) => {
        const setting = Object.hasOwn(set, name) ? set[name] : undefined;
        const named =
          setting?.provider === undefined ? setting?.model : `${setting.provider}/${setting.model}`;
        return { role: name, model: named ?? null };
      });
    },
    async list(signal) {
      const notices = new Notices();
      const { place } = program.parts;
      const options = await optionsOf(program, notices);
      const listed = await availableModels(
        options,
        { cacheFolder: place.home.cache, clock: systemClock, refresh: false },
        signal,
      );
      const usable = (provider: string) => {
        const target = providerTarget(provider, { ...options, url: null });
        return target !== undefined && isUsable(target, lookForKey(target, options));
      };
      const host = program.app?.extensions.host ?? null;
      const { others, brought } = await besideBrought(listed.models, host, options, place);
      return {
        models: [...others.map((model) => ({ model, usable: usable(model.provider) })), ...brought],
        notices: [...notices.take(), ...listed.notices],
      };
    },
    async use(wanted) {
      const notices = new Notices();
      if (wanted.model !== undefined || wanted.role !== undefined) {
        const options = await optionsOf(program, notices);
        const { model: request = null, role = null } = wanted;
        const unset = request === null && role !== null && !Object.hasOwn(options.roles, role);
        const playing = unset ? program.chosen : undefined;
        if (playing !== undefined)
          notices.add({
            level: "info",
            message: `The role ${role} is not set (roles.${role} in your config), so the session's model plays it.`,
          });
        const choose = () =>
          chooseRunModel({ ...options, request, role }, null, program.around(program.settings!, notices));
        const chosen = playing ?? (await choose());
        await adopt(chosen, wanted.role ?? "default");
      }
      if (wanted.thinking !== undefined) program.app?.setThinking(wanted.thinking);
      const now = current();
      if (now === null)
        throw new PiError({
          code: "no_model",
          message: "no model is chosen yet",
          hint: "Name one: /model provider/model",
        });
      return { ...now, notices: notices.take() };
    },
  };
}

/** One answer of the model of role `commit`, else of the model in use: no tools, no thinking, counted in the day's tokens. */
export function commitModelPort(program: Program): CommitPorts["commitModel"] {
  return {
    async propose(system, prompt, signal) {
      const own = Object.hasOwn(program.settings?.config.roles ?? {}, "commit");
      const chosen = own ? await program.chooseModel({ role: "commit" }) : program.app?.options;
      if (chosen === undefined)
        throw new PiError({
          code: "no_model",
          message: "no model is chosen yet",
          hint: "Name one: /model provider/model",
        });
      const request: ModelRequest = {
        model: chosen.model,
        system,
        tools: [],
        messages: [{ role: "user", origin: "user", parts: [{ type: "text", text: prompt }] }],
        maxOutput: 1_000,
        thinking: "off",
      };
      const estimate = Math.ceil((system.length + prompt.length) / 3) + 1_000;
      const reservation = program.app?.budget.reserve(estimate);
      const used = { input: 0, output: 0, requests: 1 };
      try {
        for await (const event of chosen.client.stream(request, signal)) {
          if (event.type === "error")
            throw new PiError({
              code: event.error.code,
              message: event.error.message,
              ...(event.error.hint === undefined ? {} : { hint: event.error.hint }),
            });
          if (event.type !== "end") continue;
          const { input, cache_read, cache_write, output } = event.message.usage;
          Object.assign(used, { input: input + cache_read + cache_write, output });
          return textOf(event.message.parts);
        }
      } finally {
        reservation?.settle(used);
      }
      throw new PiError({ code: "aborted", message: `${modelName(chosen.model)} gave no answer` });
    },
  };
}

/** The model in use, for a sign of life. */
export function pingPort(program: Program): PingPorts["ping"] {
  return {
    clock: { now: () => performance.now() },
    patienceMs: PING_PATIENCE_MS,
    async target() {
      const notices = new Notices();
      const model = program.app?.options.model ?? program.chosen?.model;
      const options = await optionsOf(program, notices);
      const resolved = await resolveRunModel(
        model === undefined ? options : { ...options, request: modelName(model), role: null },
        program.around(program.settings!, notices),
      );
      return pingTarget(resolved, notices.take());
    },
  };
}
