import { statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { PlacedFinding } from "#config/judge/finding.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/** The findings of `check`, each with the line to change. */
export function showFindings(findings: readonly PlacedFinding[]): Diagnosis[] {
  return findings.map(({ code, severity, place, message, todo }) =>
    (severity === "warn" ? doubtful : broken)(code, `${place}: ${message}`, todo),
  )
}

/** Who can write the configuration can send the money elsewhere: they can name another service and another HTLC. */
export function checkConfigFile(file: string, uid: number | null): Diagnosis[] {
  const path = resolve(file)
  return [path, dirname(path)].map((one) => {
    const { mode, uid: owner } = statSync(one)
    const shown = `${one} (${(mode & 0o777).toString(8)})`
    const isSticky = (mode & 0o1000) !== 0
    if ((mode & 0o022) !== 0 && !isSticky) {
      return broken("config.file_writable", `${shown} can be changed by other users`, `chmod go-w ${one}`)
    }
    if (uid !== null && owner !== uid && owner !== 0) {
      const todo = "Give the file and its folder to the user that runs the daemon."
      return doubtful("config.file_writable", `${shown} belongs to user ${owner}, not to ${uid}`, todo)
    }
    return healthy("configuration file", `${shown}: only its owner can change it`)
  })
}
