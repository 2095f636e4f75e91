import { join, resolve } from "node:path"
import { isKmsName, parseKmsName, withCredentials } from "#kms/parse-kms-name.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import { findForeign } from "#lib/foreign-file.ts"
import { Secret } from "#lib/secret.ts"
import { parseTokenUri, withPinSource } from "#pkcs11/parse-token-uri.ts"
import { decodeKeystore } from "./keystore.ts"
import { isPlayKey } from "./play-keys.ts"

/**
 * Turns `env:NAME`, `file:PATH`, `keystore:PATH`, `credential:NAME`, a `pkcs11:` URI or the name of
 * a key in a KMS into the secret. Throws `config.secret`, `config.keystore` and
 * `config.keystore_locked` (fatal); no message has the value.
 */
export type SecretLookup = (reference: string) => Secret

/** The process environment, as an argument. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The lookup of a real start. Relative paths start at `directory`, the folder of the configuration
 * file. The lookup drops white space around a value, because files end in a newline. A keystore's
 * password is `BALLAST_KEYSTORE_PASSWORD`, which may be a reference of another kind;
 * `keystore:PATH#2` takes the third account of a mnemonic. `credential:NAME` is a file that systemd
 * provides for the service alone (systemd.exec, `LoadCredential`).
 */
export function createSecretLookup(env: Environment, directory: string): SecretLookup {
  return (reference) => {
    const colon = reference.indexOf(":")
    const rest = reference.slice(colon + 1)
    const scheme = reference.slice(0, colon)
    const value = read(scheme, rest, env, directory).trim()
    if (value === "") throw secretError(`${reference} is empty; put the secret there`)
    const secret = new Secret(value, reference)
    refuseForeign(scheme, rest, directory, secret)
    return secret
  }
}

