import type { Clock } from "#lib/clock.ts"
import type { Endpoint } from "../nodes/endpoint.ts"

/**
 * The servers that have taken our last transaction a moment ago: the first look after its sending
 * does not ask them whether they have its bytes.
 */
export type TakenBytes = {
  readonly note: (txid: string, servers: readonly Endpoint[]) => void
  /** Once for each server and sending. */
  readonly use: (txid: string, server: Endpoint) => boolean
}

export function createTakenBytes({ now }: Pick<Clock, "now">): TakenBytes {
  let last: Taken | null = null
  return {
    note: (txid, servers) => {
      last = { txid, atMs: now(), servers: new Set(servers) }
    },
    use: (txid, server) =>
      last?.txid === txid && last.servers.delete(server) && Math.abs(now() - last.atMs) < TAKEN_MS,
  }
}

type Taken = {
  readonly txid: string
  readonly atMs: number
  readonly servers: Set<Endpoint>
}

/** A server drops bytes for their fee later, if it does. */
const TAKEN_MS = 2_000
