import type { TouchedLegs, TouchReader, WaitingLeg } from "#ports/chain/capabilities.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { type Endpoint, type Endpoints, readHeads } from "../nodes/endpoints.ts"
import type { Wallet } from "../wallet.ts"
import { findSwapAccounts, type SwapPlace } from "./read-leg.ts"

/**
 * Creates the question for the waiting legs whose swap account opened or closed since the last
 * answer. A program has no events that one question could list, and each signature in its history
 * would need one more request, so each endpoint is asked for all swap accounts at once, which is
 * one request for a hundred of them (`share-reads.ts`). A leg that is new to the question is
 * compared with its order's last observation, so nothing is missed after a restart.
 *
 * The accounts are read at `confirmed`, as `observeLeg` reads them, so an order does not wake
 * before its observation can show the change. Each endpoint is compared with its own last answer:
 * one that lags names the leg again once it shows the change, and one that goes back and forth only
 * causes observations. An account that opens and closes between two answers looks untouched: the
 * redemption of its source or `poll.max` shows it.
 *
 * The memory holds one bit for each leg of the last question and endpoint. Throws the error of an
 * endpoint if none answers.
 */
export function createTouchedLegs(
  endpoints: Endpoints,
  wallet: Wallet,
): TouchReader["listTouchedLegs"] {
  let places: Places = new Map()
  const known = new Map<string, ReadonlyMap<string, boolean>>()
  return async (_since, waiting) => {
    // Deriving an address takes long, so those of the last question are kept.
    places = new Map(
      waiting.map(({ query }) => [
        keyOf(query),
        places.get(keyOf(query)) ?? findSwapAccounts(query, wallet),
      ]),
    )
    const hasPlace = ({ query }: WaitingLeg): boolean =>
      query.route === undefined && placesOf(places, query).length > 0
    const asked = waiting.filter(hasPlace)
    const unasked = waiting.filter((leg) => !hasPlace(leg)).map(({ query }) => query.secretHash)
    if (asked.length === 0) return { ...(await readHeight(endpoints)), unasked }
    const questions = places
    const touched = new Set<string>()
    const { height, heads } = await endpoints.readHeads({
      readHead: (endpoint) => readOpen(endpoint, asked, questions),
    })
    for (const head of heads) {
      if (!head.ok) continue
      const { open } = head.value
      for (const { query, isOpen } of asked) {
        const before = known.get(head.endpoint)?.get(keyOf(query)) ?? isOpen
        if (open.get(keyOf(query)) !== before) touched.add(query.secretHash)
      }
      known.set(head.endpoint, open)
    }
    return { height, secretHashes: [...touched], unasked }
  }
}

/** By leg. */
type Places = ReadonlyMap<string, readonly SwapPlace[]>

function placesOf(places: Places, query: LegQuery): readonly SwapPlace[] {
  return places.get(keyOf(query)) ?? []
}

/** Names everything that the swap accounts of a leg follow from. */
function keyOf({ side, asset, htlc, initiator, secretHash }: LegQuery): string {
  return [side, asset, htlc, initiator, secretHash].join(" ")
}

async function readHeight(endpoints: Endpoints): Promise<TouchedLegs> {
  const { slot, lowest } = await readHeads(endpoints, "confirmed")
  return { height: slot ?? lowest, secretHashes: [] }
}

/** Which of the legs have an open swap account, and the slot up to which all answers reach. */
async function readOpen(
  endpoint: Endpoint,
  asked: readonly WaitingLeg[],
  places: Places,
): Promise<{ readonly height: bigint; readonly open: ReadonlyMap<string, boolean> }> {
  const node = endpoint.node({ commitment: "confirmed" })
  // All reads begin in one turn, so that they are joined.
  const legs = await Promise.all(
    asked.map(async ({ query }) => {
      const found = await Promise.all(
        placesOf(places, query).map(async ({ swapAccount, program }) => {
          const { slot, account } = await node.fetchAccountAt(swapAccount)
          return { slot, isOpen: account?.owner === program.toBase58() }
        }),
      )
      return { key: keyOf(query), found }
    }),
  )
  const slots = legs.flatMap(({ found }) => found.map(({ slot }) => slot))
  return {
    height: slots.reduce((low, slot) => (slot < low ? slot : low)),
    open: new Map(legs.map(({ key, found }) => [key, found.some(({ isOpen }) => isOpen)])),
  }
}
