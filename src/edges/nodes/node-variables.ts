import { AppError } from "#lib/app-error.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Throws `config.environment` (fatal) for variables of Node that would take away a protection, or
 * that Node drops with a line on standard error. `isPlay`: with keys that are public anyway.
 */
export function refuseNodeVariables(env: Environment, isPlay: boolean): void {
  const authorities = env["NODE_EXTRA_CA_CERTS"] ?? ""
  if (authorities !== "") refuseAuthorities(authorities)
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    throw refuse(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates, so anyone on the way " +
        "can answer as a node or a service; remove it, and name an authority of your own in " +
        "NODE_EXTRA_CA_CERTS",
    )
  if (!isPlay && /(^|\s)--inspect(?!-port)/.test(env["NODE_OPTIONS"] ?? ""))
    throw refuse(
      "NODE_OPTIONS has --inspect, which opens a debugger that can read the keys; remove it",
    )
}

/** Node drops a file that it cannot read, and then the servers behind it seem to be forged. */
function refuseAuthorities(path: string): void {
  const found = readAuthorities(path)
  if (found === null) return
  throw refuse(`NODE_EXTRA_CA_CERTS names ${path}, which ${found}; correct the path, or remove it`)
}

function readAuthorities(path: string): string | null {
  try {
    const text = readUserFile(path).toString("latin1")
    return text.includes("-----BEGIN CERTIFICATE-----") ? null : "has no certificate in PEM"
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    return `cannot be read (${code})`
  }
}

function refuse(message: string): AppError {
  return new AppError({ code: "config.environment", disposition: "fatal", message })
}
