import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"

test("no command uses a ./ballast.yaml that other users can change, unless it is named", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "ballast-foreign-"))
  const file = join(cwd, "ballast.yaml")
  writeFileSync(file, "chains: {}\n")
  chmodSync(file, 0o666)
  const commands = ["check", "wallet", "balances", "doctor", "recover", "rescue --all out"]
  for (const command of commands) {
    const { code, stdout, stderr } = await runBallast(command.split(" "), { cwd })
    expect({ command, code }).not.toEqual({ command, code: 0 })
    expect(`${stdout}${stderr}`, command).toContain("other users can change the configuration file")
  }
  const named = await runBallast(["check", "--config", file], { cwd })
  expect(`${named.stdout}${named.stderr}`).not.toContain("[config.file_open]")
})
