/** A name on one line: line feeds and other control characters show as in a JSON string. */
export function printableName(name: string): string {
  return name.replace(/[\0-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
