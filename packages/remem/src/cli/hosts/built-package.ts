import { realpathSync } from "node:fs";
import { CliError } from "../cli-error.ts";
import type { HostRegistration, HostWorld } from "./host-registration.ts";
import { builtExtension } from "./package-folder.ts";

/** What is typed in a checkout to make the extensions of all hosts. */
export const BUILD_HOSTS = "npm run build hosts";

/** The folder of this package, with what a host loads built in it. Throws a CliError that says what to do. */
export function builtPackage(
  { packageFolder: folder }: HostWorld,
  host: Pick<HostRegistration, "name" | "title">,
  /** What the host calls it, and its file in `dist/hosts/`. */
  loaded: { readonly what: "extension" | "plugin"; readonly file: string },
): string {
  const what = `${loaded.what} for ${host.title}`;
  if (folder === undefined)
    throw new CliError(
      "no_package",
      `this executable has no ${what} beside it: nothing was changed`,
      `run remem init --${host.name} from the package agentic-remem, or from a checkout`,
    );
  if (builtExtension(folder, loaded.file) === undefined)
    throw new CliError(
      "not_built",
      `the ${what} is not built in ${folder}: nothing was changed`,
      `in the checkout: ${BUILD_HOSTS}`,
    );
  return realpathSync(folder);
}
