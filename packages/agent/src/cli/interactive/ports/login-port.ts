import type { LoginPorts } from "../../../commands/login/login-ports.ts";
import { errorMessage, isPiError, PiError } from "../../../contract/errors.ts";
import type { SurfaceControl } from "../../../contract/interactive.ts";
import { systemClock } from "../../../platform/clock.ts";
import { newId } from "../../../platform/ids.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import { chooseModel, resolveOptions } from "../../choose-model.ts";
import { lateLogin } from "../../login/late-login.ts";
import { Notices } from "../../notices.ts";
import type { ChosenModel } from "../../run-setup.ts";
import type { Program } from "../program.ts";

export interface LoginSlashPortParts {
  program: Program;
  surface: SurfaceControl;
  role(): string;
  adopt(chosen: ChosenModel, role: string): Promise<void>;
}

/** Logging in and out of a running program, which goes on with what was granted. */
export function loginSlashPort(parts: LoginSlashPortParts): LoginPorts["login"] {
  const { program, surface } = parts;
  const { flags, place } = program.parts;
  const setup = async () => {
    const { settings } = program;
    if (settings === undefined)
      throw new PiError({
        code: "not_ready",
        message: "the settings are not loaded yet",
        hint: "Try again.",
      });
    const notices = new Notices();
    return {
      settings,
      options: await resolveOptions(flags, settings, place.environment, place.home, notices),
    };
  };
  let own: ProcessRegistry | undefined;
  return lateLogin({
    place,
    setup,
    // A browser that was opened before there was a conversation stays when it begins.
    processes() {
      if (program.app !== undefined) return program.app.processes;
      own ??= createProcessRegistry({ environment: place.environment, ownerId: newId(), clock: systemClock });
      return own;
    },
    tell(message) {
      const [url] = /https?:\/\/\S+$/.exec(message) ?? [];
      if (url !== undefined) void surface.copy(url);
      program.tell("info", message);
    },
    async changed(provider, how) {
      program.settings?.keys.reload();
      const model = program.app?.options.model ?? program.chosen?.model;
      // Another provider's model goes on as it is; without any, there may be one now.
      if (model !== undefined && model.provider !== provider) return [];
      const notices = new Notices();
      const { options } = await setup();
      const request = model === undefined ? options.request : `${model.provider}/${model.id}`;
      try {
        const chosen = await chooseModel({ ...options, request: request ?? null }, null, notices);
        await parts.adopt(chosen, parts.role());
        return [
          how === "came" ? `Requests go to ${nameOf(chosen)} with it from now on.` : withoutIt(chosen),
          ...notices.take().map(({ message }) => message),
        ];
      } catch (thrown) {
        if (!isPiError(thrown)) throw thrown;
        return [errorMessage(thrown)];
      }
    },
  });
}

/** A provider of the user's own may need no key; one that is still set elsewhere goes on. */
function withoutIt(chosen: ChosenModel): string {
  return chosen.secret === null
    ? `Requests to ${nameOf(chosen)} carry no key from now on.`
    : `Requests go to ${nameOf(chosen)} with the key that is still set.`;
}

function nameOf({ model }: ChosenModel): string {
  return `${model.provider}/${model.id}`;
}
