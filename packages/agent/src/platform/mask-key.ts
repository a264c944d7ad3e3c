/** An API key as people may see it: `sk-a…wxyz`; a short one shows nothing of itself. */
export function maskKey(key: string): string {
  return key.length < 16 ? "…" : `${key.slice(0, 4)}…${key.slice(-4)}`;
}
