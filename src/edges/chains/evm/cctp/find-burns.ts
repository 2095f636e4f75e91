import { encodeEventTopics, type Hex, type Log } from "viem"
import type { LegHistory } from "#ports/route.ts"
import { findRawLogs } from "../legs/find-logs.ts"
import { readAgreed } from "../nodes/agree.ts"
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
