import { PublicKey } from "@solana/web3.js"
import { mustExist } from "#lib/assert.ts"
import type { FoundDeposit, LegHistory } from "#ports/route.ts"
import { encodeBurnMessage } from "#routes/cctp/message.ts"
import { dropEntry, tooLong } from "../legs/list-history.ts"
import { describePruned } from "../legs/read-expiry.ts"
import { isFinal } from "../legs/read-leg.ts"
import { type Endpoint, readAgreed, readAgreedSlot } from "../nodes/endpoints.ts"
import type { LegParts } from "../routes/leg-parts.ts"
import { deriveDenylist } from "./accounts.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { wordOf } from "./presets.ts"
import { readBurns } from "./read-events.ts"
import { type History, readTransactions } from "./read-history.ts"

type Leg = Pick<LegParts, "wallet" | "endpoints"> & { readonly burns: BurnPermissions }

/**
 * The burns of our account, for the time after the loss of a journal. Each burn names our entry in
 * the messenger's list of blocked accounts, which hardly another transaction does.
 */
export function createBurnHistory(leg: Leg): LegHistory {
  const { endpoints } = leg
  return {
    heightBefore: async (ms) => {
      const slot = await readAgreedSlot(endpoints, "finalized")
      const time = await readAgreed(endpoints, "finalized", (node) => node.fetchBlockMs(slot))
      const agoMs = Math.max(0, mustExist(time, "the time of an agreed slot") - ms)
      const slots = BigInt(Math.ceil(agoMs / SHORTEST_SLOT_MS))
      return slots >= slot ? 0n : slot - slots
    },
    findGaps: async (since) => {
      // A chain that is younger than that has no block before its first one.
      if (since === 0n) return []
      const answers = await endpoints.askEach(({ node }) =>
        node({ commitment: "finalized" }).fetchFirstSlot(),
      )
      return answers.flatMap((answer) =>
        answer.ok && answer.value > since
          ? [describePruned(answer.endpoint, answer.value, since)]
          : [],
      )
    },
    findDeposits: async (since) => {
      const [until, minSlot] = await Promise.all([
        readAgreedSlot(endpoints, "confirmed"),
        readAgreedSlot(endpoints, "finalized"),
      ])
      const address = deriveDenylist(leg.burns.accounts, new PublicKey(leg.wallet.account))
      return readAgreed(endpoints, "confirmed", (_node, endpoint) =>
        findBurns(leg, endpoint, { address, since, minSlot, until }),
      )
    },
  }
}

/** A slot takes 400 ms, and a quarter less at most. */
const SHORTEST_SLOT_MS = 300
/** In one run; the next one goes on behind the transactions of strangers among them. */
const MOST_TRANSACTIONS = 2_000

async function findBurns(
  { wallet, burns: { accounts, asset } }: Leg,
  endpoint: Endpoint,
  history: History & { readonly until: bigint },
): Promise<readonly FoundDeposit[]> {
  const { address, until, minSlot } = history
  const owner = wordOf(new PublicKey(wallet.account))
  const burns: FoundDeposit[] = []
  let read = 0
  for await (const { entry, found } of readTransactions(endpoint, history)) {
    if (entry.slot > until) continue
    if (read++ === MOST_TRANSACTIONS) throw tooLong(address.toBase58(), read)
    const own = readBurns(found, accounts).filter(({ messageSender }) => messageSender === owner)
    const { signature: txid } = entry
    const { histories } = endpoint.notes ?? {}
    if (own.length === 0 && isFinal(entry, minSlot) && histories !== undefined)
      dropEntry(histories, address.toBase58(), txid)
    for (const message of own)
      burns.push({ asset, txid, evidence: { message: encodeBurnMessage(message) } })
  }
  return burns
}
