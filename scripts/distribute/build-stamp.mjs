// What a build says about where it comes from. From git and not from the clock, so that the same commit gives the same bytes.
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { ROOT } from "./paths.mjs";

/** Commit and date (UTC) of the checkout, such as `0123456789ab of 2026-11-30`; `unknown` where it is no git repository of its own. */
export function buildStamp() {
  const top = git("rev-parse", "--show-toplevel");
  if (top === undefined || realpathSync(top) !== realpathSync(ROOT)) return "unknown";
  const commit = git("log", "-1", "--abbrev=12", "--date=format-local:%Y-%m-%d", "--format=%h of %cd");
  if (commit === undefined) return "unknown";
  return git("status", "--porcelain") === "" ? commit : `${commit}, with changes`;
}

/** When the commit was made, in seconds since 1970, for the files of archives; without git the first second that they all can name. */
export function buildTime() {
  return buildStamp() === "unknown" ? Date.UTC(1980, 0, 1) / 1000 : Number(git("log", "-1", "--format=%ct"));
}

function git(...words) {
  const { status, stdout } = spawnSync("git", ["-C", ROOT, ...words], {
    encoding: "utf8",
    env: { ...process.env, TZ: "UTC", GIT_OPTIONAL_LOCKS: "0" },
  });
  return status === 0 ? stdout.trim() : undefined;
}
