import { createServer, type Server } from "node:http"
import { z } from "zod"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import { createRpcClient } from "#nodes/rpc-client.ts"
import { listen } from "../../../support/listen.ts"
import { SLOWNESS } from "../../../support/slowness.ts"

export type Call = {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}
type Sent = Call | readonly Call[]

const servers: Server[] = []

/** Also ends the requests that are under way. */
export function stopServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

export function echo({ id, method, params }: Call): object {
  return { jsonrpc: "2.0", id, result: `${method} ${String(params[0])}` }
}

export function sizeOf(body: Sent): number {
  return Array.isArray(body) ? body.length : 1
}

/** Waits no time, and tells when it would. */
export function jumpingClock(onSleep: () => void): Clock {
  let nowMs = 0
  return {
    ...systemClock,
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
      onSleep()
    },
  }
}

/** `answer` gives `null` for HTTP 413, and `{ status }` for another status. */
export async function openRpc(answer: (body: Sent) => unknown, clock = systemClock) {
  const sent: Sent[] = []
  const started = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    // CAST: requests come from our own client.
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Sent
    sent.push(body)
    const found = answer(body)
    const status = z.object({ status: z.number() }).safeParse(found).data?.status ?? 200
    response.writeHead(found === null ? 413 : status).end(JSON.stringify(found ?? {}))
  })
  servers.push(started)
  const { url: address } = await listen(started)
  const timeoutMs = 5_000 * SLOWNESS
  const pace = createPaces(clock)(address, timeoutMs)
  const shared = { address, dialect: evmDialect, timeoutMs, clock, pace }
  const { read, advise, write } = createRpcClient({ ...shared, batches: true })
  return { read, advise, write, sent }
}
