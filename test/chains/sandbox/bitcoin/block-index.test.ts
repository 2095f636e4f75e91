import { rmSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { mustExist } from "#lib/assert.ts"
import { silentLogger } from "#lib/log.ts"
import type { BitcoinRpc } from "../../../../src/lab/sandbox/bitcoin/bitcoin-rpc.ts"
import {
  type BlockIndex,
  createBlockIndex,
} from "../../../../src/lab/sandbox/bitcoin/block-index.ts"
import { formatBtc } from "../../../../src/lab/sandbox/bitcoin/btc-amount.ts"
import { findBitcoind } from "../../../../src/lab/sandbox/bitcoin/find-bitcoind.ts"
import { requireOutput } from "../../../../src/lab/sandbox/bitcoin/regtest-address.ts"
import {
  openSolverWallet,
  type SolverWallet,
} from "../../../../src/lab/sandbox/bitcoin/solver-wallet.ts"
import { type Bitcoind, startBitcoind } from "../../../../src/lab/sandbox/bitcoin/start-bitcoind.ts"
import { temporaryFolder } from "../../../support/temporary-folder.ts"

const COIN_UNITS = 50_00000000n
const dir = temporaryFolder("block-index")
let node: Bitcoind
let wallet: SolverWallet
let index: BlockIndex

beforeAll(async () => {
  const found = await findBitcoind({ log: silentLogger })
  if (!found.ok) throw new Error(found.reason)
  node = await startBitcoind({ found, dir, log: silentLogger })
  wallet = await openSolverWallet(node.rpc)
  await mine(105)
  index = createBlockIndex(node.rpc)
}, 300_000)

afterAll(async () => {
  await node?.stop()
  rmSync(dir, { recursive: true, force: true })
}, 30_000)

function mine(blocks: number): Promise<string[]> {
  return node.rpc.call("generatetoaddress", [blocks, wallet.address], z.array(z.string()))
}

type Coin = { txid: string; vout: number }

/** Creates a new output script and a signed transaction that pays these coins to it. */
async function preparePayment(
  coins: readonly Coin[],
  feeUnits: bigint,
): Promise<{ hex: string; output: Uint8Array }> {
  const to = await node.rpc.call("getnewaddress", [], z.string())
  const amount = formatBtc(COIN_UNITS * BigInt(coins.length) - feeUnits)
  const bare = await node.rpc.call(
    "createrawtransaction",
    [coins, [{ [to]: amount }], 0, true],
    z.string(),
  )
  const { hex } = await node.rpc.call(
    "signrawtransactionwithwallet",
    [bare],
    z.object({ hex: z.string() }),
  )
  return { hex, output: requireOutput(to) }
}

function send(hex: string): Promise<string> {
  return node.rpc.call("sendrawtransaction", [hex, 0], z.string())
}

test("removes a replaced transaction from every index: by id, by script and as a spend", async () => {
  const coins = await node.rpc.call(
    "listunspent",
    [],
    z.array(z.object({ txid: z.string(), vout: z.number() })),
  )
  const [first, second] = coins.map(({ txid, vout }) => ({ txid, vout }))
  if (!first || !second) throw new Error("two mature coins are needed")
  const original = await preparePayment([first, second], 1_000n)
  const originalTxid = await send(original.hex)
  await index.sync()
  expect(index.findSpend(second.txid, second.vout)?.by.txid).toBe(originalTxid)
  expect(index.history(original.output)).toHaveLength(1)

  const replacement = await preparePayment([first], 50_000n)
  const replacementTxid = await send(replacement.hex)
  await index.sync()
  expect(index.findTx(originalTxid)).toBeNull()
  expect(index.history(original.output)).toEqual([])
  expect(index.findSpend(second.txid, second.vout)).toBeNull()
  expect(index.findSpend(first.txid, first.vout)?.by.txid).toBe(replacementTxid)
  expect(index.mempool().map(({ txid }) => txid)).toEqual([replacementTxid])

  await mine(1)
  await index.sync()
  expect(index.mempool()).toEqual([])
  expect(index.findTx(replacementTxid)?.block?.height).toBe(index.blocks.length - 1)
})

test("a sync that starts at the end of another one still includes the newest block", async () => {
  let late: Promise<{ height: number; seen: number }> | null = null
  let tipReads = 0
  // A sync ends with its second read of the tip. Before that answer arrives, a new block comes and
  // another reader calls sync.
  const rpc: BitcoinRpc = {
    call: async (method, params, schema, walletName) => {
      const result = await node.rpc.call(method, params, schema, walletName)
      if (method === "getbestblockhash" && ++tipReads === 2) {
        await mine(1)
        const height = await node.rpc.call("getblockcount", [], z.number())
        late = slow.sync().then(() => ({ height, seen: slow.blocks.length - 1 }))
      }
      return result
    },
  }
  const slow = createBlockIndex(rpc)
  await slow.sync()
  expect(late).not.toBeNull()
  const { height, seen } = mustExist<{ height: number; seen: number }>(
    await late,
    "the late reader's answer",
  )
  expect(seen).toBe(height)
})
