import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding, VerifiedDeposit } from "#domain/deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { type EvmCallRequest, type EvmDepositRequest, isEvmRequest } from "./deposit-request.ts"
import type { EvmExtras } from "./extras.ts"
import {
  decodeApprove,
  decodeDeposit,
  isUnlimited,
  readAddress,
  sameAddress,
  type Terms,
} from "./htlc.ts"
import { checkTypedData } from "./typed-data.ts"
import { requireAddress, requireAsset, type Wallet } from "./wallet.ts"

/**
 * Decodes the real effect of the service's transaction and typed data. Pure. Hostile input never
 * throws: each doubt becomes a finding. A field that cannot be decoded stays empty or zero, and has
 * a finding.
 *
 * `extras` are `EvmExtras`.
 */
export function decodeEvmDeposit(
  wallet: DecodingWallet,
  request: DepositRequest,
  asset: AssetId,
): DecodedDeposit {
  const base = {
    chain: wallet.chain,
    family: "evm",
    htlcKind: "contract",
    isRefundableByUs: true,
    refundTo: wallet.account,
  } as const
  if (!isEvmRequest(request)) {
    const findings = [
      finding(
        "evm.claim",
        "The answer is not for an EVM chain",
        "an EVM transaction",
        request.family,
      ),
    ]
    return { ...base, ...NOTHING, hasTypedData: false, asset: null, htlc: "", extras: {}, findings }
  }
  const { transaction, typedData } = request
  const htlc = readAddress(transaction.to)
  const call = decodeDeposit(withPrefix(transaction.data))
  const terms = call?.terms ?? null
  const checked =
    typedData === null || typedData === undefined || htlc === null || terms === null
      ? { findings: [], typedData: null }
      : checkTypedData(typedData, { terms, htlc, chainId: wallet.chainId })
  const native = requireAsset(wallet, asset).token === null
  const extras: EvmExtras = {
    functionName: terms === null ? null : "initiate",
    to: htlc,
    data: transaction.data.slice(0, 1_000),
    value: transaction.valueUnits.toString(),
    gasLimitClaim: transaction.gasLimit.toString(),
    destinationData: call?.destinationData ?? null,
    // A contract cannot pull native funds on a signature, so typed data for them is ignored.
    typedData: native ? null : checked.typedData,
    approvalNote: noteApproval(wallet, request, asset),
  }
  return {
    ...base,
    ...(terms ?? NOTHING),
    // The contract refunds the initiator, so a deposit on behalf of another account would not come
    // back to us.
    refundTo: call?.initiator ?? wallet.account,
    hasTypedData: extras.typedData !== null,
    htlc: htlc ?? transaction.to.slice(0, 100),
    asset: findAsset(wallet, transaction.to, asset),
    extras,
    findings: [
      ...checkCall(wallet, transaction, terms, asset),
      ...checked.findings,
      ...checkApproval(extras.approvalNote, request.approval),
    ],
  }
}

type DecodingWallet = Pick<Wallet, "chain" | "chainId" | "account" | "assets">

/**
 * The terms that a verified deposit locks. Throws `evm.deposit` (refused) for one that this family
 * did not decode.
 */
export function termsOf(deposit: VerifiedDeposit): Terms {
  const { redeemer, timelock, units, secretHash } = deposit
  if (deposit.family === "evm" && /^[0-9a-f]{64}$/.test(secretHash)) {
    return { redeemer: requireAddress(redeemer), timelock, units, secretHash }
  }
  throw new AppError({
    code: "evm.deposit",
    disposition: "refused",
    message: "This chain's family did not decode the deposit; inspect the order",
    details: { family: deposit.family, secretHash: secretHash.slice(0, 80) },
  })
}

const NOTHING = { redeemer: "", timelock: 0n, units: 0n, secretHash: "" } as const

function checkCall(
  wallet: DecodingWallet,
  call: EvmCallRequest,
  terms: Terms | null,
  id: AssetId,
): Finding[] {
  const asset = requireAsset(wallet, id)
  const findings: Finding[] = []
  if (!asset.htlc.some((htlc) => sameAddress(htlc, call.to))) {
    const message = "The deposit goes to a contract that is not configured as an HTLC of this asset"
    findings.push(finding("evm.htlc_unknown", message, asset.htlc.join(), call.to))
  }
  if (call.chainId !== BigInt(wallet.chainId)) {
    const message = "The transaction is for another chain"
    findings.push(finding("evm.chain_id", message, String(wallet.chainId), call.chainId.toString()))
  }
  if (terms === null) {
    const message =
      "The call is not initiate(address,uint256,uint256,bytes32) in its canonical encoding, " +
      "with or without short destination data"
    findings.push(
      finding("evm.calldata", message, "0x97ffc7ae and four words, or 0x4ede0ab7", call.data),
    )
  }
  const value = asset.token === null ? (terms?.units ?? call.valueUnits) : 0n
  if (call.valueUnits !== value) {
    const message = "The transaction carries another value than the deposit needs"
    findings.push(finding("evm.value", message, value.toString(), call.valueUnits.toString()))
  }
  return findings
}

/**
 * The asset of the order if the contract belongs to it, else the first configured asset that has
 * the contract.
 */
function findAsset({ assets }: DecodingWallet, to: string, asked: AssetId): AssetId | null {
  const holders = assets
    .filter(({ htlc }) => htlc.some((each) => sameAddress(each, to)))
    .map(({ id }) => id)
  return holders.includes(asked) ? asked : (holders[0] ?? null)
}

function noteApproval(
  wallet: DecodingWallet,
  request: EvmDepositRequest,
  id: AssetId,
): EvmExtras["approvalNote"] {
  if (request.approval === null) return null
  const { token } = requireAsset(wallet, id)
  const approve = decodeApprove(withPrefix(request.approval.data))
  const known = token !== null && sameAddress(request.approval.to, token)
  if (!known || approve === null || !sameAddress(approve.spender, request.transaction.to))
    return "foreign"
  return isUnlimited(approve.units) ? "unlimited" : null
}

function checkApproval(
  note: EvmExtras["approvalNote"],
  approval: EvmCallRequest | null,
): Finding[] {
  if (note !== "foreign" || approval === null) return []
  const message =
    "The service wants an approval that is not for this deposit; Ballast does not pay such an order"
  return [
    finding(
      "evm.approval_foreign",
      message,
      "the asset's token, for the HTLC",
      `${approval.to} ${approval.data}`,
    ),
  ]
}

function withPrefix(data: string): string {
  return /^0x/i.test(data) ? data : `0x${data}`
}

function finding(code: string, message: string, expected: string, found: string): Finding {
  return { code, message, expected, found: found.slice(0, 300) }
}
