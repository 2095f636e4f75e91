import { closeSync, readFileSync } from "node:fs"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"

/**
 * Names the descriptor on which the daemon passes the values of `env:` references to the signer.
 */
export const SECRETS_FD = "BALLAST_SIGNER_SECRETS_FD"

/**
 * Reads the values that the daemon passed on, and closes the pipe. They are in no argument and in
 * no environment of this process. Throws `signer.secrets` (fatal).
 */
export function readInheritedSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const descriptor = env[SECRETS_FD]
  if (descriptor === undefined) return {}
  try {
    const text = readFileSync(Number(descriptor), "utf8")
    closeSync(Number(descriptor))
    return z.record(z.string(), z.string()).parse(JSON.parse(text))
  } catch {
    // The error of the parser could quote a value.
    throw new AppError({
      code: "signer.secrets",
      disposition: "fatal",
      message:
        "the signer cannot read the secrets that the daemon passes on; start it with " +
        "`ballast run`, or without them",
    })
  }
}
