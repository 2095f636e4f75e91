import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { Path, Report } from "#schema/problem.ts"
import { entriesAt, textAt } from "#schema/read-path.ts"
import type { SecretLookup } from "./secrets.ts"

/** Which secrets a process looks up. The others stay empty. */
export type SecretChoice = "all" | "without_keys" | "only_keys"

/** Looks up each chosen secret reference of the file once, and reports the ones that fail. The result is keyed by reference. */
export function resolveSecrets(
  root: unknown,
  lookup: SecretLookup,
  report: Report,
  choice: SecretChoice = "all",
): ReadonlyMap<string, Secret> {
  const found = new Map<string, Secret>()
  const [keys, others] = [keyPaths(root), otherPaths(root)]
  const wanted = { all: [...keys, ...others], without_keys: others, only_keys: keys }[choice]
  for (const path of wanted) {
    const reference = referenceAt(root, path)
    if (reference === null || found.has(reference)) continue
    const secret = findSecret(reference, lookup)
    if (typeof secret === "string") report(path, secret)
    else found.set(reference, secret)
  }
  for (const path of [...keys, ...others]) {
    const reference = referenceAt(root, path)
    if (choice !== "all" && reference !== null && !found.has(reference)) found.set(reference, new Secret("", reference))
  }
  return found
}

function referenceAt(root: unknown, path: Path): string | null {
  const reference = textAt(root, path)
  return reference !== null && /^(env|file|keystore|credential):./.test(reference) ? reference : null
}

function keyPaths(root: unknown): readonly Path[] {
  return entriesAt(root, ["chains"]).map(([name]) => ["chains", name, "key"])
}

function otherPaths(root: unknown): readonly Path[] {
  const services = entriesAt(root, ["services"]).map(([name]) => ["services", name, "app_id"])
  return [["ops", "token"], ["service", "app_id"], ...services]
}

function findSecret(reference: string, lookup: SecretLookup): Secret | string {
  try {
    return lookup(reference)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "fatal") return error.message
    throw error
  }
}
