import { z } from "zod"
import type { Logger } from "#lib/log.ts"
import { createSerialQueue } from "../create-serial-queue.ts"
import type { BitcoinRpc } from "./bitcoin-rpc.ts"

/**
 * Mines blocks on demand, and one every `blockMs` even if the mempool is empty (0: only on demand).
 */
export function startMiner(options: {
  rpc: BitcoinRpc
  address: string
  blockMs: number
  log: Logger
}): Miner {
  const { rpc, log } = options
  const enqueue = createSerialQueue()
  const mine = (blocks: number, to: string): Promise<unknown> =>
    enqueue(() => rpc.call("generatetoaddress", [blocks, to], z.array(z.string())))
  let on = true
  let timer: NodeJS.Timeout | null = null
  const tick = async (): Promise<void> => {
    if (on)
      await mine(1, options.address).catch((error: unknown) =>
        log.warn({ err: error }, "no block was mined"),
      )
    if (timer !== null) timer = setTimeout(tick, options.blockMs)
  }
  if (options.blockMs > 0) timer = setTimeout(tick, options.blockMs)

  return {
    mine: async (blocks, to) => {
      // Several small calls, so that thousands of blocks do not exceed the HTTP timeout.
      for (let left = blocks; left > 0; left -= BLOCKS_PER_CALL)
        await mine(Math.min(left, BLOCKS_PER_CALL), to ?? options.address)
    },
    setMining: (wanted) => {
      on = wanted
    },
    reorg: (depth) => enqueue(() => replaceBlocks(rpc, depth)),
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      await enqueue(async () => undefined)
    },
  }
}

export type Miner = {
  mine(blocks: number, to?: string): Promise<void>
  setMining(on: boolean): void
  reorg(depth: number): Promise<void>
  stop(): Promise<void>
}

const BLOCKS_PER_CALL = 500

async function replaceBlocks(rpc: BitcoinRpc, depth: number): Promise<void> {
  const height = await rpc.call("getblockcount", [], z.number())
  const lowest = await rpc.call("getblockhash", [height - depth + 1], z.string())
  // Use a new address each time: the node would also refuse a block that is equal to an invalidated
  // one.
  const to = await rpc.call("getnewaddress", [], z.string())
  await rpc.call("invalidateblock", [lowest], z.unknown())
  for (let block = 0; block <= depth; block++)
    await rpc.call("generateblock", [to, []], z.unknown())
}
