import { callAnvil } from "./call-anvil.ts"
import type { EvmClient } from "./evm-client.ts"

/** Who makes blocks: the node's interval (as it starts), each transaction (a moment after it was sent), or nobody but `mine`. */
export type MiningMode = "interval" | "automine" | "off"

export type Mining = {
  set(mode: MiningMode): Promise<void>
  /** So many blocks at once. Each costs more than the last: 5 000 take 0.5 s, 43 200 about ten. */
  mine(blocks: number): Promise<void>
  stop(): void
}

/** Keeps each call far from the client's time-out, after which it would mine a second time. */
const MOST_AT_ONCE = 2_000

/** Anvil takes a fractional interval on its command line, but whole seconds only later on: then the fraction is kept from here. */
export function createMining(client: EvmClient, blockTimeSeconds: number): Mining {
  let ticker: NodeJS.Timeout | undefined
  const mine = async (blocks: number): Promise<void> => {
    for (let left = blocks; left > 0; left -= MOST_AT_ONCE) {
      await callAnvil(client, "anvil_mine", [`0x${Math.min(left, MOST_AT_ONCE).toString(16)}`])
    }
  }
  const set = async (mode: MiningMode): Promise<void> => {
    clearInterval(ticker)
    await callAnvil(client, "evm_setAutomine", [mode === "automine"])
    if (mode === "automine") return
    const whole = mode === "interval" && Number.isInteger(blockTimeSeconds)
    await callAnvil(client, "evm_setIntervalMining", [whole ? blockTimeSeconds : 0])
    // A node that does not take the block is gone; start-anvil says so in the log.
    const tick = (): void => void mine(1).catch(() => clearInterval(ticker))
    if (mode === "interval" && !whole) ticker = setInterval(tick, blockTimeSeconds * 1_000)
  }
  return { set, mine, stop: () => clearInterval(ticker) }
}
