import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { ChainPort } from "#ports/chain.ts"

/** Longer than any read of an honest node. */
const READ_WAIT_MS = 30_000

/**
 * The port with reads that end. The rounds of one order follow one another, so a node that never
 * answers would keep the order from each later step. Throws `read.late` (transient).
 */
export function withBoundedReads(port: ChainPort, clock: Clock): ChainPort {
  const inTime = <T>(read: Promise<T>): Promise<T> => endInTime(clock, port.chain, read)
  return {
    ...port,
    observeLeg: (...query) => inTime(port.observeLeg(...query)),
    observeTransaction: (...ours) => inTime(port.observeTransaction(...ours)),
    fetchHeight: () => inTime(port.fetchHeight()),
  }
}

async function endInTime<T>(clock: Clock, chain: string, read: Promise<T>): Promise<T> {
  const answered = new AbortController()
  const late = clock.sleep(READ_WAIT_MS, answered.signal).then(() => null)
  try {
    const first = await Promise.race([read.then((value) => ({ value })), late])
    if (first !== null) return first.value
    throw new AppError({
      code: "read.late",
      disposition: "transient",
      message: `No node of ${chain} answered within ${READ_WAIT_MS / 1_000} s`,
      details: { chain },
    })
  } finally {
    answered.abort("answered")
  }
}
