import { Socket } from "node:net"
import { AppError } from "#lib/app-error.ts"

/**
 * Takes the means of reaching out away from this process: every outgoing connection, except to a
 * `host:port` of `open`, and every `fetch` throws `signer.network` (bug) from now on. The signer
 * only listens, unless a KMS holds a key. Libraries of the
 * chains could call out by mistake; code that an attacker runs in this process could not be stopped
 * so, and for that a service manager takes the network away (docs/THREATS.md).
 */
export function closeNetwork(open: readonly string[]): void {
  const refuse = (): never => {
    throw new AppError({
      code: "signer.network",
      disposition: "bug",
      message: "The signer opens no connection",
    })
  }
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function connectIfOpen(this: Socket, ...args: unknown[]) {
    // CAST: each form of the call has its arguments, which go on unchanged.
    return open.includes(placeOf(args)) ? connect.apply(this, args as never) : refuse()
  }
  for (const name of ["fetch", "WebSocket", "EventSource"]) {
    Object.defineProperty(globalThis, name, { value: refuse, writable: false, configurable: false })
  }
}

/** `net` and `tls` give the options alone or as the first of a list. */
function placeOf([first]: readonly unknown[]): string {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== "object" || options === null) return ""
  const { host, port } = { host: "", port: "", ...options }
  return `${host}:${port}`
}
