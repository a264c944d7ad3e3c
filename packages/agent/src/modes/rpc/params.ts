import { sendableImage } from "../../contract/images.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ImagePart } from "../../contract/messages.ts";
import { nearNames } from "../../platform/near-names.ts";
import { invalidParams } from "./rpc-error.ts";

/** What a parameter holds; a `?` at the end: it may be left out. */
type Kind = keyof Kinds | `${keyof Kinds}?`;

interface Kinds {
  /** A text that is not empty. */
  text: string;
  flag: boolean;
  images: ImagePart[];
}

/** The parameters of a method. */
export type ParamSpec = Readonly<Record<string, Kind>>;

/** What {@link readParams} gives for a spec. */
export type Params<Spec extends ParamSpec> = {
  [Name in keyof Spec as Spec[Name] extends `${string}?` ? never : Name]: KindOf<Spec[Name]>;
} & {
  [Name in keyof Spec as Spec[Name] extends `${string}?` ? Name : never]?: KindOf<Spec[Name]>;
};

type KindOf<K> = K extends `${infer Name extends keyof Kinds}?`
  ? Kinds[Name]
  : K extends keyof Kinds
    ? Kinds[K]
    : never;

const READERS: { [Name in keyof Kinds]: { words: string; read(value: Json): Kinds[Name] | undefined } } = {
  text: {
    words: "a text that is not empty",
    read: (value) => (typeof value === "string" && value.trim() !== "" ? value : undefined),
  },
  flag: { words: "true or false", read: (value) => (typeof value === "boolean" ? value : undefined) },
  images: {
    words:
      'a list of { "mime_type": "image/…", "data": base64 }, each a PNG, JPEG, GIF or WebP of less than 4 MB',
    read: (value) => {
      const images = Array.isArray(value) ? value.map(imageOf) : [undefined];
      return images.every((image) => image !== undefined) ? images : undefined;
    },
  },
};

/** The parameters, checked. Throws `invalid_params` that names the parameter; one that is not known is refused, since a mistyped one would act as if it were absent. */
export function readParams<Spec extends ParamSpec>(given: JsonObject, spec: Spec): Params<Spec> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(spec, name));
  if (unknown !== undefined) throw unknownParam(unknown, Object.keys(spec));
  const read: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(spec)) {
    const optional = kind.endsWith("?");
    const value = given[name];
    if (value === undefined || (value === null && optional)) {
      if (optional) continue;
      throw invalidParams(`"${name}" is missing`, `It is ${READERS[kind as keyof Kinds].words}.`);
    }
    const { words, read: reader } = READERS[(optional ? kind.slice(0, -1) : kind) as keyof Kinds];
    const understood = reader(value);
    if (understood === undefined) throw invalidParams(`"${name}" must be ${words}`);
    read[name] = understood;
  }
  return read as Params<Spec>;
}

function unknownParam(name: string, known: readonly string[]) {
  const near = nearNames(name, known);
  const all = known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
  return invalidParams(
    `there is no parameter ${JSON.stringify(name.slice(0, 100))}`,
    near.length === 0 ? all : `Did you mean ${near.join(" or ")}?`,
  );
}

function imageOf(value: Json): ImagePart | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { mime_type: mimeType, data } = value;
  if (typeof mimeType !== "string" || !/^image\/[\w.+-]+$/.test(mimeType)) return undefined;
  if (typeof data !== "string") return undefined;
  const found = sendableImage({ type: "image", mimeType, data });
  return "image" in found ? found.image : undefined;
}
