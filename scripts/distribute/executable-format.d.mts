/** What is wrong with an executable for a platform; undefined when nothing is. */
export function executableFault(
  bytes: Uint8Array,
  platform: { os: string; cpu: string; name: string },
  contents?: Readonly<Record<string, Uint8Array>>,
): string | undefined;
