/** Resolves once `condition` holds; looked at again and again, so that a slow machine only takes longer. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
