import { chainOf } from "#domain/asset.ts"
import { isFinal } from "#order/states.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { KIND } from "../../../support/fake-burn-leg.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { issuerLimitOf, UNIT_FIAT } from "../configuration.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"
import type { Signature } from "../signature-recorder.ts"

/** An answer may be so old when its order signs. */
const SLOW_READ_MS = 60_000

/** The order took the route that burns and mints. */
export function isBurnOrder({ snapshot }: Pick<OrderRow, "snapshot">): boolean {
  return readOrder(snapshot).data.quote?.kind === KIND
}

/** The burns and mints of a run, by the ledgers. */
export type BurnCounts = {
  /** Orders whose quote was of the route. */
  readonly orders: number
  readonly burns: number
  readonly minted: number
  /** What was burnt and never minted, at the end. */
  readonly owedFiat: bigint
}

export function countBurns({ recorder, burnsOf, mintsOf }: GroundTruth): BurnCounts {
  const rows = [...recorder.rows.values()].filter(
    (row) => row.secretHash !== null && isBurnOrder(row),
  )
  const owed = rows.flatMap((row) => (mintsOf(row).length === 0 ? burnsOf(row) : []))
  return {
    orders: rows.length,
    burns: rows.reduce((sum, row) => sum + burnsOf(row).length, 0),
    minted: rows.filter((row) => mintsOf(row).length > 0).length,
    owedFiat: owed.reduce((sum, { units }) => sum + units * UNIT_FIAT, 0n),
  }
}

/**
 * By the ledgers: an order has at most one burn, each burn is minted once and to us, an order is
 * completed only with both ends final, no order ends beside a burn that is not minted, and a mint
 * counts for one order.
 */
