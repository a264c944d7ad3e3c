/** Keys that the environment holds, so that they are not kept where they were typed by mistake. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    /_(API_KEY|TOKEN)$/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}
