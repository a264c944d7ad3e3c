/** An npm registry on loopback that has the packages it is given and no others. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package as `npm pack --json` tells of it, in a folder of tarballs. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** Its package.json. */
  readonly manifest: object;
}

export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
  /** Names of the tarballs that were fetched, in order. */
  readonly fetched: readonly string[];
}

/** Serves packages from a folder with their tarballs. Dispose of it with `await using`. */
export function npmRegistry(folder: string, packages: readonly PackedPackage[]): NpmRegistry {
  const fetched: string[] = [];
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request): Response => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      const tarball = packages.find(({ filename }) => path === `tarballs/${filename}`);
      if (tarball !== undefined) {
        fetched.push(tarball.name);
        return new Response(Bun.file(join(folder, tarball.filename)));
      }
      const found = packages.find(({ name }) => name === path);
      return found === undefined ? new Response("{}", { status: 404 }) : Response.json(packument(found));
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const packument = ({ name, version, filename, manifest }: PackedPackage): object => {
    const hash = createHash("sha512").update(readFileSync(join(folder, filename)));
    const dist = { tarball: `${url}tarballs/${filename}`, integrity: `sha512-${hash.digest("base64")}` };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  };
  return { url, fetched, [Symbol.asyncDispose]: () => server.stop(true) };
}
