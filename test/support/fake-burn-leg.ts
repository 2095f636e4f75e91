import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { decodeJson } from "#lib/json.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import type { RouteLeg } from "#ports/route.ts"
import { accountResource, type BurnTerms, findMessage, isExpired, MESSENGER } from "./fake-burns.ts"
import {
  depthsOf,
  type FakeChainOptions,
  hashOf,
  offersOf,
  planDraft,
  proveUnsent,
} from "./fake-chain.ts"
import { MAX_FEE } from "./fake-fees.ts"
import { visibleHeight } from "./fake-touched-legs.ts"

export const KIND = "cctp"

/** What a voucher of the fake issuer says, as JSON in its field `message`. */
export type FakeMessage = {
  readonly nonce: string
  readonly burn: BurnTerms
  readonly units: bigint
  /** From this block of the destination on it must be signed again. Absent: never. */
  readonly expiresAt?: bigint
}

/** A signature of the attesters, which nobody else makes. */
export function signatureOf(message: string): string {
  return hashOf(`attesters ${message}`)
}

/** The contracts of the fake issuer on one fake chain with accounts, or its programs on Solana. */
export function createBurnLeg(
  options: FakeChainOptions,
  reasonsNow: () => readonly Reason[],
): RouteLeg {
  const { ledger } = options
  const feeFor = (action: "initiate" | "redeem"): bigint => offersOf(options).first(action, null)
  return {
    kind: KIND,
    decodeDeposit: (request, asset) => decode(options, request, asset),
    checkDeposit: async () => reasonsNow(),
    checkPayout: async ({ deposit, owner }, voucher) =>
      judgePayout(options, deposit, owner, voucher, reasonsNow()),
    checkVoucher: async (deposit, voucher) => judgeVoucher(deposit, voucher),
    isOver: async (deposit, voucher) => isOverFinally(options, deposit, voucher),
    observeLeg: async (query) => observe(options, query),
    proveUnfunded: async (query) => proveUnsent(options, query),
    estimateRedeemFee: async () => MAX_FEE,
    planDeposit: async ({ asset, deposit }, reserved, how) => {
      const { dealKey } = termsOf(deposit)
      if (ledger.kind === "slots" && isTaken(options, dealKey, reserved))
        return { refused: [{ code: "toy.burn_exists", message: "The order's burn exists" }] }
      const draft = {
        fee: feeFor("initiate"),
        action: { kind: "burn", burn: termsOf(deposit), payer: "wallet" },
      } as const
      const spends = [{ asset, units: deposit.units }]
      const drafted = { action: "initiate", draft, capUnits: MAX_FEE, spends } as const
      return planDraft(options, drafted, reserved, how)
    },
    planRedemption: async (_payout, voucher, reserved, how) => {
      const message = readMessage(voucher)
      const isSigned = isAttested(voucher)
      const { mints } = ledger.state()
      // As an estimate of its gas, or a simulation, would.
      if (!isSigned || mints.has(message.nonce) || isExpired(message.expiresAt, ledger.height()))
        return { refused: [{ code: "toy.reverts", message: "The mint would revert" }] }
      const draft = {
        fee: feeFor("redeem"),
        action: { kind: "mint", ...message, isSigned },
      } as const
      return planDraft(
        options,
        { action: "redeem", draft, capUnits: MAX_FEE, spends: [] },
        reserved,
        how,
      )
    },
  }
}

/** The account of the message is open, or bytes that open it may land. */
function isTaken(
  { ledger }: FakeChainOptions,
  dealKey: string,
  reserved: ReadonlySet<string>,
): boolean {
  const isOpen = findMessage(ledger.state().burns, dealKey) !== null
  return isOpen || reserved.has(accountResource(dealKey))
}

function isAttested({ fields }: RouteVoucher): boolean {
  return fields["signature"] === signatureOf(fields["message"] ?? "")
}

function readMessage({ fields }: RouteVoucher): FakeMessage {
  // CAST: written by the fake issuer.
  return decodeJson(fields["message"] ?? "") as FakeMessage
}

