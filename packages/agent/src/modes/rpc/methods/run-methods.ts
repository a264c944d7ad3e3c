import type { ConsentAnswer } from "../../../contract/consent.ts";
import type { HubSession } from "../../../contract/session-hub.ts";
import { invalidParams } from "../rpc-error.ts";
import { method, OK, type RpcMethod } from "./method.ts";

const ANSWERS: readonly ConsentAnswer["answer"][] = ["once", "session", "always", "refuse"];

/** Prompts, what may be said during a run, and the questions of runs. */
export const RUN_METHODS: Readonly<Record<string, RpcMethod>> = {
  prompt: method(
    {
      text: "text",
      session_id: "text?",
      images: "images?",
      cwd: "text?",
      title: "text?",
      model: "text?",
    },
    async ({ text, session_id, images, ...wanted }, { sessions, client, after }) => {
      const send = async (session: HubSession) => {
        const run = client.interest(session).begin();
        after(run.answered);
        try {
          await session.prompt({ text, ...(images === undefined ? {} : { images }) });
        } catch (thrown) {
          run.failed();
          throw thrown;
        }
        return { session_id: session.id };
      };
      if (session_id === undefined) return send(await sessions.create(wanted));
      const [fact] = Object.keys(wanted);
      if (fact !== undefined)
        throw invalidParams(`"${fact}" is for a new session, and session_id names one that is there`);
      return sessions.with(session_id, send);
    },
  ),
  cancel: method({ session_id: "text" }, async ({ session_id }, { sessions }) => {
    await sessions.with(session_id, (session) => session.cancel());
    return OK;
  }),
  steer: method({ session_id: "text", text: "text" }, async ({ session_id, text }, { sessions }) => {
    await sessions.with(session_id, (session) => session.steer(text));
    return OK;
  }),
  "consent.offer": method({ enabled: "flag?" }, async ({ enabled = true }, { client, desk }) => {
    client.answersQuestions = enabled;
    if (!enabled) desk.leave(client);
    return OK;
  }),
  "consent.answer": method(
    { request_id: "text", answer: "text", reason: "text?" },
    async ({ request_id, answer, reason }, { client, desk }) => {
      const given = ANSWERS.find((each) => each === answer);
      if (given === undefined) throw invalidParams(`"answer" must be one of ${ANSWERS.join(", ")}`);
      desk.answer(
        client,
        request_id,
        given === "refuse"
          ? { answer: given, ...(reason === undefined ? {} : { reason }) }
          : { answer: given },
      );
      return OK;
    },
  ),
};
