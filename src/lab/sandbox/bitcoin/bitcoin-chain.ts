import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Logger } from "#lib/log.ts"
import { createRefusal } from "../create-refusal.ts"
import { createSerialQueue } from "../create-serial-queue.ts"
import { freezeProcess } from "../freeze-process.ts"
import type { LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import { type BlockIndex, createBlockIndex } from "./block-index.ts"
import { describeSwap, htlcOf } from "./describe-swap.ts"
import { type Esplora, startEsplora } from "./esplora.ts"
import { findBitcoind } from "./find-bitcoind.ts"
import { buildHtlcSpend, buildInstantRefund, signHtlcInputs } from "./htlc-spend.ts"
import { type Miner, startMiner } from "./miner.ts"
import { findDeposits, observeSwap } from "./observe-swap.ts"
import { outputOfAddress, requireOutput } from "./regtest-address.ts"
import { publicKey, serviceSecret } from "./sandbox-keys.ts"
import { openSolverWallet, type SolverWallet } from "./solver-wallet.ts"
import { redeemPath, refundPath, type SpendPath } from "./spend-path.ts"
import { type Bitcoind, startBitcoind } from "./start-bitcoind.ts"

/**
 * Starts a local Bitcoin chain: a regtest bitcoind with its data in `dir`, an Esplora API on `port`
 * (0 means any free port), a solver with coins, and a block every `blockMs` (default 1000; 0 mines
 * only on demand).
 *
 * Throws `sandbox.bitcoind_missing` (fatal) if it finds no bitcoind and cannot fetch one; the
 * message says how to install one.
 */
export async function startBitcoinChain(options: BitcoinChainOptions): Promise<LocalBitcoinChain> {
  const found = await findBitcoind({ log: options.log })
  if (!found.ok) {
    throw new AppError({
      code: "sandbox.bitcoind_missing",
      disposition: "fatal",
      message: found.reason,
    })
  }
  const node = await startBitcoind({ found, dir: options.dir, log: options.log })
  try {
    const parts = await startParts(node, options)
    options.log.info(
      { chain: options.name, url: parts.esplora.url, bitcoind: found.version },
      "local bitcoin is up",
    )
    return createChain(parts, options)
  } catch (error) {
    await node.stop()
    throw error
  }
}

type BitcoinChainOptions = {
  readonly name: string
  readonly port: number
  readonly dir: string
  readonly blockMs?: number
  readonly timelocks?: { source: number; destination: number }
  readonly requiredConfirmations?: number
  /** Default `<name>:btc`. */
  readonly assetId?: string
  readonly log: Logger
}

export type LocalBitcoinChain = LocalChain & {
  /**
   * Replaces the last `depth` blocks by `depth` + 1 empty ones. Their transactions go back to the
   * mempool until the next block.
   */
  reorg(depth: number): Promise<void>
  /** Stops or resumes the automatic blocks. `fund` and `advance` mine in both cases. */
  setMining(on: boolean): void
  /**
   * The interface's `instant_refund_tx` of a source swap as hex. It is empty before the deposit,
   * because the transaction names the output that it spends.
   */
  instantRefundTx(swap: LocalSwap): Promise<string>
}

type Parts = {
  node: Bitcoind
  index: BlockIndex
  wallet: SolverWallet
  miner: Miner
  esplora: Esplora
}

/**
 * The solver mines 100 coinbase outputs of 50 bitcoin, and 150 blocks follow. A coinbase output
 * matures after 100 blocks. The other 50 are a reserve: a reorganisation that makes a coinbase
 * immature again would remove its payments from the mempool permanently.
 */
const SOLVER_BLOCKS = 100
const BLOCKS_ON_TOP = 150
const LOW_BALANCE_UNITS = 100_00000000n
/**
 * Receives the rewards of automatic blocks (a witness program of zeros). Thousands of coins would
 * slow the solver's wallet down.
 */
const MINER_ADDRESS = "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202"

async function startParts(node: Bitcoind, options: BitcoinChainOptions): Promise<Parts> {
  const wallet = await openSolverWallet(node.rpc)
  const blockMs = options.blockMs ?? 1_000
  const miner = startMiner({ rpc: node.rpc, address: MINER_ADDRESS, blockMs, log: options.log })
  try {
    if ((await wallet.fetchBalance()) < LOW_BALANCE_UNITS) {
      await miner.mine(SOLVER_BLOCKS, wallet.address)
      await miner.mine(BLOCKS_ON_TOP)
    }
    const index = createBlockIndex(node.rpc)
    await index.sync()
    const esplora = await startEsplora({ rpc: node.rpc, index, port: options.port })
    return { node, index, wallet, miner, esplora }
  } catch (error) {
    await miner.stop()
    throw error
  }
}

function createChain(parts: Parts, options: BitcoinChainOptions): LocalBitcoinChain {
  const { index, miner, wallet, esplora, node } = parts
  const assetId = options.assetId ?? `${options.name}:btc`
  const enqueue = createSerialQueue()
  const assertAsset = (asked: string): void => {
    if (asked !== assetId)
      throw createRefusal("sandbox.asset", `${options.name} holds ${assetId}, not ${asked}`)
  }
  const describe = (side: LocalSwap["side"], request: SwapRequest): LocalSwap => {
    assertAsset(request.assetId)
    return describeSwap(side, options.name, request)
  }
  const spend = (swap: LocalSwap, how: SpendPath): Promise<string> =>
    enqueue(() => spendDeposits(parts, swap, how))

  return {
    name: options.name,
    family: "bitcoin",
    assets: [{ id: assetId, decimals: 8, token: null, htlc: null }],
    url: esplora.url,
    timelocks: options.timelocks ?? { source: 144, destination: 12 },
    requiredConfirmations: options.requiredConfirmations ?? 1,
    chainId: null,
    height: async () => BigInt(await node.rpc.call("getblockcount", [], z.number())),
    balance: async (address, asked) => {
      assertAsset(asked)
      await index.sync()
      return confirmedBalance(index, requireOutput(address))
    },
    fund: async (address, asked, units) => {
      assertAsset(asked)
      requireOutput(address)
      const txid = await enqueue(() => wallet.send(address, units))
      await miner.mine(1)
      return txid
    },
    freeze: (frozen) => freezeProcess(node.pid, frozen),
    isAddress: (text) => outputOfAddress(text) !== null,
    describeSource: async (request) => {
      const swap = describe("source", request)
      return { swap, response: { to: swap.swapId, amount: swap.units } }
    },
    describeDestination: async (request) => describe("destination", request),
    observeSwap: async (swap) => {
      await index.sync()
      return observeSwap(index, htlcOf(swap))
    },
    initiate: (swap) => enqueue(() => initiateOnce(parts, swap)),
    initiateWithSignature: refuseGasless,
    redeem: async (swap, secret) => spend(swap, redeemPath(swap, secret, wallet.address)),
    refund: async (swap) => spend(swap, refundPath(swap, wallet.address)),
    advance: (blocks) => miner.mine(blocks),
    save: () => save(parts),
    stop: async () => {
      await miner.stop()
      await esplora.stop().finally(node.stop)
    },
    reorg: (depth) => miner.reorg(depth),
    setMining: (on) => miner.setMining(on),
    instantRefundTx: async (swap) => {
      await index.sync()
      return formatInstantRefund(index, swap)
    },
  }
}

async function refuseGasless(): Promise<never> {
  throw createRefusal(
    "sandbox.no_gasless",
    "Bitcoin has no gasless initiation; pay the deposit address",
  )
}

/**
 * The node keeps its block index in memory for an hour; `gettxoutsetinfo` makes it write the index
 * to disk.
 */
async function save({ miner, node }: Parts): Promise<void> {
  await miner.stop()
  await node.rpc.call("gettxoutsetinfo", ["none"], z.unknown())
}

/** Funds a swap only once, even if the caller asks again after a lost answer. */
async function initiateOnce({ index, wallet }: Parts, swap: LocalSwap): Promise<string> {
  if (swap.side !== "destination")
    throw createRefusal("sandbox.side", "the solver funds destination swaps only")
  await index.sync()
  const [deposit] = findDeposits(index, htlcOf(swap))
  return deposit?.entry.txid ?? (await wallet.send(swap.swapId, BigInt(swap.units)))
}

/** Spends the full deposit; a coin of the solver's wallet pays the network fee. */
async function spendDeposits(
  { index, wallet, node }: Parts,
  swap: LocalSwap,
  how: SpendPath,
): Promise<string> {
  await index.sync()
  const htlc = htlcOf(swap)
  const deposits = findDeposits(index, htlc).filter((deposit) => deposit.spend === null)
  if (deposits.length === 0)
    throw createRefusal("sandbox.nothing_deposited", `${swap.swapId} holds nothing to spend`)
  const bare = buildHtlcSpend(deposits, requireOutput(how.payTo), how.sequence)
  const spend = await wallet.addFeeInput(bare, HTLC_INPUT_WEIGHT)
  // The wallet may have chosen change of a payment that the index does not contain yet.
  await index.sync()
  const secret = how.secret === undefined ? {} : { secret: how.secret }
  signHtlcInputs(spend, index, { htlc, leaf: how.leaf(htlc), key: how.key, ...secret })
  return node.rpc.call("sendrawtransaction", [spend.toHex()], z.string())
}

/**
 * Outpoint, sequence and empty script (41 × 4), plus the longest witness of an HTLC: signature,
 * secret, leaf and control block, below 250.
 */
const HTLC_INPUT_WEIGHT = 41 * 4 + 250

function formatInstantRefund(index: BlockIndex, swap: LocalSwap): string {
  if (swap.side !== "source") return ""
  const htlc = htlcOf(swap)
  const [deposit] = findDeposits(index, htlc)
  const key = serviceSecret(swap.secretHash)
  const serviceHoldsKey = swap.delegate === publicKey(key)
  return deposit
    ? buildInstantRefund(
        htlc,
        deposit,
        requireOutput(swap.owner),
        serviceHoldsKey ? key : null,
      ).toHex()
    : ""
}

function confirmedBalance(index: BlockIndex, output: Uint8Array): bigint {
  const isUnspent = (txid: string, vout: number): boolean =>
    (index.findSpend(txid, vout)?.by.block ?? null) === null
  return index
    .history(output)
    .filter((entry) => entry.block !== null)
    .flatMap((entry) =>
      entry.tx.outs.filter(
        (out, vout) => Buffer.compare(out.script, output) === 0 && isUnspent(entry.txid, vout),
      ),
    )
    .reduce((sum, out) => sum + out.value, 0n)
}
