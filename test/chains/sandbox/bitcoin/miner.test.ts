import { rmSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { startBitcoinChain } from "../../../../src/lab/sandbox/bitcoin/bitcoin-chain.ts"
import { temporaryFolder } from "../../../support/temporary-folder.ts"

test("mines blocks automatically while mining is on, none while it is off, and again afterwards", async () => {
  const dir = temporaryFolder("miner")
  const chain = await startBitcoinChain({
    name: "bitcoin_testnet",
    port: 0,
    dir,
    blockMs: 50,
    log: silentLogger,
  })
  const waitForBlock = async (): Promise<void> => {
    const from = await chain.height()
    while ((await chain.height()) === from) await sleep(20)
  }
  try {
    await waitForBlock()
    chain.setMining(false)
    await sleep(100)
    const off = await chain.height()
    await sleep(300)
    expect(await chain.height()).toBe(off)
    await chain.advance(2)
    expect(await chain.height()).toBe(off + 2n)
    chain.setMining(true)
    await waitForBlock()
  } finally {
    await chain.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}, 20_000)
