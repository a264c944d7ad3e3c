import { createScreen } from "../create-screen.ts";

const { text } = await createScreen().screen(process.argv[2] ?? "");
process.stdout.write(text);
