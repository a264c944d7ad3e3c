/**
 * What runs inside of a sandbox: a dispatcher that opens lanes, and lanes that run one command at a time. Starting a
 * sandbox takes some 20 ms, handing a command to a lane costs little more than the command's own bash.
 */

/**
 * Reads folder names (NUL-terminated) from stdin and starts a lane for each; at the end of stdin (we died) it ends, and
 * the kernel ends the whole process namespace with it. Answers go to descriptor 9, one short line each.
 * The traps keep `pkill bash` of a command from ending it; children get the default action back.
 */
export const DISPATCHER = `trap : TERM HUP INT QUIT
exec 9>&1 1>/dev/null
printf 'ready\\n' >&9
while :; do
  if IFS= read -r -d '' folder; then
    mkfifo -m 600 "$folder/in" "$folder/out" "$folder/err" &&
      "$BASH" --norc --noprofile -c "$1" lane "$folder" </dev/null &
  elif [ $? -le 128 ]; then
    break
  fi
done`;

/**
 * Reads id, mark, and folder from its pipe and the command from a file (a pipe is read byte by byte), runs it in its own
 * process group and tells when it started and ended, and whether the group lives on. \`wait -f\` (bash 5) sits out stops.
 */
export const LANE = `set -m
trap : TERM HUP INT QUIT
folder=$1
flag=-f
[ "\${BASH_VERSINFO[0]}" -ge 5 ] || flag=
exec 8<>"$folder/in"
printf 'lane %s\\n' "\${folder##*/}" >&9
while :; do
  IFS= read -r -d '' id <&8 || continue
  IFS= read -r -d '' mark <&8
  IFS= read -r -d '' place <&8
  IFS= read -r -d '' command <"$folder/command"
  if ! cd -- "$place"; then
    printf 'refused %s\\n' "$id" >&9
    continue
  fi
  PI_PROCESS_ID=$mark "$BASH" --norc --noprofile -c "$command" </dev/null >"$folder/out" 2>"$folder/err" 8>&- 9>&- &
  child=$!
  printf 'started %s %s\\n' "$id" "$child" >&9
  while :; do
    wait $flag "$child"
    code=$?
    [ "$code" -gt 128 ] && kill -0 "$child" || break
  done
  left=0
  kill -0 -- "-$child" && left=1
  printf 'ended %s %s %s\\n' "$id" "$code" "$left" >&9
done 2>/dev/null`;
