/** Takes our children along when we are killed: nothing of ours runs then, so a little shell beside us has to. */

/** A running watchdog. */
export interface Watchdog {
  /** Ends the group of `pid` when we die. */
  guard(pid: number): void;
  release(pid: number): void;
  /** Deletes a temporary folder of ours when we die. */
  guardFolder(path: string): void;
  /** Everything has ended: the watchdog goes without looking around. */
  dismiss(): void;
}

/**
 * Reads "+ group", "- group" and "d folder" until our end of the pipe closes, then kills those groups and every process
 * that carries the mark, and deletes the folders. "." dismisses it. `ps -E` is macOS; the mark is looked for twice, for what was
 * just being forked. The long form of `kill` is needed: dash takes no `kill -9 -- -GROUP`.
 */
const SCRIPT = `trap '' HUP INT TERM QUIT
groups=' '
folders=
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
    d) folders="$folders $group" ;;
    .) exit 0 ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
for round in 1 2; do
  if [ -d /proc/self ]; then
    for file in $(grep -lazx "$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}; pid=\${pid%/environ}
      [ "$pid" = "$$" ] || kill -9 "$pid"
    done
  else
    ps -A -E -ww -o pid=,command= | grep -E " $mark( |$)" | while read -r pid rest; do
      [ "$pid" = "$$" ] || kill -9 "$pid"
    done
  fi
done
[ -z "$folders" ] || rm -rf -- $folders`;

/** How long the group of an ended process may stay on the list, in milliseconds. */
const RELEASE_MS = 1_000;

/** Starts a watchdog for processes marked `mark` (`NAME=value`). Null where there is no `sh` (Windows): then nobody watches. */
export function startWatchdog(mark: string): Watchdog | null {
  if (process.platform === "win32") return null;
  try {
    // "mark" reaches the script as a shell variable and not through the environment, which would mark the watchdog itself.
    const child = Bun.spawn(["/bin/sh", "-c", `mark='${mark}'\n${SCRIPT}`], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // Its own session: a closed terminal or a Ctrl+C must not reach it.
      detached: true,
    });
    child.unref();
    let later: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      clearTimeout(later);
      later = undefined;
      const flushed = child.stdin.flush();
      // Somebody killed the watchdog: children then end with us only on an orderly way out.
      if (flushed instanceof Promise) flushed.catch(() => undefined);
    };
    const send = (line: string) => {
      child.stdin.write(line);
      flush();
    };
    /** What may wait goes out with the next line: a write costs more than the rest of a release. */
    const sendLater = (line: string) => {
      child.stdin.write(line);
      later ??= setTimeout(flush, RELEASE_MS);
      later.unref();
    };
    return {
      guard: (pid) => send(`+ ${pid}\n`),
      guardFolder: (path) => {
        // The script splits at blanks; such a folder is left to the system's own cleaning.
        if (/^\/[\w./-]+$/.test(path)) send(`d ${path}\n`);
      },
      release: (pid) => sendLater(`- ${pid}\n`),
      dismiss: () => {
        send(".\n");
        const ended = child.stdin.end();
        if (ended instanceof Promise) ended.catch(() => undefined);
      },
    };
  } catch {
    // No /bin/sh: an orderly way out still ends everything.
    return null;
  }
}
