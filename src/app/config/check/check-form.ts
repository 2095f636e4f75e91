import type { z } from "zod"
import { ADDRESS_EXPECTED } from "#schema/address.ts"
import { describeFound } from "#schema/describe-found.ts"
import { SECRET_PROBLEM } from "#schema/leaves.ts"
import type { Report } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import { type ConfigFile, configFileSchema } from "../schema/schema.ts"

/**
 * Checks the keys and the form of every value, and reports all problems. Returns `null` if there is
 * any.
 */
export function checkForm(root: unknown, report: Report): ConfigFile | null {
  const result = configFileSchema.safeParse(root)
  if (result.success) return result.data
  reportIssues(result.error, root, report)
  return null
}

export function reportIssues({ issues }: z.ZodError, root: unknown, report: Report): void {
  for (const issue of issues) reportIssue(issue, root, report)
}

function reportIssue(issue: z.core.$ZodIssue, root: unknown, report: Report): void {
  const path = issue.path.map((segment) =>
    typeof segment === "symbol" ? segment.toString() : segment,
  )
  if (issue.code === "unrecognized_keys") {
    const sentences = issue.message.split("\n")
    issue.keys.forEach((key, index) => {
      report([...path, key], sentences[index] ?? "unknown key", "key")
    })
    return
  }
  const value = readPath(root, path)
  if (issue.code === "invalid_union" && issue.message === ADDRESS_EXPECTED) {
    // The text or the map, whichever it is meant to be.
    const meant = issue.errors[typeof value === "object" && value !== null ? 1 : 0] ?? []
    for (const one of meant)
      reportIssue({ ...one, path: [...issue.path, ...one.path] }, root, report)
    return
  }
  // A value in place of a secret reference may be the secret itself, so no message shows it.
  const hidden = issue.message.startsWith(SECRET_PROBLEM) && value !== undefined && value !== null
  report(
    path,
    `${issue.message}, found ${hidden ? "something else (not shown)" : describeFound(value)}`,
  )
}
