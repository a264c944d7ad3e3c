import { LoginStore } from "../../login/store/login-store.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";

/** The kept logins of a user. */
export function loginStore(
  home: HomeFolders,
  environment: Readonly<Record<string, string | undefined>>,
): LoginStore {
  return new LoginStore(home.logins, async () => {
    const { openKeychain } = await import("../../login/store/keychain.ts");
    const processes = createProcessRegistry({ environment, ownerId: newId(), clock: systemClock });
    const keychain = openKeychain(processes);
    const then = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } finally {
        await processes.endAll();
      }
    };
    return {
      read: (provider) => then(keychain.read(provider)),
      write: (provider, secret) => then(keychain.write(provider, secret)),
      remove: (provider) => then(keychain.remove(provider)),
    };
  });
}
