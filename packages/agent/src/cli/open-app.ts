import type { Session } from "../session/session.ts";
import { type App, buildApp } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import { chooseRunModel, resolveOptions } from "./choose-model.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";
import { newSession } from "./open-session.ts";
import type { Place } from "./place.ts";
import type { ChosenModel, Settings } from "./run-setup.ts";

/** What a conversation without a screen is opened with. */
export interface OpenAppParts {
  flags: Flags;
  settings: Settings;
  place: Place;
  mode: string;
  notices: Notices;
  /** The session to go on with; null: a new one. */
  resumed: Session | null;
  /** The model, where it is not to be chosen. */
  given?: ChosenModel | undefined;
  /** Who is asked, and who hears. */
  doors?: Pick<AppParts, "ask" | "dialogs" | "onAppend" | "onMcpChange">;
}

/** Chooses the model and builds the conversation. Rejects with a PiError; a session to go on with is closed then. */
export async function openApp(parts: OpenAppParts): Promise<App> {
  const { flags, settings, place, mode, notices, resumed, given, doors } = parts;
  const { environment, home, cwd } = place;
  try {
    const choose = async () => {
      const options = await resolveOptions(flags, settings, environment, home, notices);
      const around = { ...place, flags, settings, notices, doors: { mode } };
      return await chooseRunModel(options, resumed?.settings ?? null, around);
    };
    const chosen = given ?? (await choose());
    const facts = { cwd, mode, model: chosen.model.id, provider: chosen.model.provider };
    const session = resumed ?? newSession(flags, facts, home, notices);
    return await buildApp({
      flags,
      settings,
      home,
      environment,
      cwd,
      mode,
      chosen,
      session,
      notices,
      ...doors,
      ...(given === undefined ? {} : { modelGiven: true }),
    });
  } catch (error) {
    resumed?.close();
    await settings.early?.close();
    throw error;
  }
}
