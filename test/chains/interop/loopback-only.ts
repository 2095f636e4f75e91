import { Socket } from "node:net"

/**
 * From now on this process connects to loopback only: any other connection fails, and its host is
 * remembered.
 *
 * The published client knows public hosts. A step of the client that asks one of them would test
 * that host instead of the sandbox.
 */
export function allowLoopbackOnly(): LoopbackGuard {
  const refused: string[] = []
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const host = hostOf(args)
    if (host !== null && !LOOPBACK.test(host)) {
      refused.push(host)
      throw new Error(`a test connects to loopback only, not to ${host}`)
    }
    return Reflect.apply(connect, this, args)
  }
  return {
    refused: () => [...refused],
    lift: () => {
      Socket.prototype.connect = connect
    },
  }
}

export type LoopbackGuard = {
  /** The hosts that something in this process tried to reach. */
  readonly refused: () => readonly string[]
  readonly lift: () => void
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/**
 * `connect` takes options, a port with a host, or the normalised list `[options, callback]` of node
 * itself; a path has no host.
 */
function hostOf([first, second]: readonly unknown[]): string | null {
  if (Array.isArray(first)) return hostOf(first)
  if (typeof first === "object" && first !== null) {
    if ("path" in first && typeof first.path === "string") return null
    return "host" in first && typeof first.host === "string" ? first.host : "localhost"
  }
  return typeof second === "string" ? second : "localhost"
}
