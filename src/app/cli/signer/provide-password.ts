import { existsSync } from "node:fs"
import { PASSWORD_VARIABLE } from "#config/secrets/secrets.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import type { CommandContext } from "../define-command.ts"
import { prepareFile } from "../open/find-config-file.ts"
import { readLine } from "../wallet/read-line.ts"

export type PasswordChoice = { readonly passwordStdin: boolean }

type Asked = {
  readonly ask: (question: string) => Promise<string>
  readonly terminal: boolean
}

/**
 * Asks for the password of keystores where neither the environment nor `.env` has one: a line of
 * standard input if the option says so, else a question on a terminal. It goes into this process's
 * own copy of the environment, and never into that of a child. Elsewhere the lookup of the key
 * throws `config.keystore_locked`.
 */
export async function providePassword(
  context: Pick<CommandContext, "config" | "sandbox" | "env">,
  choice: PasswordChoice,
  asked: Asked = HERE,
): Promise<void> {
  const file = prepareFile(context)
  if (choice.passwordStdin || namesKeystore(file)) await askPassword(context.env, choice, asked)
}

/** The same for a keystore that no configuration names yet. */
export async function askPassword(
  env: NodeJS.ProcessEnv,
  { passwordStdin }: PasswordChoice,
  { ask, terminal }: Asked = HERE,
): Promise<void> {
  if (!passwordStdin && (env[PASSWORD_VARIABLE] !== undefined || !terminal)) return
  env[PASSWORD_VARIABLE] = await ask("Password of the keystore")
}

const HERE: Asked = { ask: readLine, terminal: process.stdin.isTTY === true }

/** Outside of comments. */
function namesKeystore(file: string): boolean {
  return existsSync(file) && /^[^#\n]*\bkeystore:[^\s]/m.test(readUserFile(file).toString("utf8"))
}
