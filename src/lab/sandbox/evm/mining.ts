import { callAnvil } from "./call-anvil.ts"
import type { EvmClient } from "./evm-client.ts"
import { intervalFor } from "./make-blocks.ts"

/**
 * The source of new blocks: the interval of the chain (the default), each transaction (a moment
 * after it is sent), or only `mine`.
 */
type MiningMode = "interval" | "automine" | "off"

export type Mining = {
  set(mode: MiningMode): Promise<void>
  /**
   * Mines this many blocks. Each block costs more than the one before: 5 000 take 0.5 s, 43 200
   * about 10 s.
   */
  mine(blocks: number): Promise<void>
}

/**
 * Keeps each call far below the timeout of the client, because the client repeats a call after its
 * timeout and would mine twice.
 */
const MAX_BLOCKS_PER_CALL = 2_000

export function createMining(client: EvmClient, blockTimeSeconds: number): Mining {
  const mine = async (blocks: number): Promise<void> => {
    for (let left = blocks; left > 0; left -= MAX_BLOCKS_PER_CALL) {
      await callAnvil(client, "anvil_mine", [
        `0x${Math.min(left, MAX_BLOCKS_PER_CALL).toString(16)}`,
      ])
    }
  }
  const set = async (mode: MiningMode): Promise<void> => {
    await callAnvil(client, "evm_setAutomine", [mode === "automine"])
    if (mode === "automine") return
    await callAnvil(client, "evm_setIntervalMining", [
      mode === "interval" ? intervalFor(blockTimeSeconds) : 0,
    ])
  }
  return { set, mine }
}
