import { Rewinder } from "../../session/checkpoint/rewinder.ts";
import type { App } from "../app.ts";

/** Goes back to before a message of the person's (its record). Files stay as they are. Throws a PiError when the log cannot be read. */
export async function takeBack({ session, checkpoints }: App, prompt: string): Promise<void> {
  const recorder = await checkpoints.recorder();
  await recorder.idle();
  const rewinder = new Rewinder(session, recorder.states);
  const { to } = rewinder.find({ turn: prompt, side: "before" });
  rewinder.go({ to, conversation: true, restore: [] });
}
