// The platforms that executables are made for. One row each; everything else is derived.
import { existsSync } from "node:fs";

/**
 * `os` and `cpu` are Node's names, `bun` and `ripgrep` the npm packages that hold these programs for the platform. A platform's name is the
 * end of its npm package (`pi-ts-linux-x64`) and of its archive.
 */
export const PLATFORMS = [
  { name: "linux-x64", os: "linux", cpu: "x64", libc: "glibc", bun: "bun-linux-x64" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", libc: "glibc", bun: "bun-linux-aarch64" },
  { name: "darwin-x64", os: "darwin", cpu: "x64", bun: "bun-darwin-x64" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64", bun: "bun-darwin-aarch64" },
  { name: "win32-x64", os: "win32", cpu: "x64", bun: "bun-windows-x64" },
].map((row) => ({
  ...row,
  suffix: row.os === "win32" ? ".exe" : "",
  ripgrep: `@vscode/ripgrep-${row.os}-${row.cpu}`,
}));

/** The platform of this process; undefined where there is none for it. Alpine's libc is another than the executables are made for. */
export function thisPlatform() {
  if (process.platform === "linux" && existsSync("/etc/alpine-release")) return undefined;
  return PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
}

/** The platform with a name; throws an Error that lists the names. */
export function platformNamed(name) {
  const found = PLATFORMS.find((platform) => platform.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `no platform is named ${JSON.stringify(name)}; there are ${PLATFORMS.map((platform) => platform.name).join(", ")}`,
  );
}
