/** One argument of a tool, as its JSON schema says it. */
export type ArgumentSchema =
  | { readonly type: "string"; readonly description: string; readonly maxLength: number }
  | {
      readonly type: "integer";
      readonly description: string;
      readonly minimum: number;
      readonly maximum: number;
    }
  | {
      readonly type: "array";
      readonly description: string;
      readonly items: { readonly type: "string" };
      readonly maxItems: number;
    };

/** The arguments of a tool, as JSON schema. */
export interface ArgumentsSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export type Arguments = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Checks arguments, which the host hands over as the model wrote them. What is wrong, in a sentence for the model. */
export function checkArguments(
  given: unknown,
  { properties, required }: ArgumentsSchema,
): { readonly args: Arguments } | { readonly wrong: string } {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { wrong: "the arguments are no object" };
  const names = Object.keys(properties);
  const args: Record<string, string | number | readonly string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = properties[name];
    if (schema === undefined)
      return {
        wrong: `there is no argument ${JSON.stringify(name.slice(0, 40))}; there ${names.length === 0 ? "is none" : `are: ${names.join(", ")}`}`,
      };
    // An optional argument that a model leaves out by name.
    if (value === null || value === undefined) continue;
    const wrong = wrongValue(value, schema);
    if (wrong !== undefined) return { wrong: `${name} ${wrong}` };
    args[name] = value as string | number | readonly string[];
  }
  const missing = required.find((name) => args[name] === undefined || args[name] === "");
  return missing === undefined ? { args } : { wrong: `${missing} is missing` };
}

function wrongValue(value: unknown, schema: ArgumentSchema): string | undefined {
  switch (schema.type) {
    case "string":
      if (typeof value !== "string") return "is no text";
      return value.length > schema.maxLength ? `is longer than ${schema.maxLength} characters` : undefined;
    case "integer":
      return Number.isInteger(value) &&
        (value as number) >= schema.minimum &&
        (value as number) <= schema.maximum
        ? undefined
        : `is no whole number from ${schema.minimum} to ${schema.maximum}`;
    case "array":
      if (!Array.isArray(value) || value.some((one) => typeof one !== "string")) return "is no list of texts";
      return value.length > schema.maxItems ? `has more than ${schema.maxItems} entries` : undefined;
  }
}
