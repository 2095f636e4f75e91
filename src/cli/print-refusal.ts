import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "./main.ts"

/** Prints the daemon's reasons for a "no", and gives the exit code for it. */
export function printRefusal(invocation: Invocation, body: unknown): number {
  // CAST: our own interface: refusals carry {reasons: [{code, message}]}.
  const { reasons = [] } = body as { reasons?: { code: string; message: string }[] }
  if (invocation.json) invocation.print(plainJson({ reasons }, 2))
  else for (const { code, message } of reasons) process.stderr.write(`refused: ${message} [${code}]\n`)
  return EXIT.refused
}
