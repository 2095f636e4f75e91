import { AppError, transient } from "#lib/app-error.ts"
import { requireAgreement } from "#nodes/quorum/conclude.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { Esplora } from "../esplora.ts"
import { listCoinsByHistory } from "../legs/history.ts"
import type { Endpoint, Utxo } from "../nodes/endpoint.ts"
import { askAt, readReference } from "../nodes/reference.ts"
import { outpointOf } from "../wallet.ts"

/**
 * The unspent outputs of an address that enough endpoints show at the agreed height; coins of newer
 * blocks count as unconfirmed. Throws `bitcoin.disagreement` or `bitcoin.agreement_short`
 * (transient).
 */
export async function readAgreedCoins(esplora: Esplora, address: string): Promise<readonly Utxo[]> {
  return (await readCoinsAt(esplora, address)).coins
}

/** The same, with the agreed height. */
export async function readCoinsAt(esplora: Esplora, address: string): Promise<CoinsAt> {
  const reference = await readReference(esplora)
  const answers = await askAt(esplora, reference, async (endpoint) => {
    const utxos = await listCoins(endpoint, address)
    return utxos.map((utxo) =>
      utxo.height !== null && utxo.height > reference.height ? { ...utxo, height: null } : utxo,
    )
  })
  const about = "the coins of the wallet"
  const coins = requireAgreement(esplora, answers, { about, keyOf })
  return { height: reference.height, coins }
}

type CoinsAt = { readonly height: bigint; readonly coins: readonly Utxo[] }

/**
 * Servers refuse to list more coins than they like (Esplora more than 500), and Ballast finds them
 * in the history of the address. Throws `bitcoin.history_long` (transient) where that is too long.
 */
async function listCoins(endpoint: Endpoint, address: string): Promise<readonly Utxo[]> {
  try {
    return await endpoint.listUtxos(address)
  } catch (error) {
    if (!isTooMany(error)) throw error
    const found = await listCoinsByHistory(endpoint, address)
    if (found !== null) return found
    throw transient(
      "bitcoin.history_long",
      `${endpoint.host} refuses to list the coins of ${address}, because there are too many, and ` +
        "their history is longer than Ballast reads; pay them to a new wallet, or add a server " +
        "with a higher limit of coins",
      { endpoint: endpoint.host, address },
      error,
    )
  }
}

/** Of electrs, in each of its versions, and of servers with its interface. */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "bitcoin.esplora_answer") return false
  return /^4\d\d .*\btoo (many|popular|large)\b/i.test(String(error.details["found"]))
}

/**
 * The confirmed coins of an HTLC by any endpoint, the one that most endpoints show first: a refund
 * goes on with whichever endpoint answers. Throws the first endpoint's error if none answers.
 */
export async function readConfirmedCoins(
  esplora: Esplora,
  address: string,
): Promise<readonly (Utxo & { readonly height: bigint })[]> {
  const answers = await esplora.askEach((endpoint) => endpoint.listUtxos(address))
  if (answers.every(({ ok }) => !ok)) throw firstFailure(answers)
  const listed = answers.flatMap((answer) => (answer.ok ? answer.value : []))
  const confirmed = listed.flatMap((utxo) =>
    utxo.height === null ? [] : [{ ...utxo, height: utxo.height }],
  )
  const groups = [...Map.groupBy(confirmed, outpointOf).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  return groups.flatMap((group) =>
    middleOf(group.toSorted((a, b) => (a.height < b.height ? -1 : 1))),
  )
}

/** The upper one of an even number: a refund that comes too early is refused. */
function middleOf<T>(sorted: readonly T[]): readonly T[] {
  const middle = Math.floor(sorted.length / 2)
  return sorted.slice(middle, middle + 1)
}

function keyOf(utxos: readonly Utxo[]): string {
  return utxos
    .map(
      (utxo) =>
        `${outpointOf(utxo)} ${utxo.units} ${utxo.height === null ? "waiting" : "confirmed"}`,
    )
    .toSorted()
    .join()
}
