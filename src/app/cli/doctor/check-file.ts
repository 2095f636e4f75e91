import { statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { PlacedFinding } from "#config/judge/finding.ts"
import { summariseFindings } from "#config/judge/summarise-findings.ts"
import { findOpenFile } from "#daemon/start/private-files.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/** The findings of `check`, in its words: equal ones are one diagnosis with all their lines. */
export function showFindings(findings: readonly PlacedFinding[]): Diagnosis[] {
  return summariseFindings(findings).map(
    ({ code, severity, where, who, sentence, step, explain }) => {
      const found = `${where}: ${who}: ${sentence}`
      return { ...(severity === "warn" ? doubtful : broken)(code, found, step), explain }
    },
  )
}

/**
 * A writer of the configuration can send the money elsewhere, by the name of another service or
 * another HTLC.
 */
export function checkConfigFile(file: string, uid: number | null): Diagnosis[] {
  const path = resolve(file)
  const [open] = findOpenFile(path)
  const itself = open === undefined ? healthyFile(path) : broken(open.code, open.found, open.todo)
  return [itself, checkFolder(dirname(path), uid)]
}

function checkFolder(folder: string, uid: number | null): Diagnosis {
  const { mode, uid: owner } = statSync(folder)
  const isSticky = (mode & 0o1000) !== 0
  if ((mode & 0o022) !== 0 && !isSticky) {
    const found = `${folder} (${octal(mode)}) can be changed by other users`
    return broken("config.file_writable", found, `chmod go-w ${folder}`)
  }
  if (uid === null || owner === uid || owner === 0) return healthyFile(folder)
  const todo = "Give the file and its folder to the user that runs the daemon."
  return doubtful(
    "config.file_writable",
    `${folder} (${octal(mode)}) belongs to user ${owner}, not to ${uid}`,
    todo,
  )
}

function healthyFile(path: string): Diagnosis {
  return healthy(
    "configuration file",
    `${path} (${octal(statSync(path).mode)}): only its owner can change it`,
  )
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}
