import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import type { Path, Report } from "#schema/problem.ts"
import { entriesAt, textAt } from "#schema/read-path.ts"
import type { SecretLookup } from "./secrets.ts"

/** Looks up each secret reference of the file once, and reports the ones that fail. The result is keyed by reference. */
export function resolveSecrets(root: unknown, lookup: SecretLookup, report: Report): ReadonlyMap<string, Secret> {
  const found = new Map<string, Secret>()
  for (const path of secretPaths(root)) {
    const reference = textAt(root, path)
    if (reference === null || !/^(env|file|keystore):./.test(reference) || found.has(reference)) continue
    const secret = findSecret(reference, lookup)
    if (typeof secret === "string") report(path, secret)
    else found.set(reference, secret)
  }
  return found
}

function secretPaths(root: unknown): readonly Path[] {
  const keys = entriesAt(root, ["chains"]).map(([name]) => ["chains", name, "key"])
  const services = entriesAt(root, ["services"]).map(([name]) => ["services", name, "app_id"])
  return [...keys, ["ops", "token"], ["service", "app_id"], ...services]
}

function findSecret(reference: string, lookup: SecretLookup): Secret | string {
  try {
    return lookup(reference)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "fatal") return error.message
    throw error
  }
}
