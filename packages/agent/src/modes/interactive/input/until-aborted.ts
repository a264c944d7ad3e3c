/** The promise's value, or null as soon as nobody waits for it; a search that ignores its signal must not hold up the next one. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
