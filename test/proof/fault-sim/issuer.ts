import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { RoutePort, VoucherReport } from "#ports/route.ts"
import { type FakeMessage, KIND, signatureOf } from "../../support/fake-burn-leg.ts"
import type { BurnTerms } from "../../support/fake-burns.ts"
import { hashOf } from "../../support/fake-chain.ts"
import type { FakeLedger } from "../../support/fake-ledger.ts"
import { WBTC } from "../../support/fake-world.ts"
import { UNIT_FIAT } from "./configuration.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"
import { BURN_ROUTES } from "./routes.ts"

/*
 * An issuer that burns and mints, beside the swap service: its contracts are in the ledgers, its
 * attesters and their service here.
 */

export type Issuer = {
  /** The faults that are active now. */
  readonly conduct: Set<FaultKind>
  readonly paused: Set<ChainId>
  readonly route: RoutePort
  readonly reasonsOn: (chain: ChainId) => readonly Reason[]
  /** What strangers do in each block. */
  readonly act: () => void
}

type Deps = {
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly depthOn: (chain: ChainId) => number
  readonly random: Random
  readonly now: () => number
}

export function createIssuer(deps: Deps): Issuer {
  const conduct = new Set<FaultKind>()
  const paused = new Set<ChainId>()
  const askedSinceMs = new Map<string, number>()
  /** As the real route has it, in the memory of the process. */
  const isLate = (txid: string): boolean => {
    const sinceMs = askedSinceMs.get(txid) ?? deps.now()
    askedSinceMs.set(txid, sinceMs)
    return deps.now() - sinceMs > LATE_MS
  }
  const route: RoutePort = {
    kind: KIND,
    fetchQuotes: async ({ from, to, sourceUnits }) => quote(from, to, sourceUnits),
    open: ({ orderId, dealKey, terms, quote: { destinationUnits } }) => {
      const burn: BurnTerms = {
        dealKey,
        asset: terms.from,
        units: terms.sourceUnits,
        to: terms.to,
        payee: terms.destinationOwner,
        floorUnits: destinationUnits,
        token: terms.from === WBTC,
      }
      return { orderId, depositRequest: { family: "evm", burn } }
    },
    checkDeposit: async () => [],
    readVoucher: async ({ chain }, { txid }) => {
      const attested = attest(deps, chain, txid)
      if (conduct.has("attestation service lies")) return lie(deps, attested)
      if (conduct.has("attester late")) return LATE
      if (attested === null || conduct.has("attester silent")) return isLate(txid) ? LATE : WAITING
      return { status: "ready", voucher: voucherOf(attested) }
    },
  }
  return {
    conduct,
    paused,
    route,
    reasonsOn: (chain) =>
      paused.has(chain) ? [{ code: "toy.paused", message: "The contracts are paused" }] : [],
    act: () => {
      for (const [chain, { state }] of deps.ledgers)
        for (const [txid, burn] of state().burns)
          if (burn.payer === "wallet") meetStrangers(deps, conduct, chain, txid)
    },
  }
}

const LATE_MS = 30 * 60_000
const WAITING: VoucherReport = { status: "waiting", reasons: [] }
const LATE: VoucherReport = {
  status: "late",
  reasons: [{ code: "toy.attestation_late", message: "The attesters take their time" }],
}

function quote(from: AssetId, to: AssetId, sourceUnits: bigint): readonly Quote[] {
  if (!BURN_ROUTES.some(([source, target]) => source === from && target === to)) return []
  const destinationUnits = sourceUnits - maxFeeOf(sourceUnits)
  return [
    {
      from,
      to,
      sourceUnits,
      destinationUnits,
      sourceFiat: sourceUnits * UNIT_FIAT,
      destinationFiat: destinationUnits * UNIT_FIAT,
      solverId: isFast(sourceUnits) ? "fast" : "standard",
      estimatedSeconds: 20,
      worstSeconds: 1_200,
      kind: KIND,
      guarantee: "contract",
    },
  ]
}