export function checkBurns(truth: GroundTruth): Checker {
  const { world, issuer, recorder, ledgerOf, isDeep, burnsOf, mintsOf } = truth
  if (issuer === null) return {}
  const rows = (): readonly OrderRow[] =>
    [...recorder.rows.values()].filter((row) => row.secretHash !== null && isBurnOrder(row))
  const finalSinceMs = new Map<string, number>()
  const limitFiat = issuerLimitOf(truth.profile)
  const { enabled, infrastructure } = truth.profile
  const hasLaggards =
    infrastructure.kind !== "plain" || enabled.has("node lags") || enabled.has("nodes disagree")
  /** No fault of the seed gives a person work: so attesters that sign in the end end each burn. */
  const isCalm =
    truth.profile.target === null &&
    truth.profile.losesIssuer !== true &&
    !hasLaggards &&
    !["nonce taken", "transaction replaced", "reorganised", "clock leaps"].some((kind) =>
      [...enabled].some((one) => one === kind),
    )

  /** When each order's mint had become final. A fee bump still frees the nonce of our own one. */
  function noteFinals(): Violation[] {
    for (const row of rows()) {
      const [mint] = mintsOf(row)
      if (mint === undefined || !isDeep(ledgerOf(chainOf(row.to)), mint.txid))
        finalSinceMs.delete(row.id)
      else if (!finalSinceMs.has(row.id)) finalSinceMs.set(row.id, world.clock.now())
    }
    return []
  }

  function checkOne(row: OrderRow): Violation[] {
    const burns = burnsOf(row)
    const mints = mintsOf(row)
    const burntUnits = burns.reduce((sum, { units }) => sum + units, 0n)
    const [burn] = burns
    const owner = readOrder(row.snapshot).data.request.destinationOwner
    return [
      ...(burns.length > 1 || burntUnits > row.sourceUnits
        ? [violation("one burn", `${row.id} burnt ${burns.length} times: ${burntUnits}`)]
        : []),
      ...(mints.length > 1
        ? [violation("a burn is minted once", `${row.id} was minted ${mints.length} times`)]
        : []),
      ...(burn !== undefined && burn.payee !== owner
        ? [violation("a burn pays us", `${row.id} burns for ${burn.payee}`)]
        : []),
    ]
  }

  /** The open order with a voucher whose burn a signature excludes. */
  function findOwed({ chain, resources }: Signature): string | undefined {
    return recorder.signatures.find((one) => {
      if (one.call !== "burn" || one.chain !== chain) return false
      const row = recorder.rows.get(one.orderId)
      return (
        resources.some((resource) => one.resources.includes(resource)) &&
        row !== undefined &&
        !isFinal(row.state) &&
        readOrder(row.snapshot).data.voucher !== undefined
      )
    })?.orderId
  }

  /** What is burnt and not minted: the loss if the attesters are silent for ever. */
  function checkOwed(): Violation[] {
    const owedFiat = rows().reduce((sum, row) => {
      const [burn] = mintsOf(row).length === 0 ? burnsOf(row) : []
      return sum + (burn?.units ?? 0n) * UNIT_FIAT
    }, 0n)
    return owedFiat <= limitFiat
      ? []
      : [violation("the issuer's limit", `It owes ${owedFiat}, which is above its limit`)]
  }

  /** Σ burnt = Σ minted + Σ fees + in transit, by asset of the burn, with each fee in its bound. */
  function checkSums(): Violation[] {
    return rows().flatMap((row) => {
      const [burn] = burnsOf(row)
      const [mint] = mintsOf(row)
      if (burn === undefined || mint === undefined) return []
      const feeUnits = burn.units - mint.units
      return feeUnits >= 0n && mint.units >= burn.floorUnits
        ? []
        : [violation("burnt is minted", `${row.id} burnt ${burn.units}, got ${mint.units}`)]
    })
  }

  function checkEnding(row: OrderRow): Violation[] {
    const [burn] = burnsOf(row)
    const [mint] = mintsOf(row)
    if (row.state === "completed") {
      const isWhole =
        burn !== undefined &&
        mint !== undefined &&
        isDeep(ledgerOf(chainOf(row.from)), burn.txid) &&
        isDeep(ledgerOf(chainOf(row.to)), mint.txid)
      return isWhole
        ? []
        : [violation("both ends are final", `${row.id} is completed before both its ends`)]
    }
    if (row.state === "refunded")
      return [violation("a burn never comes back", `${row.id} is refunded`)]
    return burn === undefined
      ? []
      : [violation("no end beside a burn", `${row.id} is ${row.state}, and its burn landed`)]
  }

  /** A mint, by its transaction and nonce, is the receipt of one order. */
  function checkReceipts(): Violation[] {
    const owners = new Map<string, string>()
    return rows().flatMap((row) => {
      const { receipt, voucher } = readOrder(row.snapshot).data
      if (receipt == null || voucher === undefined) return []
      const key = `${receipt.txid}/${voucher.nonce}`
      const other = owners.get(key)
      owners.set(key, row.id)
      return other === undefined
        ? []
        : [violation("a nonce counts once", `${row.id} and ${other} count the same mint`)]
    })
  }

  return {
    onCommit: (before, { order }) => {
      const row = world.journal.findOrder(order.id) ?? order
      if (before.state === row.state || !isFinal(row.state) || !isBurnOrder(row)) return []
      const isUnbooked = mintsOf(row).length > 0 && readOrder(row.snapshot).data.receipt === null
      return isUnbooked
        ? [violation("no end beside a mint", `${row.id} is ${row.state}, and its mint is unbooked`)]
        : checkEnding(row)
    },
    onSignature: (signature) => {
      const { orderId, purpose, call, attempt, trueMs } = signature
      const row = recorder.rows.get(orderId)
      // Only the redemption of a told secret may come first, because its lock ends.
      const isFill = purpose.startsWith("fill/") && call !== "redeem"
      const victim = isFill ? findOwed(signature) : undefined
      if (victim !== undefined)
        return [violation("no void of an attested burn", `${purpose} excludes that of ${victim}`)]
      const isAttested = row !== undefined && readOrder(row.snapshot).data.voucher !== undefined
      if (purpose === "void" && isAttested)
        return [violation("no void of an attested burn", `${orderId} voids a burn with a voucher`)]
      const sinceMs = call === "mint" && attempt === 0 ? finalSinceMs.get(orderId) : undefined
      return sinceMs !== undefined && trueMs - sinceMs > SLOW_READ_MS && !hasLaggards
        ? [violation("no mint after its end", `${orderId} signs a mint of a used nonce`)]
        : []
    },
    afterTurn: () => [
      ...noteFinals(),
      ...rows().flatMap(checkOne),
      ...checkSums(),
      ...checkOwed(),
      ...checkReceipts(),
      ...rows()
        .filter(({ state }) => isFinal(state) && state !== "completed")
        .flatMap(checkEnding),
    ],
    atEnd: () =>
      rows().flatMap((row) => {
        if (isFinal(row.state)) return checkEnding(row)
        const [burn] = burnsOf(row)
        const alerts = world.journal.listAlerts(1_000).filter(({ orderId }) => orderId === row.id)
        const isNamed = alerts.length > 0
        const isMinted = mintsOf(row).length > 0
        const isLeft = burn !== undefined && !isMinted
        if (isLeft && isNamed && truth.profile.losesIssuer) return []
        // Its chain dropped the burn after the payout, and another transaction has its nonce.
        const isOrphan = burn === undefined && isMinted
        if (isOrphan && alerts.some(({ reason }) => reason.code === "transaction.foreign_rival"))
          return []
        if (isResting(row.state) && (burn === undefined || isNamed) && !(isLeft && isCalm))
          return []
        return [violation("every burn is minted or named", `${row.id} is still ${row.state}`)]
      }),
  }
}
