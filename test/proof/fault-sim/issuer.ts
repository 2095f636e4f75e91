import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { RoutePort, VoucherReport } from "#ports/route.ts"
import { EXPIRED, type FakeMessage, KIND, signatureOf } from "../../support/fake-burn-leg.ts"
import type { BurnTerms, Burnt } from "../../support/fake-burns.ts"
import { hashOf } from "../../support/fake-chain.ts"
import type { FakeLedger } from "../../support/fake-ledger.ts"
import { WBTC } from "../../support/fake-world.ts"
import { UNIT_FIAT } from "./configuration.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { CHAIN_FAMILIES } from "./infrastructure.ts"
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

export function createIssuer(given: Deps): Issuer {
  const conduct = new Set<FaultKind>()
  const paused = new Set<ChainId>()
  const deps: Attesters = {
    ...given,
    conduct,
    expiries: new Map(),
    renewed: new Set(),
    firsts: new Map(),
  }
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
      const family = mustExist(CHAIN_FAMILIES.get(chainOf(terms.from)), "the family of each chain")
      return { orderId, depositRequest: { family, burn } }
    },
    checkDeposit: async () => [],
    renewVoucher: async ({ nonce }, faults) => {
      if (faults.some(({ code }) => code === EXPIRED)) deps.renewed.add(nonce)
    },
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
          if (burn.payer === "wallet") meetStrangers(deps, chain, txid)
    },
  }
}

type Attesters = Deps & {
  readonly conduct: ReadonlySet<FaultKind>
  /** By nonce: the block of the destination from which on the first signature counts no more. */
  readonly expiries: Map<string, bigint>
  /** The nonces that were asked for again. */
  readonly renewed: Set<string>
  /** By order: the nonce of its first burn that was attested, which its chain may drop. */
  readonly firsts: Map<string, string>
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
function attest(deps: Attesters, chain: ChainId, txid: string): FakeMessage | null {
  const ledger = mustExist(deps.ledgers.get(chain), "a ledger of each chain")
  const found = ledger.state().burns.get(txid)
  if (found === undefined) return null
  const isDeep = Number(ledger.height() - found.height) + 1 >= deps.depthOn(chain)
  if (!isFast(found.units) && !isDeep) return null
  const burn = termsOf(found)
  const nonce = hashOf(`nonce ${txid}`)
  if (!deps.firsts.has(burn.dealKey)) deps.firsts.set(burn.dealKey, nonce)
  // The fee that is taken is often below the highest one that the burn allows.
  const feeUnits = txid < "8" ? maxFeeOf(burn.units) : maxFeeOf(burn.units) / 2n
  const message = { nonce, burn, units: burn.units - feeUnits }
  const expiresAt = expiryOf(deps, message, isDeep)
  return expiresAt === null ? message : { ...message, expiresAt }
}

/** A burn that was attested before it was final; once it is final, its message never expires. */
function expiryOf(
  { conduct, expiries, renewed, ledgers, random }: Attesters,
  { nonce, burn }: FakeMessage,
  isDeep: boolean,
): bigint | null {
  const known = expiries.get(nonce)
  if (known !== undefined) return isDeep && renewed.has(nonce) ? null : known
  if (!conduct.has("message expires") || isDeep) return null
  const height = mustExist(ledgers.get(chainIn(burn.to)), "a ledger of each chain").height()
  const expiresAt = height + random.pick([2n, 10n, 60n])
  expiries.set(nonce, expiresAt)
  return expiresAt
}

function termsOf({ payer: _, account: __, height: ___, ...terms }: Burnt): BurnTerms {
  return terms
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
      const [txid, alike] = stranger
      return ready(
        voucherOf({
          nonce: hashOf(`nonce ${txid}`),
          burn: termsOf(alike),
          units: attested.units,
        }),
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
function meetStrangers(deps: Attesters, chain: ChainId, txid: string): void {
  const { conduct, firsts } = deps
  const source = mustExist(deps.ledgers.get(chain), "a ledger of each chain")
  const attested = attest(deps, chain, txid)
  if (attested === null) return
  const { burn, nonce } = attested
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
  // The issuer's loss: the first burn is gone, and its repetition would be minted too.
  if (nonce !== firsts.get(burn.dealKey)) return
  if (conduct.has("mint by a stranger"))
    deps.ledgers.get(chainIn(burn.to))?.submit({
      ...OF_A_STRANGER,
      txid: hashOf(`front-run ${nonce} ${attested.expiresAt ?? ""}`),
      action: { kind: "mint", ...attested, isSigned: true },
    })
}

const OF_A_STRANGER = { fee: 0n, resources: [] } as const
