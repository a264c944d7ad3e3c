import { expect, test } from "bun:test";
import { join } from "node:path";
import { runProcess } from "@pi-ts/testkit";

test.if(process.platform === "linux")(
  "secrets are gone from /proc/self/environ and stay in process.env; other variables stay in both [B08]",
  async () => {
    const script = `
      const { blankSecretsInProc } = await import(${JSON.stringify(join(import.meta.dir, "blank-secrets.ts"))});
      blankSecretsInProc();
      const shown = require("node:fs").readFileSync("/proc/self/environ", "utf8");
      console.log(JSON.stringify([shown.split("\\0").filter((entry) => /^(KEPT|SOME)/.test(entry)), process.env.SOME_API_KEY]));`;
    const result = await runProcess([process.execPath, "--no-env-file", "-e", script], {
      env: { PATH: process.env["PATH"] ?? "", SOME_API_KEY: "ke=y-123", SOME_TOKEN: "", KEPT: "a=b" },
    });
    expect(result.stderr).toBe("");
    expect(JSON.parse(result.stdout)).toEqual([
      expect.arrayContaining(["KEPT=a=b", "SOME_API_KEY=********", "SOME_TOKEN="]),
      "ke=y-123",
    ]);
  },
);
