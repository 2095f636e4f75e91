import { existsSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "#lib/app-error.ts"

const SANDBOX = join(import.meta.dirname, "..", "..", "..", "lab", "sandbox")

/** The packages for servers leave the sandbox out. Throws `cli.no_sandbox` (refused) there. */
export function requireSandbox(): void {
  if (existsSync(SANDBOX)) return
  const message =
    "this installation is one for servers, without the sandbox. The npm package and a checkout " +
    "have it (docs/RUN.md, Install)"
  throw new AppError({ code: "cli.no_sandbox", disposition: "refused", message })
}
