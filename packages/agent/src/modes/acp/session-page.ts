import type { ListSessionsRequest, ListSessionsResponse } from "@agentclientprotocol/sdk";
import type { SessionHub } from "../../contract/session-hub.ts";
import { invalidParams } from "./protocol-error.ts";

const PAGE = 50;

/**
 * One page of the sessions on disk, newest first: of a folder, or of every one. The cursor is the last id of the page before, so that
 * sessions which come or go meanwhile neither repeat nor hide others. Throws `invalid_params` for a cursor that is none.
 */
export async function sessionPage(
  hub: Pick<SessionHub, "list">,
  { cwd, cursor }: ListSessionsRequest,
  realFolder: (path: string) => string,
): Promise<ListSessionsResponse> {
  const folder = cwd ?? null;
  const all = await hub.list(folder === null ? { cwd: "/", all: true } : { cwd: realFolder(folder) });
  const start = cursor === undefined || cursor === null ? 0 : after(all, cursor);
  const page = all.slice(start, start + PAGE);
  const last = page.at(-1);
  return {
    sessions: page.map(({ id, cwd: place, title, updated }) => ({
      sessionId: id,
      // An editor that asks for a folder by a link finds its sessions under that name.
      cwd: folder ?? place,
      title: title === "" ? null : title,
      updatedAt: updated,
    })),
    ...(start + PAGE < all.length && last !== undefined ? { nextCursor: last.id } : {}),
  };
}

function after(all: readonly { id: string }[], cursor: string): number {
  const index = all.findIndex(({ id }) => id === cursor);
  if (index < 0)
    throw invalidParams(
      `the list of sessions has no place ${JSON.stringify(cursor)}`,
      "begin again without a cursor",
    );
  return index + 1;
}
