/**
 * The plugin for the hooks of the published OpenCode. Loading this file does nothing: both of the host's loaders import it. `setup`
 * is for a host that has the newer hooks, and does nothing in one that has not.
 */

import { server } from "./v1-server.ts";
import { setup } from "./v2-setup.ts";

export default { id: "agentic-remem", server, setup };
