import { Socket } from "node:net"
import { AppError } from "#lib/app-error.ts"

/**
 * Takes the means of reaching out away from this process: every outgoing connection and every
 * `fetch` throws `signer.network` (bug) from now on. The signer only listens. Libraries of the
 * chains could call out by mistake; code that an attacker runs in this process could not be stopped
 * so, and for that a service manager takes the network away (docs/THREATS.md).
 */
export function closeNetwork(): void {
  const refuse = (): never => {
    throw new AppError({
      code: "signer.network",
      disposition: "bug",
      message: "The signer opens no connection",
    })
  }
  Socket.prototype.connect = refuse
  for (const name of ["fetch", "WebSocket", "EventSource"]) {
    Object.defineProperty(globalThis, name, { value: refuse, writable: false, configurable: false })
  }
}
