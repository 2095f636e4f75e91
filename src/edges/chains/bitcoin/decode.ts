import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import { sameAddress, scriptOf } from "./address.ts"
import { isBitcoinRequest } from "./deposit-request.ts"
import type { BitcoinExtras } from "./extras.ts"
import {
  deriveHtlc,
  type HtlcTerms,
  htlcTerms,
  MAX_TIMELOCK_BLOCKS,
  parseXOnlyKey,
} from "./htlc.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Decodes the real effect of paying `request.to`, from the keys of the order as read back. Pure;
 * never throws on hostile input.
 *
 * An address that the order's keys cannot derive is no finding here: `verifyDeposit` refuses it by
 * `htlcKind`. `extras` are `BitcoinExtras`.
 */
export function decodeDeposit(
  wallet: Wallet,
  request: DepositRequest,
  order: ServiceOrder,
  asset: AssetId,
): DecodedDeposit {
  const { source } = order
  const { to, units } = isBitcoinRequest(request) ? request : { to: "", units: 0n }
  const refundKey = parseXOnlyKey(source.delegate)
  const refundKeyOurs = refundKey === Buffer.from(wallet.xOnlyKey).toString("hex")
  const terms = readTerms(order)
  return {
    chain: wallet.chain,
    family: "bitcoin",
    htlc: to,
    asset: asset === wallet.asset ? wallet.asset : null,
    htlcKind: terms === null ? "underivable-address" : "derivable-address",
    isRefundableByUs: refundKeyOurs,
    hasTypedData: false,
    units,
    redeemer: source.redeemer,
    refundTo: refundKeyOurs ? wallet.address : (source.delegate ?? ""),
    secretHash: source.secretHash,
    timelock: source.timelock,
    extras: { htlc: terms } satisfies BitcoinExtras,
    findings: [
      ...checkFamily(request),
      ...checkNetwork(to, wallet),
      ...checkDerivation(to, terms, wallet),
      ...checkSwapId(to, source.swapId, wallet),
      ...checkTimelock(source.timelock),
    ],
  }
}

/**
 * Checks that the address of a destination leg is the HTLC of its keys. The solver holds the refund
 * key (`initiator`), the service the redeem key (`delegate`), or Ballast where it chose the secret.
 * An address that these keys do not derive could belong to a stranger, and its coins would look
 * like our pending payout. Fields that are not valid keys are a finding only where the redeem key
 * is ours: Ballast tells its secret because of that address.
 */
export function checkDestination(wallet: Wallet, leg: ReportedLeg): readonly Finding[] {
  const terms = htlcTerms.safeParse({
    refundKey: parseXOnlyKey(leg.initiator),
    redeemKey: parseXOnlyKey(leg.delegate),
    secretHash: leg.secretHash,
    timelock: Number(leg.timelock),
  })
  const isOurs = parseXOnlyKey(leg.delegate) === Buffer.from(wallet.xOnlyKey).toString("hex")
  if (!terms.success && !isOurs) return []
  const expected = terms.success
    ? deriveHtlc(terms.data, wallet.network).address
    : "an HTLC of valid keys"
  if (terms.success && sameAddress(expected, leg.swapId, wallet.network)) return []
  const message =
    "the destination address is not the HTLC of the order's keys, secret hash and timelock"
  return [{ code: "bitcoin.destination_underived", message, expected, found: leg.swapId }]
}

function readTerms(order: ServiceOrder): HtlcTerms | null {
  const { source } = order
  const parsed = htlcTerms.safeParse({
    refundKey: parseXOnlyKey(source.delegate),
    redeemKey: parseXOnlyKey(source.redeemer),
    secretHash: source.secretHash,
    timelock: Number(source.timelock),
  })
  return parsed.success ? parsed.data : null
}

function checkFamily(request: DepositRequest): Finding[] {
  if (isBitcoinRequest(request)) return []
  const message = "the service answered with a deposit of another family; do not pay it"
  return [{ code: "bitcoin.claim_family", message, expected: "bitcoin", found: request.family }]
}

function checkNetwork(to: string, wallet: Wallet): Finding[] {
  if (scriptOf(to, wallet.network) !== null) return []
  const message = "the deposit address is not an address of this network"
  return [
    { code: "bitcoin.address_network", message, expected: `${wallet.network.bech32}1…`, found: to },
  ]
}

function checkDerivation(to: string, terms: HtlcTerms | null, wallet: Wallet): Finding[] {
  if (terms === null) return []
  const expected = deriveHtlc(terms, wallet.network).address
  if (sameAddress(expected, to, wallet.network)) return []
  const message =
    "the deposit address is not the HTLC of the order's keys, secret hash and timelock"
  return [{ code: "bitcoin.address_underived", message, expected, found: to }]
}

function checkSwapId(to: string, swapId: string, wallet: Wallet): Finding[] {
  if (swapId === to || sameAddress(swapId, to, wallet.network)) return []
  const message = "the order names a different deposit address than the answer to its creation"
  return [{ code: "bitcoin.swap_id_mismatch", message, expected: to, found: swapId }]
}

function checkTimelock(timelock: bigint): Finding[] {
  if (timelock >= 1n && timelock <= BigInt(MAX_TIMELOCK_BLOCKS)) return []
  const message = "the timelock is not a relative lock in blocks (BIP 68)"
  const expected = `1 to ${MAX_TIMELOCK_BLOCKS}`
  return [{ code: "bitcoin.timelock_range", message, expected, found: timelock.toString() }]
}