/** As the contract and the own check before a mint: bytes, signatures and the nonce. */
function judgePayout(
  { ledger }: FakeChainOptions,
  deposit: DecodedDeposit,
  owner: string,
  voucher: RouteVoucher | null,
  reasons: readonly Reason[],
): readonly Reason[] {
  if (deposit.redeemer !== owner)
    return [{ code: "toy.payee", message: "The burn pays another account" }]
  if (voucher === null || reasons.length > 0) return reasons
  const foreign = judgeVoucher(deposit, voucher)
  if (foreign.length > 0) return foreign
  const { nonce, expiresAt } = readMessage(voucher)
  if (ledger.state().mints.has(nonce))
    return [{ code: "toy.nonce_used", message: "The message is minted already" }]
  return isExpired(expiresAt, ledger.height())
    ? [{ code: EXPIRED, message: "The message has expired; it can be signed again" }]
    : []
}

/** The fault with which the issuer is asked for another signature. */
export const EXPIRED = "toy.expired"

/** By the newest final block: no block before it has the mint, and none after it can. */
function isOverFinally(
  options: FakeChainOptions,
  deposit: DecodedDeposit,
  voucher: RouteVoucher,
): boolean {
  const { ledger, confirmations } = options
  if (judgeVoucher(deposit, voucher).length > 0) return false
  const { nonce, expiresAt } = readMessage(voucher)
  const finalHeight = ledger.height() - BigInt(confirmations - 1)
  return !ledger.state().mints.has(nonce) && isExpired(expiresAt, finalHeight)
}

/** The bytes and the signatures. */
function judgeVoucher(deposit: DecodedDeposit, voucher: RouteVoucher): readonly Reason[] {
  const { burn, nonce } = readMessage(voucher)
  const isOurs = burn.dealKey === deposit.secretHash && burn.payee === deposit.redeemer
  if (nonce !== voucher.nonce || !isOurs)
    return [{ code: "toy.bytes_differ", message: "The message is not that of our burn" }]
  return isAttested(voucher)
    ? []
    : [{ code: "toy.unsigned", message: "The signature is none of the attesters" }]
}

function observe(options: FakeChainOptions, query: LegQuery): LegObservation {
  const { ledger } = options
  const tip = ledger.height()
  // Solana's newest slot does not show yet.
  const height = visibleHeight(ledger)
  const nothing: LegObservation = {
    height,
    agreed: true,
    initiated: null,
    redeemed: null,
    refunded: null,
    refundableAt: null,
  }
  const { route } = query
  if (route === undefined) return nothing
  const onChain = (tx: { readonly txid: string; readonly height: bigint }): OnChain => {
    const confirmations = Number(tip - tx.height) + 1
    const { final, seen } = depthsOf(options, confirmations)
    return { txid: tx.txid, height: tx.height, confirmations, revealable: final, seen, final }
  }
  if (query.side === "source") {
    const [burn] = route.signed.flatMap(({ txid }) => {
      const found = ledger.state().burns.get(txid)
      const isOurs = found?.dealKey === route.deposit.secretHash && found.height <= height
      return isOurs ? [{ ...found, txid }] : []
    })
    if (burn === undefined) return nothing
    return { ...nothing, initiated: { ...onChain(burn), units: burn.units } }
  }
  const mint = [...ledger.state().mints.values()].find(
    (minted) => minted.burn.dealKey === route.deposit.secretHash && minted.height <= height,
  )
  if (mint === undefined) return nothing
  return { ...nothing, redeemed: { ...onChain(mint), paidUnits: mint.units, secret: null } }
}

function decode(
  { chain }: FakeChainOptions,
  request: DepositRequest,
  asset: DecodedDeposit["asset"],
): DecodedDeposit {
  // CAST: written by the fake issuer.
  const burn = request["burn"] as BurnTerms
  return {
    kind: KIND,
    chain,
    family: request.family,
    htlc: MESSENGER,
    htlcKind: "contract",
    isRefundableByUs: false,
    hasTypedData: false,
    asset,
    units: burn.units,
    floorUnits: burn.floorUnits,
    mostUnits: burn.units,
    redeemer: burn.payee,
    refundTo: "",
    secretHash: burn.dealKey,
    timelock: 0n,
    extras: { to: burn.to, token: burn.token },
    findings: [],
  }
}

function termsOf({
  asset,
  units,
  floorUnits,
  redeemer,
  secretHash,
  extras,
}: DecodedDeposit): BurnTerms {
  return {
    dealKey: secretHash,
    asset: String(asset),
    units,
    to: String(extras["to"]),
    payee: redeemer,
    floorUnits: floorUnits ?? 0n,
    token: extras["token"] === true,
  }
}
