import { existsSync, readFileSync } from "node:fs"
import { PASSWORD_VARIABLE } from "#config/secrets.ts"
import type { CommandContext } from "../define-command.ts"
import { findConfigFile } from "../find-config-file.ts"
import { readLine } from "../wallet/read-line.ts"

/**
 * Asks for the password of keystores where the environment has none: a line of standard input if the option says so, else a question on a
 * terminal. It goes into this process's own copy of the environment, and never into that of a child.
 */
export async function providePassword(context: CommandContext, { fromStdin }: { fromStdin: boolean }): Promise<void> {
  const { env } = context
  if (!fromStdin && (env[PASSWORD_VARIABLE] !== undefined || process.stdin.isTTY !== true)) return
  if (!fromStdin && !namesKeystore(findConfigFile(context))) return
  env[PASSWORD_VARIABLE] = await readLine("Password of the keystore")
}

function namesKeystore(file: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8").includes("keystore:")
}
