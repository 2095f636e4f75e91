import { encodeEventTopics, type Hex, type Log, numberToHex } from "viem"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegHistory } from "#ports/route.ts"
import { findRawLogs } from "../legs/find-logs.ts"
import { readAgreed } from "../nodes/agree.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import type { At } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { messengerAbi } from "./abi.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { type CctpContracts, wordOf } from "./presets.ts"
import { type BurnLog, readBurns } from "./read-logs.ts"

/**
 * The burns of our account by the events of the messenger, for the time after the loss of a
 * journal: no signed transaction names them any more.
 */
export function createBurnHistory(
  wallet: Wallet & { readonly burns: BurnPermissions },
  readLogs: (at: At, txid: Hex) => Promise<readonly Log[]>,
): LegHistory {
  const { rpc, account, burns } = wallet
  return {
    heightBefore: (ms) => readAgreed(rpc, (at) => estimateHeight(at, ms)),
    findGaps: async (fromHeight) => {
      const answers = await rpc.askEach((client) => lacksEvents(client, fromHeight))
      return answers.flatMap((answer) =>
        answer.ok && answer.value ? [describePruned(answer.endpoint, fromHeight)] : [],
      )
    },
    findDeposits: async (fromHeight) => {
      const found = await readAgreed(rpc, async (at) => {
        const search = { htlcs: [burns.contracts.messenger], from: fromHeight, to: at.height }
        const logs = await findRawLogs(at.client, search, burnTopics(burns.contracts, account))
        const txids = new Set(logs.flatMap(({ transactionHash }) => transactionHash ?? []))
        const read: BurnLog[] = []
        for (const txid of txids) read.push(...readBurns(await readLogs(at, txid), burns.contracts))
        return read.filter(({ message }) => message.messageSender === wordOf(account))
      })
      return found.map(({ txid, bytes }) => {
        return { asset: burns.asset, txid, evidence: { message: bytes } }
      })
    },
  }
}

function burnTopics({ token }: CctpContracts, account: Hex) {
  const args = { burnToken: token, depositor: account }
  return encodeEventTopics({ abi: messengerAbi, eventName: "DepositForBurn", args })
}

/**
 * Whether the node has dropped the block at this height, or its events. Nodes that keep the newest
 * ones alone answer with nothing, or with an error (code 4444 of geth and reth). A block without a
 * transaction tells nothing of its events.
 */
async function lacksEvents(client: EvmClient, height: bigint): Promise<boolean> {
  try {
    const method = "eth_getBlockByNumber"
    const block = await client.request({ method, params: [numberToHex(height), false] })
    if (block === null) return true
    const [txid] = block.transactions
    if (typeof txid !== "string") return false
    const receipt = await client.request({ method: "eth_getTransactionReceipt", params: [txid] })
    return receipt === null
  } catch (error) {
    if (isPruned(error)) return true
    throw error
  }
}

const PRUNED = /prun|history|historical|not available/i

function isPruned(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof AppError && each.code === "evm.rpc")
      return each.details["rpcCode"] === 4444 || PRUNED.test(String(each.details["found"]))
  return false
}

function describePruned(endpoint: string, fromHeight: bigint): Reason {
  return {
    code: "evm.history_pruned",
    message:
      `The endpoint ${endpoint} has dropped the block ${fromHeight} or its events, so it cannot ` +
      "show each burn since then; use an endpoint with a longer history, then recover again",
    endpoint,
    fromHeight: `${fromHeight}`,
  }
}

const SAMPLE = 10_000n

/** A quarter more blocks than the newest ones took in that time. */
async function estimateHeight({ client, height }: At, ms: number): Promise<bigint> {
  const span = height < SAMPLE ? height : SAMPLE
  const [newest, older] = await Promise.all(
    [height, height - span].map((blockNumber) => client.getBlock({ blockNumber })),
  )
  const tookMs = Number((newest?.timestamp ?? 0n) - (older?.timestamp ?? 0n)) * 1_000
  if (tookMs <= 0) return 0n
  const agoMs = Math.max(0, Number(newest?.timestamp ?? 0n) * 1_000 - ms)
  const blocks = BigInt(Math.ceil((1.25 * agoMs * Number(span)) / tookMs))
  return blocks >= height ? 0n : height - blocks
}
