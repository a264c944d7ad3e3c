import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EmbedderError } from "../embedder-error.ts";

/** A tensor of ONNX Runtime, as far as it is used here. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** The common part of `onnxruntime-node` and `onnxruntime-web`. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(model: Uint8Array | string): Promise<InferenceSession> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
  readonly env: { readonly wasm?: { numThreads?: number } };
}

/** The native one is several times faster. */
const PACKAGES = ["onnxruntime-node", "onnxruntime-web"] as const;

/**
 * The runtime the user installed: looked for from each folder upwards, as Node looks for packages. It is no dependency of this package,
 * because it weighs 140 to 290 MB. Rejects with an EmbedderError that says how to install it in the first folder.
 */
export async function loadOnnxRuntime(folders: readonly string[]): Promise<OnnxRuntime> {
  const broken: string[] = [];
  for (const name of PACKAGES)
    for (const folder of folders) {
      const path = resolveFrom(folder, name);
      if (path === undefined) continue;
      try {
        return prepared(await import(pathToFileURL(path).href));
      } catch {
        // Installed without its native part, or for another platform: the next one may do.
        broken.push(path);
      }
    }
  const install = `install it: npm install --prefix "${folders[0] ?? "."}" onnxruntime-node`;
  throw broken.length > 0
    ? new EmbedderError(
        "no_runtime",
        `ONNX Runtime at ${broken.join(", ")} cannot be loaded here`,
        `${install} (or onnxruntime-web)`,
      )
    : new EmbedderError(
        "no_runtime",
        "a local embedding model needs ONNX Runtime, and it is not installed",
        `${install} (or onnxruntime-web)`,
      );
}

function resolveFrom(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(folder, "package.json")).resolve(name);
  } catch {
    return undefined;
  }
}

function prepared(module: unknown): OnnxRuntime {
  const { default: inner, ...outer } = module as OnnxRuntime & { readonly default?: OnnxRuntime };
  const runtime = "InferenceSession" in outer ? (outer as OnnxRuntime) : inner;
  if (runtime === undefined || !("InferenceSession" in runtime)) throw new TypeError("no ONNX Runtime");
  // Threads of WebAssembly are workers that outlive the work.
  if (runtime.env.wasm !== undefined) runtime.env.wasm.numThreads = 1;
  return runtime;
}
