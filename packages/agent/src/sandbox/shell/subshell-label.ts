/**
 * Labels of processes for people and models. A subshell (`( … ) &`, a function in the background) has the command line of the bash that
 * it comes from: our `script` that waits for commands, which says nothing to anybody.
 */
export function namedSubshells(labels: readonly string[], script: string): string[] {
  // The command line is cut, and the path of bash may be long: the beginning tells it.
  const ours = ` -c ${script.slice(0, 20)}`;
  return labels.map((label) =>
    label.includes(ours) ? `${label.slice(0, label.indexOf(" "))} a subshell of the command` : label,
  );
}
