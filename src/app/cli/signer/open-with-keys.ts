import type { CommandContext } from "../define-command.ts"
import { openConfig } from "../open/open-config.ts"
import { type PasswordChoice, providePassword } from "./provide-password.ts"

/**
 * Opens the configuration with its keys, for a command that needs no daemon. It asks for the
 * password of a keystore as `run` does.
 */
export async function openWithKeys(
  context: CommandContext,
  choice: PasswordChoice,
): Promise<ReturnType<typeof openConfig>> {
  await providePassword(context, choice)
  return openConfig(context)
}
