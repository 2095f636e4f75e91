import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { decodeKeystore } from "./keystore.ts"

/** Turns `env:NAME`, `file:PATH` or `keystore:PATH` into the secret. Throws `config.secret` (fatal); its message never has the value. */
export type SecretLookup = (reference: string) => Secret

/** The process environment, as an argument. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The lookup of a real start. Relative paths start at `directory`, the folder of the configuration file. The lookup drops white space
 * around a value, because files end in a newline. A keystore's password is `BALLAST_KEYSTORE_PASSWORD`.
 */
export function createSecretLookup(env: Environment, directory: string): SecretLookup {
  return (reference) => {
    const colon = reference.indexOf(":")
    const rest = reference.slice(colon + 1)
    const value = read(reference.slice(0, colon), rest, env, directory).trim()
    if (value === "") throw secretError(`${reference} is empty; put the secret there`)
    return new Secret(value, reference)
  }
}

function read(scheme: string, rest: string, env: Environment, directory: string): string {
  if (scheme === "env") return readEnvironment(env, rest, "set it, or write it into the file .env")
  const text = readFile(resolve(directory, rest), `${scheme}:${rest}`)
  if (scheme === "file") return text
  const password = readEnvironment(env, "BALLAST_KEYSTORE_PASSWORD", `set it: it opens keystore:${rest}`)
  return decodeKeystore(text, password)
}

function readEnvironment(env: Environment, name: string, why: string): string {
  // The message shows only a plausible name: people write `env:` and then the key itself by mistake.
  const shown = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/.test(name) && !/^[0-9a-fA-F]{32,}$/.test(name) ? name : "(not shown)"
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value === undefined) throw secretError(`the environment variable ${shown} is not set; ${why}`)
  return value
}

function readFile(path: string, reference: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    const shown = reference.length <= 120 ? reference : "the file"
    throw secretError(`${shown} cannot be read (${code}); check the path and its permissions`)
  }
}

function secretError(message: string): AppError {
  return new AppError({ code: "config.secret", disposition: "fatal", message })
}
