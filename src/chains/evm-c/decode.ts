import { decodeFunctionData, encodeFunctionData, type Hex, isHex } from "viem"
import type { Asset, ChainId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositClaim, EvmCallClaim, Finding } from "#domain/deposit.ts"
import { htlcAbi, tokenAbi } from "./htlc.ts"
import { judgeTypedData } from "./typed-data.ts"

/**
 * What the service's answer would really do, field by field, from its calldata. Pure; hostile input ends in findings, never in a throw.
 *
 * The transaction that is signed later is built anew from these fields, never from the service's bytes.
 */
export function decodeDeposit(
  claim: DepositClaim,
  context: { readonly chain: ChainId; readonly chainId: number; readonly account: string; readonly asset: Asset },
): DecodedDeposit {
  const { chain, account, asset } = context
  const nothing = {
    chain,
    family: "evm",
    asset: null,
    units: 0n,
    redeemer: "",
    refundTo: account,
    secretHash: "",
    timelock: 0n,
    extras: {},
  } as const
  if (claim.family !== "evm") {
    return {
      ...nothing,
      htlc: "",
      findings: [finding("evm.claim_family", "The answer is for another chain family", "evm", claim.family)],
    }
  }
  const { transaction } = claim
  const call = decodeInitiate(transaction.data)
  if (call === null) {
    const selector = transaction.data.slice(0, 10)
    return {
      ...nothing,
      htlc: transaction.to,
      findings: [
        finding("evm.calldata", "The calldata is not a plain initiate()", "0x97ffc7ae and four words", selector),
      ],
    }
  }
  const [redeemer, timelock, units, secretHash] = call
  const plainHash = secretHash.slice(2).toLowerCase()
  const known = asset.htlc.some((address) => isSame(address, transaction.to))
  const expected = {
    chainId: context.chainId,
    contract: transaction.to,
    redeemer,
    timelock,
    units,
    secretHash: plainHash,
  }
  // A native asset has no signature path (field notes), so typed data with it is not looked at and never signed.
  const typed =
    claim.typedData == null || asset.token === null
      ? { stored: null, findings: [] }
      : judgeTypedData(claim.typedData, expected)
  return {
    chain,
    family: "evm",
    htlc: transaction.to,
    asset: known ? asset.id : null,
    units,
    redeemer,
    refundTo: account,
    secretHash: plainHash,
    timelock,
    extras: { typedData: typed.stored, gasLimitClaim: transaction.gasLimit.toString() },
    findings: [
      ...judgeCall(transaction, known, units, context),
      ...typed.findings,
      ...judgeApproval(claim.approval, transaction.to, asset),
    ],
  }
}

function judgeCall(
  transaction: EvmCallClaim,
  known: boolean,
  units: bigint,
  { chainId, asset }: { readonly chainId: number; readonly asset: Asset },
): Finding[] {
  const value = asset.token === null ? units : 0n
  return [
    ...(known
      ? []
      : [
          finding(
            "evm.htlc_unknown",
            "The deposit goes to a contract that is not configured",
            asset.htlc.join(", ") || "none configured",
            transaction.to,
          ),
        ]),
    ...(transaction.chainId === BigInt(chainId)
      ? []
      : [
          finding("evm.chain_id", "The transaction is for another chain", String(chainId), String(transaction.chainId)),
        ]),
    ...(transaction.valueUnits === value
      ? []
      : [
          finding(
            "evm.value",
            "The transaction sends another native value",
            String(value),
            String(transaction.valueUnits),
          ),
        ]),
  ]
}

/** The service's approval is never signed, ours is exact; but one for somebody else tells that the answer is hostile. */
function judgeApproval(approval: EvmCallClaim | null, htlc: string, asset: Asset): Finding[] {
  if (approval === null) return []
  const spender = decodeSpender(approval.data)
  const fits =
    asset.token !== null &&
    isSame(approval.to, asset.token) &&
    spender !== null &&
    isSame(spender, htlc) &&
    approval.valueUnits === 0n
  return fits
    ? []
    : [
        finding(
          "evm.approval_foreign",
          "The service asks for an approval of another token or spender",
          htlc,
          `${approval.to} ${spender ?? ""}`,
        ),
      ]
}

function decodeInitiate(data: string) {
  if (!isHex(data)) return null
  try {
    const call = decodeFunctionData({ abi: htlcAbi, data })
    if (call.functionName !== "initiate") return null
    // Canonical encoding only: no dirty address bytes, nothing behind the arguments.
    const canonical = encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args: call.args })
    return canonical === data.toLowerCase() ? call.args : null
  } catch {
    // Not decodable: the caller has a finding for it.
    return null
  }
}

function decodeSpender(data: string): string | null {
  try {
    // CAST: what is not hex fails to decode.
    const call = decodeFunctionData({ abi: tokenAbi, data: data as Hex })
    return call.functionName === "approve" ? call.args[0] : null
  } catch {
    // Not an approval.
    return null
  }
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function finding(code: string, message: string, expected: string, found: string): Finding {
  return { code, message, expected, found }
}
