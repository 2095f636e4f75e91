import type { TouchedLegs } from "#ports/chain/capabilities.ts"
import { readSecretHash, SELECTORS } from "../htlc.ts"
import { readReference, worstOf } from "../nodes/reference-block.ts"
import { htlcsOf, type Wallet } from "../wallet.ts"
import { findFirstEvents } from "./find-events.ts"

/** After a longer gap the orders are observed at their own times, so that no answer is large. */
const MOST_BLOCKS = 500n
/** Events beyond so many pages wake no order, which then waits for its own time. */
const MOST_PAGES = 3

/**
 * The secret hashes in the events of all configured contracts above `since`, up to the reference
 * block. Any endpoint's event counts, because it only leads to an observation, and there the
 * endpoints must agree. A refund has no secret hash in its event: those of Ballast are observed as
 * transactions.
 *
 * The search ends at the hash of the reference block: a backend without that block refuses it,
 * while nodes cut a height that they do not have to their newest one, and then an empty list would
 * say nothing. Throws the first failure if no endpoint gives an answer.
 */
export async function listTouchedLegs(
  { rpc, assets }: Wallet,
  since: bigint | null,
): Promise<TouchedLegs> {
  const { views } = await readReference(rpc)
  const first = views.find((view) => view.ok)
  if (first === undefined) throw worstOf(views)
  const { height } = first.value.block
  const htlcs = [...new Set(assets.flatMap(htlcsOf))]
  if (since === null || height <= since || htlcs.length === 0) return { height, secretHashes: [] }
  const fromHeight = height - since > MOST_BLOCKS ? height - MOST_BLOCKS + 1n : since + 1n
  const answers = await rpc.askAt(views, (_node, view) =>
    Promise.all(
      htlcs.map((htlc) =>
        findFirstEvents(view, htlc, { keys: TOUCHING, fromHeight, mostPages: MOST_PAGES }),
      ),
    ),
  )
  if (answers.every(({ ok }) => !ok)) throw worstOf(answers)
  const events = answers.flatMap((answer) =>
    answer.ok ? answer.value.flatMap((found) => found.events) : [],
  )
  return {
    height,
    secretHashes: [...new Set(events.flatMap((event) => readSecretHash(event) ?? []))],
  }
}

const TOUCHING = [
  [SELECTORS.initiatedEvent, SELECTORS.initiatedWithDataEvent, SELECTORS.redeemedEvent],
]
