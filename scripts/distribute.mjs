// `node scripts/distribute.mjs`: writes what is published into dist/release and dist/npm; see docs/distribution.md.
import { distribute } from "./distribute/distribute.mjs";

try {
  await distribute(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`distribute: ${error.message}\n`);
  process.exit(1);
}
