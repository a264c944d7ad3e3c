/**
 * What runs inside of a sandbox: a dispatcher that opens lanes, lanes that run one command at a time, and in each lane a bash
 * that has already started and waits for its command. A command so costs less than a bash of its own outside.
 */

/**
 * Reads folder names (NUL-terminated) from stdin and starts a lane for each; at the end of stdin (we died) it ends, and
 * the kernel ends the whole process namespace with it. Answers go to descriptor 9, one short line each.
 * The traps keep `pkill bash` of a command from ending it; children get the default action back. It and the lanes run with
 * `-p`: a function that the user exports by the name of a builtin would break them.
 */
export const DISPATCHER = `trap : TERM HUP INT QUIT
for needed in setsid mkfifo; do
  type "$needed" >/dev/null 2>&1 || PATH=\${PATH:+$PATH:}/usr/bin:/bin
  type "$needed" >/dev/null || exit 1
done
exec 9>&1 1>/dev/null
printf 'ready\\n' >&9
while :; do
  if IFS= read -r -d '' folder; then
    {
      mkfifo -m 600 "$folder/in" "$folder/out" "$folder/err" &&
        exec "$BASH" --norc --noprofile -p -c "$1" lane "$folder" "$2" </dev/null
    } &
  elif [ $? -le 128 ]; then
    break
  fi
done`;

/**
 * Keeps a waiting bash (the worker) in a session of its own, and tells how it ended and whether its group lives on. The
 * worker runs in the foreground: bash 5.2's \`wait\` with job control can spin for ever on a child that ended meanwhile.
 * Its mark is in its environment from its start, where it can be seen from outside.
 */
export const LANE = `trap : TERM HUP INT QUIT
folder=$1
name=\${1##*/}
mark=$PI_PROCESS_ID
runs=0
worker=
exec 8<>"$folder/in"
printf 'lane %s\\n' "$name" >&9
while :; do
  runs=$((runs + 1))
  before=$worker
  PI_PROCESS_ID=$mark.$name.$runs setsid "$BASH" --norc --noprofile -c "$2" "$BASH" "$folder" </dev/null
  code=$?
  IFS= read -r worker <"$folder/worker"
  if [ "$worker" = "$before" ]; then
    printf 'gone %s\\n' "$name" >&9
    exit 1
  fi
  left=0
  kill -0 -- "-$worker" && left=1
  printf 'ended %s %s %s\\n' "$name" "$code" "$left" >&9
done 2>/dev/null`;

/**
 * Waits for a folder on the lane's pipe (a byte of it is a system call, so the command itself comes in a file), tells its
 * mark, and becomes the command's shell: nothing of ours is left in it but `eval`. `builtin` and `command`, since people export functions
 * by the names of builtins, and a command may use these.
 */
export const WORKER = [
  'builtin printf \'%s\\n\' "$$" >"$1/worker"',
  "IFS= builtin read -r -d '' pi_folder <&8",
  'command exec >"$1/out" 2>"$1/err" 8>&-',
  "IFS= builtin read -r -d '' pi_command <\"$1/command\"",
  `builtin printf 'started %s %s\\n' "\${1##*/}" "$PI_PROCESS_ID" >&9`,
  "command exec 9>&-",
  "builtin shift",
  'builtin cd -- "$pi_folder" || builtin exit 126',
  'builtin eval "builtin unset pi_folder pi_command;$pi_command"',
  // One line, so that bash counts the command's lines from 1 in what it complains of.
].join("; ");
