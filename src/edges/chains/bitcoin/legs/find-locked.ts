import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Esplora } from "../esplora.ts"
import type { Htlc } from "../htlc.ts"
import { readConfirmedCoins } from "../keys/read-coins.ts"
import type { Endpoint, Place } from "../nodes/endpoint.ts"
import { outputsTo } from "../spend/raw-transaction.ts"
import { type Coin, outpointOf } from "../wallet.ts"
import { listWholeHistory } from "./history.ts"
import type { Outpoints } from "./outpoints.ts"
import { proveCoins } from "./prove-coins.ts"

type LockedCoin = Coin & { readonly height: bigint }

type Finding = { readonly esplora: Esplora; readonly outpoints?: Outpoints | undefined }

/**
 * The confirmed coins of an HTLC that a redemption or a refund of `units` can take, each proven by
 * its parent: those of exactly this amount, or else the largest. A spender that waits for a block
 * excludes nothing: a journal that was restored does not know its own one, which may pay too little
 * for a block.
 *
 * Strangers can pay the address so often that servers refuse to list its coins (Esplora from 501
 * on), so an observed output is found by its name, and one that was never observed in the history
 * of the address. Any endpoint that answers is enough. Throws the first endpoint's error if none
 * does.
 */
export async function findLocked(
  finding: Finding,
  htlc: Htlc,
  units: bigint,
): Promise<readonly LockedCoin[]> {
  const { esplora } = finding
  const named = finding.outpoints?.get(htlc.address) ?? []
  const known = await readNamed(esplora, { htlc, units }, [...named].map(asNamed))
  if (known.some((coin) => coin.units === units)) return known
  try {
    const listed = await readListed(esplora, htlc, units)
    if (listed.some((coin) => coin.units === units)) return listed
    const found = await readHistories(esplora, htlc, units)
    return found.length > 0 ? found : listed
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition !== "transient") throw error
    const found = await readHistories(esplora, htlc, units)
    if (found.length === 0) throw error
    return found
  }
}

function asNamed(txid: string): Named {
  return { txid, place: null }
}

/** Dust beside a coin of the amount is not even proven. */
async function readListed(
  esplora: Esplora,
  htlc: Htlc,
  units: bigint,
): Promise<readonly LockedCoin[]> {
  const all = await readConfirmedCoins(esplora, htlc.address)
  const exact = all.filter((coin) => coin.units === units)
  const largest = all.toSorted((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1))
  const listed = (exact.length > 0 ? exact : largest).slice(0, MOST_COINS)
  const proofs = await Promise.allSettled(
    listed.map((coin) => proveCoins(esplora, [coin], htlc.script)),
  )
  const proven = proofs.flatMap((proof) => (proof.status === "fulfilled" ? proof.value : []))
  // One endpoint that lists an invented coin must not stop the spend of the real one.
  const failed = proofs.find((proof) => proof.status === "rejected")
  if (proven.length === 0 && failed !== undefined) throw failed.reason
  const heights = new Map(listed.map((utxo) => [outpointOf(utxo), utxo.height]))
  return proven.map((coin) => ({
    ...coin,
    height: mustExist(heights.get(outpointOf(coin)), "a listed height"),
  }))
}

const MOST_COINS = 20

type Wanted = { readonly htlc: Htlc; readonly units: bigint }
type Named = { readonly txid: string; readonly place: Place | null }

/**
 * The transactions of the address that pay exactly this amount, by each endpoint's list until one
 * has such a coin.
 */
async function readHistories(
  esplora: Esplora,
  htlc: Htlc,
  units: bigint,
): Promise<readonly LockedCoin[]> {
  for (const endpoint of esplora.nodes) {
    const coins = await orNothing(async () => {
      const { entries } = await listWholeHistory(endpoint, htlc.address)
      const isExact = (output: { readonly address: string; readonly units: bigint }): boolean =>
        output.address === htlc.address && output.units === units
      const paying = entries.filter(
        ({ height, pays }) => height !== null && (pays?.some(isExact) ?? true),
      )
      return readNamed(
        esplora,
        { htlc, units },
        paying.slice(-MOST_COINS).map(({ txid, place = null }) => ({ txid, place })),
      )
    })
    if (coins.some((coin) => coin.units === units)) return coins
  }
  return []
}

/**
 * The outputs to the HTLC in these transactions that no block spends. An endpoint that says spent,
 * or nothing, is not the last one that is asked.
 */
async function readNamed(
  esplora: Esplora,
  wanted: Wanted,
  named: readonly Named[],
): Promise<readonly LockedCoin[]> {
  const coins: LockedCoin[] = []
  for (const each of named) {
    for (const endpoint of esplora.nodes) {
      const found = await orNothing(() => readOutputs(esplora, endpoint, wanted, each))
      coins.push(...found)
      if (found.length > 0) break
    }
  }
  return coins
}

async function readOutputs(
  esplora: Esplora,
  endpoint: Endpoint,
  { htlc, units }: Wanted,
  { txid, place: listed }: Named,
): Promise<readonly LockedCoin[]> {
  const transaction = await esplora.findRaw(txid, endpoint)
  const outputs = transaction === null ? [] : outputsTo(transaction, htlc.script)
  const place = outputs.length === 0 ? null : await endpoint.findPlace(txid, listed)
  if (place === null) return []
  const coins: LockedCoin[] = []
  const exact = outputs.filter((output) => output.units === units)
  for (const { vout } of (exact.length > 0 ? exact : outputs).slice(0, MOST_COINS)) {
    const spender = await endpoint.findSpender({ txid, vout })
    if (spender !== null && (await endpoint.findPlace(spender, null)) !== null) continue
    const proven = await proveCoins(esplora, [{ txid, vout, units: 0n }], htlc.script)
    coins.push(...proven.map((coin) => ({ ...coin, height: place.height })))
  }
  return coins
}

/** A failure of one endpoint is no answer; another one may have it. */
async function orNothing(
  read: () => Promise<readonly LockedCoin[]>,
): Promise<readonly LockedCoin[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return []
    throw error
  }
}
