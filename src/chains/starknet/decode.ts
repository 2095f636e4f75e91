import type { Asset, ChainId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { isStarknetRequest } from "./deposit-request.ts"
import { encodeShortString, formatAddress, formatFelt, readAddress, readFelt } from "./felt.ts"
import { decodeInitiate, deriveOrderId, type InitiateTerms, SELECTORS } from "./htlc.ts"
import { checkTypedData } from "./typed-data.ts"

export type DecodeContext = {
  readonly chain: ChainId
  /** `SN_SEPOLIA` or `SN_MAIN`. */
  readonly chainId: string
  readonly account: string
  readonly assets: readonly Asset[]
}

/** Decodes the service's call and typed data. Pure; hostile input becomes findings. `extras` are `starknetExtras`. */
export function decodeStarknetDeposit(context: DecodeContext, request: DepositRequest): DecodedDeposit {
  if (!isStarknetRequest(request)) return undecodable(context, finding("starknet.family", "starknet", request.family))
  const { transaction, typedData } = request
  const findings: Finding[] = []
  const htlc = readAddress(transaction.to)
  const asset = context.assets.find((each) => htlc !== null && each.htlc.some((known) => readAddress(known) === htlc))
  if (!asset) findings.push(finding("starknet.htlc_unknown", "a configured HTLC", transaction.to))
  if (readFelt(transaction.selector) !== SELECTORS.initiate) {
    findings.push(finding("starknet.selector", formatFelt(SELECTORS.initiate), transaction.selector))
  }
  const terms = readTerms(transaction.calldata)
  if (!terms) return undecodable(context, ...findings, badCalldata(transaction.calldata))
  if (readAddress(formatFelt(terms.redeemer)) === null) {
    findings.push(finding("starknet.redeemer", "a contract address", formatFelt(terms.redeemer)))
  }
  const expected = { ...terms, htlc: htlc ?? 0n, chainId: context.chainId }
  const typed =
    typedData === null || typedData === undefined
      ? { findings: [], typedData: null }
      : checkTypedData(typedData, expected)
  const orderId = deriveOrderId(encodeShortString(context.chainId), readAddress(context.account) ?? 0n, terms)
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
    extras: { orderId: orderId.toString(16), typedData: typed.typedData },
    findings: [...findings, ...typed.findings],
  }
}

/** The terms of a decoded deposit, to build from and to compare with. */
export function termsOf(deposit: DecodedDeposit): InitiateTerms {
  const { timelock, units, secretHash } = deposit
  return { redeemer: readAddress(deposit.redeemer) ?? 0n, timelock, units, secretHash }
}

function readTerms(calldata: readonly string[]): InitiateTerms | null {
  const felts = Array.isArray(calldata) ? calldata.map(readFelt) : []
  return felts.every((felt) => felt !== null) ? decodeInitiate(felts) : null
}

function badCalldata(calldata: readonly string[]): Finding {
  const found = Array.isArray(calldata) ? `${calldata.length} felts: ${calldata.join(" ")}`.slice(0, 400) : "no list"
  return finding("starknet.calldata", "[redeemer, timelock, amount.low, amount.high, 8 u32 words]", found)
}

function undecodable(context: DecodeContext, ...findings: Finding[]): DecodedDeposit {
  const nothing = { htlc: "", asset: null, units: 0n, redeemer: "", refundTo: "", secretHash: "", timelock: 0n }
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
