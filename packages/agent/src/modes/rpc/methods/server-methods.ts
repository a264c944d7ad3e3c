import type { ThinkingLevel } from "../../../contract/model.ts";
import { invalidParams } from "../rpc-error.ts";
import { method, OK, type RpcMethod } from "./method.ts";

/** Models, tools and the server itself. */
export const SERVER_METHODS: Readonly<Record<string, RpcMethod>> = {
  "model.list": method({ cwd: "text?" }, async ({ cwd }, context) => {
    const models = await context.hub.models(cwd ?? context.cwd);
    return {
      models: models.map(({ contextWindow, ...model }) => ({ ...model, context_window: contextWindow })),
    };
  }),
  "model.get": method({ session_id: "text?" }, async ({ session_id }, { sessions, hub, cwd }) => {
    const { provider, id, thinking } =
      session_id === undefined
        ? await hub.modelFor(cwd, sessions.defaults.model)
        : await sessions.with(session_id, (session) => session.model());
    return { model: `${provider}/${id}`, provider, id, thinking };
  }),
  "model.set": method(
    { model: "text?", thinking: "text?", session_id: "text?" },
    async ({ model, thinking, session_id }, { sessions, hub, cwd }) => {
      if (model === undefined && thinking === undefined)
        throw invalidParams('"model" or "thinking" is missing');
      if (session_id === undefined) {
        if (model === undefined)
          throw invalidParams('"thinking" is set for a session: session_id is missing');
        await hub.modelFor(cwd, model);
        sessions.defaults.model = model;
        return OK;
      }
      await sessions.with(session_id, async (session) => {
        const before = session.model().thinking;
        if (thinking !== undefined) session.setThinking(thinking as ThinkingLevel);
        try {
          if (model !== undefined) await session.useModel(model);
        } catch (thrown) {
          // Both or neither.
          if (thinking !== undefined) session.setThinking(before);
          throw thrown;
        }
      });
      return OK;
    },
  ),
  "tools.list": method({ session_id: "text?", cwd: "text?" }, async ({ session_id, cwd }, { sessions }) => {
    if (session_id !== undefined)
      return { tools: await sessions.with(session_id, (session) => session.tools()) };
    const session = await sessions.create(cwd === undefined ? {} : { cwd });
    try {
      return { tools: session.tools() };
    } finally {
      await session.close();
    }
  }),
  status: method({}, async (_, { facts }) => facts()),
  shutdown: method({}, async (_, { after, shutdown }) => {
    after(shutdown);
    return OK;
  }),
};
