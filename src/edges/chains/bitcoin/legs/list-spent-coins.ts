import { decodeJson, encodeJson } from "#lib/json.ts"
import { requireAgreement } from "#nodes/quorum/conclude.ts"
import type { AccountUses } from "#ports/account-uses.ts"
import type { Esplora } from "../esplora.ts"
import { readAgreedCoins } from "../keys/read-coins.ts"
import { outpointOf } from "../wallet.ts"

/**
 * The coins of the address that were confirmed at the time of `mark` and that a transaction has
 * spent since, with that transaction. A coin that a reorganisation removed has no spender, and is
 * not among them. Throws `bitcoin.disagreement` or `bitcoin.agreement_short` (transient).
 */
export async function listSpentCoins(
  esplora: Esplora,
  address: string,
  mark: string | null,
): Promise<AccountUses> {
  const coins = await readAgreedCoins(esplora, address)
  const present = new Set(coins.map(outpointOf))
  const used: { resource: string; txid: string }[] = []
  for (const resource of mark === null ? [] : readMark(mark)) {
    if (present.has(resource)) continue
    const [txid = "", vout = ""] = resource.split(":")
    const answers = await esplora.askEach((endpoint) =>
      endpoint.findSpender({ txid, vout: Number(vout) }),
    )
    const spender = requireAgreement(esplora, answers, { about: "the spender of a coin" })
    if (spender !== null) used.push({ resource, txid: spender })
  }
  const confirmed = coins.filter(({ height }) => height !== null).map(outpointOf)
  return { mark: encodeJson(confirmed.toSorted()), used }
}

function readMark(mark: string): readonly string[] {
  const stored = decodeJson(mark)
  return Array.isArray(stored) ? stored.map(String) : []
}
