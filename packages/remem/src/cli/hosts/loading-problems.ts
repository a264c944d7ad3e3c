import type { Handshake } from "../../hosts/shared/handshake.ts";
import type { HostProblem } from "./host-registration.ts";

/** What is wrong with how a host that this package is registered with has loaded it last. `silent`: where to look when it never does. */
export function loadingProblems(
  host: { readonly title: string; readonly silent: string },
  loaded: Handshake | null,
  version: string,
): HostProblem[] {
  const { title, silent } = host;
  if (loaded === null)
    return [
      {
        found: `registered, but ${title} has never loaded it`,
        hint: `start ${title} once; if this stays, ${silent}`,
      },
    ];
  if (loaded.adapterVersion === version) return [];
  return [
    {
      found: `${title} has loaded version ${loaded.adapterVersion}, and this is ${version}`,
      hint: `start ${title} anew; if this stays, bring the copy that it loads up to date`,
    },
  ];
}
