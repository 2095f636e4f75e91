import type { Asset, ChainId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { isStarknetRequest } from "./deposit-request.ts"
import { starknetExtras } from "./extras.ts"
import { encodeShortString, formatAddress, formatFelt, readAddress, readFelt } from "./felt.ts"
import {
  decodeInitiate,
  deriveOrderIds,
  type InitiateCall,
  type InitiateTerms,
  SELECTORS,
} from "./htlc.ts"
import { checkTypedData } from "./typed-data.ts"

type DecodeContext = {
  readonly chain: ChainId
  /** `SN_SEPOLIA` or `SN_MAIN`. */
  readonly chainId: string
  readonly account: string
  readonly assets: readonly Asset[]
}

/**
 * Decodes the service's call and typed data. Pure; hostile input becomes findings. `extras` are
 * `starknetExtras`.
 */
export function decodeStarknetDeposit(
  context: DecodeContext,
  request: DepositRequest,
): DecodedDeposit {
  if (!isStarknetRequest(request))
    return undecodable(context, finding("starknet.family", "starknet", request.family))
  const { transaction, typedData } = request
  const findings: Finding[] = []
  const htlc = readAddress(transaction.to)
  const asset = context.assets.find(
    (each) => htlc !== null && each.htlc.some((known) => readAddress(known) === htlc),
  )
  if (!asset) findings.push(finding("starknet.htlc_unknown", "a configured HTLC", transaction.to))
  const selector = readFelt(transaction.selector)
  if (selector !== SELECTORS.initiate && selector !== SELECTORS.initiateWithData) {
    findings.push(
      finding("starknet.selector", formatFelt(SELECTORS.initiate), transaction.selector),
    )
  }
  const call = readCall(selector, transaction.calldata)
  if (!call) return undecodable(context, ...findings, badCalldata(transaction.calldata))
  const { terms, layout, destinationData } = call
  if (destinationData && destinationData.length > MAX_DATA) {
    findings.push(
      finding("starknet.destination_data", `at most ${MAX_DATA} felts`, destinationData.length),
    )
  }
  if (readAddress(formatFelt(terms.redeemer)) === null) {
    findings.push(finding("starknet.redeemer", "a contract address", formatFelt(terms.redeemer)))
  }
  const expected = { ...terms, layout, htlc: htlc ?? 0n, chainId: context.chainId }
  const typed =
    typedData === null || typedData === undefined
      ? { findings: [], typedData: null }
      : checkTypedData(typedData, expected)
  const initiator = readAddress(context.account) ?? 0n
  const scope = { chainId: encodeShortString(context.chainId), initiator, htlc: htlc ?? 0n }
  const orderIds = deriveOrderIds(scope, terms, layout).map((id) => id.toString(16))
  return {
    chain: context.chain,
    family: "starknet",
    htlcKind: "contract",
    isRefundableByUs: true,
    hasTypedData: typed.typedData !== null,
    htlc: htlc === null ? transaction.to : formatAddress(htlc),
    asset: asset?.id ?? null,
    units: terms.units,
    redeemer: formatAddress(terms.redeemer),
    // The contract refunds the initiator, which is this account, by call or by signature.
    refundTo: context.account,
    secretHash: terms.secretHash,
    timelock: terms.timelock,
    extras: {
      orderId: orderIds[0] ?? null,
      orderIds,
      layout,
      destinationData: destinationData?.map((felt) => felt.toString(16)) ?? null,
      typedData: typed.typedData,
    },
    findings: [...findings, ...typed.findings],
  }
}

/** The terms of a decoded deposit, to build from and to compare with. */
export function termsOf(deposit: DecodedDeposit): InitiateTerms {
  const { timelock, units, secretHash } = deposit
  return { redeemer: readAddress(deposit.redeemer) ?? 0n, timelock, units, secretHash }
}

/**
 * The call of a verified deposit, in the layout and with the destination data of the request that
 * it was decoded from.
 */
export function callOf(deposit: DecodedDeposit): InitiateCall {
  const { layout, destinationData } = starknetExtras.parse(deposit.extras)
  return {
    terms: termsOf(deposit),
    layout,
    destinationData: destinationData?.map((felt) => BigInt(`0x${felt}`)) ?? null,
  }
}

/** Destination data is dead weight to the contract: more of it than this only raises the fee. */
const MAX_DATA = 64

/**
 * A wrong selector has a finding of its own, so the calldata is then read as that of an `initiate`.
 */
function readCall(selector: bigint | null, calldata: readonly string[]): InitiateCall | null {
  const felts = Array.isArray(calldata) ? calldata.map(readFelt) : []
  if (!felts.every((felt) => felt !== null)) return null
  return decodeInitiate(
    selector === SELECTORS.initiateWithData ? selector : SELECTORS.initiate,
    felts,
  )
}

function badCalldata(calldata: readonly string[]): Finding {
  const found = Array.isArray(calldata)
    ? `${calldata.length} felts: ${calldata.join(" ")}`.slice(0, 400)
    : "no list"
  return finding(
    "starknet.calldata",
    "[redeemer, timelock, amount.low, amount.high, 2 u128 halves or 8 u32 words]",
    found,
  )
}

function undecodable(context: DecodeContext, ...findings: Finding[]): DecodedDeposit {
  const nothing = {
    htlc: "",
    asset: null,
    units: 0n,
    redeemer: "",
    refundTo: "",
    secretHash: "",
    timelock: 0n,
  }
  const kind = { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false } as const
  const extras = { orderId: null, typedData: null }
  return { ...nothing, ...kind, chain: context.chain, family: "starknet", extras, findings }
}

function finding(code: string, expected: string, found: unknown): Finding {
  return {
    code,
    message: "the call differs from the requested deposit; Ballast signs nothing",
    expected,
    found: String(found),
  }
}
