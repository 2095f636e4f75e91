import { request } from "undici"

/**
 * Seconds between blocks of the node itself, which stand for "blocks come at the chain's own pace":
 * this process then makes them.
 */
const OWN_PACE = 3_600
/**
 * Anvil keeps 1 500 states when its own interval is shorter, whatever `--prune-history` says
 * (InMemoryBlockStates in its sources).
 */
const LEAST_INTERVAL_SECONDS = 3
const TIMEOUT_MS = 5_000

/** The interval that anvil gets for a chain with a block every so many seconds. */
export function intervalFor(blockTimeSeconds: number): number {
  return blockTimeSeconds < LEAST_INTERVAL_SECONDS ? OWN_PACE : blockTimeSeconds
}

/**
 * Makes a block every `blockTimeSeconds` while the interval of the node is `OWN_PACE`, until the
 * returned function is called. A node that does not answer gets no second call before the first one
 * ended, so that it makes no burst of blocks later.
 */
export function makeBlocks(url: string, blockTimeSeconds: number): () => void {
  if (intervalFor(blockTimeSeconds) !== OWN_PACE) return () => undefined
  let isBusy = false
  const tick = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      if ((await askAnvil(url, "anvil_getIntervalMining")) === OWN_PACE)
        await askAnvil(url, "evm_mine")
    } catch {
      // The node is frozen or dead, which its watchers report.
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void tick(), blockTimeSeconds * 1_000)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Without a try again, so that no block is made twice. Throws if the node gives no answer in time.
 */
export async function askAnvil(url: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] })
  const times = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS }
  const answer = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    ...times,
  })
  // CAST: the caller compares the only field that is read.
  return ((await answer.body.json()) as { result?: unknown }).result
}