/** Another user could choose the key that gets the money. A sandbox's key is public anyway. */
function refuseForeign(scheme: string, rest: string, directory: string, secret: Secret): void {
  if (scheme !== "file" && scheme !== "keystore") return
  const path = resolve(directory, scheme === "file" ? rest : rest.replace(/#\d{1,6}$/, ""))
  if (!isPlayKey(secret)) refuseForeignFile(path, `${scheme}:${rest}`)
}

function refuseForeignFile(path: string, what: string): void {
  const foreign = findForeign(path, what)
  if (foreign !== null) throw secretError(`${foreign.found}: ${foreign.todo}`)
}

function read(scheme: string, rest: string, env: Environment, directory: string): string {
  if (scheme === "env") return readEnvironment(env, rest, "set it, or write it into the file .env")
  if (scheme === "file") return readFile(resolve(directory, rest), `file:${rest}`)
  if (scheme === "credential") return readCredential(env, rest)
  if (scheme === "pkcs11") return placePin(`pkcs11:${rest}`, env, directory)
  if (isKmsName(`${scheme}:`)) return placeCredentials(`${scheme}:${rest}`, env, directory)
  const [, path = rest, index = "0"] = /^(.*?)(?:#(\d{1,6}))?$/s.exec(rest) ?? []
  const text = readFile(resolve(directory, path), `keystore:${path}`)
  return decodeKeystore(text, readPassword(env, rest, directory), Number(index))
}

/**
 * A token keeps its key, so the value is the URI itself, with the absolute path of the PIN's file.
 * Only the signer process reads that file. A credential stays as it is in a process without
 * credentials.
 */
function placePin(uri: string, env: Environment, directory: string): string {
  const parsed = parseTokenUri(uri)
  if (typeof parsed === "string") throw secretError(`the key's URI is wrong: ${parsed}`)
  const placed = placeFile(parsed.pinSource, env, directory)
  return placed === null ? uri : withPinSource(uri, placed)
}

/** The same for the name of a key in a KMS and the file of its credentials. */
function placeCredentials(name: string, env: Environment, directory: string): string {
  const parsed = parseKmsName(name)
  if (typeof parsed === "string") throw secretError(`the key's name is wrong: ${parsed}`)
  const placed = placeFile(parsed.credentials, env, directory)
  return placed === null ? name : withCredentials(name, placed)
}

/** `file:` with an absolute path; `null` where nothing has to change. */
function placeFile(source: string | null, env: Environment, directory: string): string | null {
  if (source?.startsWith("file:")) {
    const path = resolve(directory, source.slice(5))
    refuseForeignFile(path, source)
    return `file:${path}`
  }
  const folder = env["CREDENTIALS_DIRECTORY"]
  if (source === null || folder === undefined) return null
  return `file:${credentialPath(folder, source.slice("credential:".length))}`
}

/** The password itself, or `file:PATH` or `credential:NAME`. */
function readPassword(env: Environment, keystore: string, directory: string): string {
  const written = env[PASSWORD_VARIABLE]
  if (written === undefined) throw lockedError(keystore)
  const [, scheme, rest] = /^(file|credential):(.+)$/s.exec(written) ?? []
  if (scheme === undefined || rest === undefined) return written
  return read(scheme, rest, env, directory).replace(/\r?\n$/, "")
}

/**
 * The password of the environment, or `null` where none is set. Relative paths start at the working
 * directory.
 */
export function findKeystorePassword(env: Environment): string | null {
  return env[PASSWORD_VARIABLE] === undefined ? null : readPassword(env, "", process.cwd())
}

/** The environment variable with the password of every keystore. */
export const PASSWORD_VARIABLE = "BALLAST_KEYSTORE_PASSWORD"

/** The code of a keystore without a password: the file and the configuration may be right. */
export const KEYSTORE_LOCKED = "config.keystore_locked"

function lockedError(keystore: string): AppError {
  const message = [
    `keystore:${keystore} is locked, because no password was given: ${PASSWORD_VARIABLE} is ` +
      "not set.",
    "Set it to the password, to file:PATH or to credential:NAME; or add --password-stdin and " +
      "write the password",
    "to standard input. On a terminal the command asks for it",
  ].join(" ")
  return new AppError({ code: KEYSTORE_LOCKED, disposition: "fatal", message })
}

function readCredential(env: Environment, name: string): string {
  const folder = readEnvironment(
    env,
    "CREDENTIALS_DIRECTORY",
    "systemd sets it for a service with LoadCredential",
  )
  return readFile(credentialPath(folder, name), `credential:${name}`)
}

function credentialPath(folder: string, name: string): string {
  if (/^[A-Za-z0-9._-]{1,200}$/.test(name) && !name.startsWith(".")) return join(folder, name)
  throw secretError("a credential's name has letters, digits, dots, dashes and underscores")
}

function readEnvironment(env: Environment, name: string, why: string): string {
  // The message shows only a plausible name: people write `env:` and then the key itself by
  // mistake.
  const shown =
    /^[A-Za-z_][A-Za-z0-9_]{0,49}$/.test(name) && !/^[0-9a-fA-F]{32,}$/.test(name)
      ? name
      : "(not shown)"
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value === undefined) throw secretError(`the environment variable ${shown} is not set; ${why}`)
  return value
}

function readFile(path: string, reference: string): string {
  try {
    return readUserFile(path).toString("utf8")
  } catch (error) {
    // A long reference may be a secret that was written in the place of its path.
    const fault = reference.length <= 120 ? findEnvironmentFault(error, path) : null
    if (fault !== null) throw fault
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    const shown = reference.length <= 120 ? reference : "the file"
    const home = /:~/.test(reference)
      ? "; no shell reads this file, so write the home folder for ~"
      : ""
    throw secretError(
      `${shown} cannot be read (${code}); check the path and its permissions${home}`,
    )
  }
}

function secretError(message: string): AppError {
  return new AppError({ code: "config.secret", disposition: "fatal", message })
}
