const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** A short name of what makes the vectors of a space what they are: it changes when any of the parts does. It tells things apart and keeps nothing secret. */
export function spaceFingerprint(kind: string, parts: readonly (string | number)[]): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(JSON.stringify(parts)))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return `${kind}-${hash.toString(16).padStart(16, "0")}`;
}
