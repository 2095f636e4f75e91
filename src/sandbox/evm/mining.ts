import { callAnvil } from "./call-anvil.ts"
import type { EvmClient } from "./evm-client.ts"

/** The source of new blocks: the interval of the node (the default), each transaction (a moment after it is sent), or only `mine`. */
export type MiningMode = "interval" | "automine" | "off"

export type Mining = {
  set(mode: MiningMode): Promise<void>
  /** Mines this many blocks. Each block costs more than the one before: 5 000 take 0.5 s, 43 200 about 10 s. */
  mine(blocks: number): Promise<void>
  stop(): void
}

/** Keeps each call far below the timeout of the client, because the client repeats a call after its timeout and would mine twice. */
const MAX_BLOCKS_PER_CALL = 2_000

/** Anvil accepts a fractional interval only on its command line. After a change of the mode, this process mines fractional intervals itself. */
export function createMining(client: EvmClient, blockTimeSeconds: number): Mining {
  let ticker: NodeJS.Timeout | undefined
  const mine = async (blocks: number): Promise<void> => {
    for (let left = blocks; left > 0; left -= MAX_BLOCKS_PER_CALL) {
      await callAnvil(client, "anvil_mine", [`0x${Math.min(left, MAX_BLOCKS_PER_CALL).toString(16)}`])
    }
  }
  const set = async (mode: MiningMode): Promise<void> => {
    clearInterval(ticker)
    await callAnvil(client, "evm_setAutomine", [mode === "automine"])
    if (mode === "automine") return
    const whole = mode === "interval" && Number.isInteger(blockTimeSeconds)
    await callAnvil(client, "evm_setIntervalMining", [whole ? blockTimeSeconds : 0])
    // A node that does not mine is dead; start-anvil.ts logs its death.
    const tick = (): void => void mine(1).catch(() => clearInterval(ticker))
    if (mode === "interval" && !whole) ticker = setInterval(tick, blockTimeSeconds * 1_000)
  }
  return { set, mine, stop: () => clearInterval(ticker) }
}
