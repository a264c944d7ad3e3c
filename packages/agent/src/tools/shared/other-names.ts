/**
 * A sentence about the other names (hard links) of a file that was replaced; empty when it had none. Writing through them would change files
 * that may lie outside of the project.
 */
export function otherNamesNote(count: number): string {
  if (count <= 0) return "";
  const names =
    count === 1
      ? "The file had 1 other name (a hard link), which keeps"
      : `The file had ${count} other names (hard links), which keep`;
  return `${names} the old content.`;
}
