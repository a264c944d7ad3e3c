import type { HubSession } from "../../../contract/session-hub.ts";
import { historyEvents } from "../event-lines.ts";
import { invalidParams } from "../rpc-error.ts";
import { method, OK, type RpcMethod } from "./method.ts";

/** Sessions, their history and their branches. */
export const SESSION_METHODS: Readonly<Record<string, RpcMethod>> = {
  "session.create": method(
    { cwd: "text?", title: "text?", model: "text?" },
    async (wanted, { sessions }) => ({ session_id: (await sessions.create(wanted)).id }),
  ),
  "session.list": method({ all: "flag?", cwd: "text?" }, async ({ all = false, cwd }, context) => ({
    sessions: await context.hub.list({ cwd: cwd ?? context.cwd, all }),
  })),
  "session.get": method(
    { session_id: "text", subscribe: "flag?" },
    async ({ session_id, subscribe }, { sessions, client }) =>
      sessions.with(session_id, (session) => {
        // In one breath: nothing is told between the history and what follows it.
        if (subscribe !== undefined) client.interest(session).subscribed = subscribe;
        const events = historyEvents(session.id, session.messages(), session.unfinished());
        return { session: factsOf(session), events };
      }),
  ),
  "session.unsubscribe": method({ session_id: "text" }, async ({ session_id }, { hub, client }) => {
    const session = hub.get(session_id);
    if (session !== undefined) client.interest(session).subscribed = false;
    return OK;
  }),
  "session.close": method({ session_id: "text" }, async ({ session_id }, { sessions }) => {
    await sessions.with(session_id, (session) => session.close());
    return OK;
  }),
  "session.delete": method({ session_id: "text" }, async ({ session_id }, { hub }) => {
    await hub.delete(session_id);
    return OK;
  }),
  "session.branch": method(
    { session_id: "text", name: "text", from: "text?" },
    async ({ session_id, name, from }, { sessions }) => {
      await sessions.with(session_id, (session) => session.createBranch(name, from));
      return OK;
    },
  ),
  "session.switch": method({ session_id: "text", branch: "text" }, async (params, { sessions }) => {
    await sessions.with(params.session_id, (session) => session.switchBranch(params.branch));
    return OK;
  }),
  "session.compact": method({ session_id: "text", focus: "text?" }, async (params, { sessions }) => {
    await sessions.with(params.session_id, (session) => session.compact(params.focus));
    return OK;
  }),
  "session.mode": method({ session_id: "text", mode: "text" }, async ({ session_id, mode }, { sessions }) => {
    if (mode !== "default" && mode !== "plan") throw invalidParams('"mode" must be default or plan');
    await sessions.with(session_id, (session) => session.setMode(mode));
    return OK;
  }),
};

function factsOf(session: HubSession): object {
  const { active, names, head } = session.branches();
  return {
    ...session.info(),
    busy: session.busy,
    mode: session.mode,
    thinking: session.model().thinking,
    branch: active,
    branches: names,
    head,
  };
}