/** Half of the amounts go fast: attested at once, for a fee. The others at their finality. */
function isFast(units: bigint): boolean {
  return units % 2n === 0n
}

function maxFeeOf(units: bigint): bigint {
  return isFast(units) ? 1n + units / 1_000n : 0n
}

/** `null`: the attesters do not see the burn yet, or not deep enough. */
function attest({ ledgers, depthOn }: Deps, chain: ChainId, txid: string): FakeMessage | null {
  const ledger = mustExist(ledgers.get(chain), "a ledger of each chain")
  const found = ledger.state().burns.get(txid)
  if (found === undefined) return null
  const depth = Number(ledger.height() - found.height) + 1
  if (!isFast(found.units) && depth < depthOn(chain)) return null
  const { payer: _, height: __, ...burn } = found
  // The fee that is taken is often below the highest one that the burn allows.
  const feeUnits = txid < "8" ? maxFeeOf(burn.units) : maxFeeOf(burn.units) / 2n
  return { nonce: hashOf(`nonce ${txid}`), burn, units: burn.units - feeUnits }
}

function voucherOf(message: FakeMessage, signature?: string): RouteVoucher {
  const text = encodeJson(message)
  const fields = { message: text, signature: signature ?? signatureOf(text) }
  return { kind: KIND, nonce: message.nonce, fields }
}

/** The service gives what no attester signed for this burn. */
function lie({ random, ledgers }: Deps, attested: FakeMessage | null): VoucherReport {
  if (attested === null) return WAITING
  const { burn } = attested
  const ready = (voucher: RouteVoucher): VoucherReport => ({ status: "ready", voucher })
  const source = mustExist(ledgers.get(chainIn(burn.asset)), "a ledger of each chain")
  const stranger = [...source.state().burns].find(([, { payer }]) => payer === "stranger")
  const other = { ...attested, nonce: hashOf(`another ${attested.nonce}`) }
  return random.pick([
    () => ready(voucherOf(other, "none")),
    () => ready(voucherOf({ ...attested, burn: { ...burn, payee: "stranger" } }, "none")),
    () => ready(voucherOf({ ...attested, units: attested.units / 2n }, "none")),
    () => BROKEN,
    () => {
      if (stranger === undefined) return BROKEN
      const [txid, { payer: _, height: __, ...alike }] = stranger
      return ready(
        voucherOf({ nonce: hashOf(`nonce ${txid}`), burn: alike, units: attested.units }),
      )
    },
  ])()
}

const BROKEN: VoucherReport = {
  status: "broken",
  reasons: [{ code: "toy.bytes_differ", message: "The message is not that of our burn" }],
}

function chainIn(asset: string): ChainId {
  // CAST: the ledgers use asset ids as keys.
  return chainOf(asset as AssetId)
}

/** Strangers copy our burns, and take our payouts for us. */
function meetStrangers(
  deps: Deps,
  conduct: ReadonlySet<FaultKind>,
  chain: ChainId,
  txid: string,
): void {
  const source = mustExist(deps.ledgers.get(chain), "a ledger of each chain")
  const attested = attest(deps, chain, txid)
  if (attested === null) return
  const { burn } = attested
  if (conduct.has("equal burn of a stranger"))
    source.submit({
      ...OF_A_STRANGER,
      txid: hashOf(`alike ${txid}`),
      action: {
        kind: "burn",
        burn: { ...burn, dealKey: hashOf(`alike ${burn.dealKey}`) },
        payer: "stranger",
      },
    })
  if (conduct.has("mint by a stranger"))
    deps.ledgers.get(chainIn(burn.to))?.submit({
      ...OF_A_STRANGER,
      txid: hashOf(`front-run ${attested.nonce}`),
      action: { kind: "mint", ...attested, isSigned: true },
    })
}

const OF_A_STRANGER = { fee: 0n, resources: [] } as const
