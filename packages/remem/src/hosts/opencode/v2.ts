/** The plugin for hosts with the newer hooks (OpenCode 2). Loading this file does nothing. */
import { setup } from "./v2-setup.ts";

export default { id: "agentic-remem", setup };
