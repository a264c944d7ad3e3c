import manifest from "../../package.json" with { type: "json" };

/** The build puts it in: commit and date, or `unknown`. */
declare const PI_BUILD_STAMP: string;

/** The version of this build. */
export const VERSION: string = manifest.version;

/** Where this build comes from, such as `0123456789ab of 2026-11-30`; `unknown` without git, `from source` where nothing was built. */
export const BUILD: string = typeof PI_BUILD_STAMP === "string" ? PI_BUILD_STAMP : "from source";

/** What `pi --version --debug` prints. */
export function versionDetails(): string {
  return `${VERSION}\nbuild ${BUILD}\nBun ${Bun.version}, ${process.platform}-${process.arch}\n`;
}
