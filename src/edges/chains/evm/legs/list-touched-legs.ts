import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { TouchedLegs } from "#ports/chain/capabilities.ts"
import { htlcsOf, type Wallet } from "../wallet.ts"
import { findTouched } from "./find-logs.ts"

/** After a longer gap the orders are observed at their own times, so that no answer is large. */
const MOST_BLOCKS = 500n

/**
 * The secret hashes in the events of all configured contracts above `since`. Any endpoint's event
 * counts, because it only leads to an observation, and there the endpoints must agree. A refund has
 * no secret hash in its event: those of Ballast are observed as transactions.
 *
 * Throws the first failure if no endpoint gives an answer.
 */
export async function listTouchedLegs(
  { rpc, assets }: Wallet,
  since: bigint | null,
): Promise<TouchedLegs> {
  const { height } = await rpc.readHeads()
  const htlcs = [...new Set(assets.flatMap(htlcsOf))]
  if (since === null || height <= since || htlcs.length === 0) return { height, secretHashes: [] }
  const from = height - since > MOST_BLOCKS ? height - MOST_BLOCKS + 1n : since + 1n
  const answers = await rpc.askEach((client) => findTouched(client, { htlcs, from, to: height }))
  if (answers.every(({ ok }) => !ok)) throw firstFailure(answers)
  const logs = answers.flatMap((answer) => (answer.ok ? answer.value : []))
  return {
    height,
    secretHashes: [
      ...new Set(logs.flatMap(({ secretHash }) => secretHash?.replace(/^0x/, "") ?? [])),
    ],
  }
}
