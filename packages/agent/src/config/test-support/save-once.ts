import { saveConfig } from "../save.ts";

const [file, role] = process.argv.slice(2);
await saveConfig(file!, [{ path: ["roles", role!, "model"], value: `model-of-${role}` }]);
