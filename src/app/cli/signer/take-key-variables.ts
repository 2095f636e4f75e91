import type { Config } from "#config/config.ts"
import { PASSWORD_VARIABLE } from "#config/secrets/secrets.ts"

/**
 * Takes the variables that `env:` references of keys name, and the password of keystores, out of
 * the environment, and returns them. Later code of this process, and its children, do not find them
 * there. The operating system still shows the environment with which the process started.
 */
export function takeKeyVariables(
  { chains }: Pick<Config, "chains">,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const references = chains.map(({ key }) => key.reference)
  const names = references.flatMap((reference) =>
    reference.startsWith("env:") ? [reference.slice(4)] : [],
  )
  const hasKeystore = references.some((reference) => reference.startsWith("keystore:"))
  const taken: Record<string, string> = {}
  for (const name of new Set([...names, ...(hasKeystore ? [PASSWORD_VARIABLE] : [])])) {
    const value = env[name]
    if (value === undefined) continue
    taken[name] = value
    delete env[name]
  }
  return taken
}
