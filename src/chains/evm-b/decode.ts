import { decodeFunctionData, isHex } from "viem"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositClaim, EvmCallClaim, Finding } from "#domain/deposit.ts"
import { encodeInitiate, htlcAbi, type Terms, tokenAbi } from "./htlc.ts"
import { checkTypedData, type TypedData } from "./typed-data.ts"
import { holdsHtlc, readAddress, sameAddress, type Wallet } from "./wallet.ts"

/** What the claim's transaction and typed data would really do, from their bytes. Pure; hostile input becomes findings. */
export function decodeDeposit(claim: DepositClaim, wallet: Wallet, assetId: AssetId): DecodedDeposit {
  if (claim.family !== "evm") {
    return shape(wallet, "", null, null, {}, [
      finding("evm.claim_family", "The service answers for another chain family", "evm", claim.family),
    ])
  }
  const { transaction } = claim
  const asset = wallet.assets.find((candidate) => candidate.id === assetId)
  const htlc = readAddress(transaction.to)
  const known = asset !== undefined && htlc !== null && holdsHtlc(asset, htlc)
  const terms = readInitiate(transaction.data)
  const typed = readTypedData(claim.typedData, wallet, htlc, terms)
  const findings = [
    ...holds(
      known,
      "evm.htlc_unknown",
      "The deposit goes to a contract that is not configured for this asset",
      asset?.htlc.join() ?? `a configured asset ${assetId}`,
      transaction.to,
    ),
    ...checkCall(transaction, wallet, terms, asset),
    ...checkApproval(claim.approval, asset, transaction.to),
    ...typed.findings,
  ]
  const extras = {
    functionName: "initiate",
    gasLimitClaim: String(transaction.gasLimit),
    // Native funds cannot be pulled on a signature.
    typedData: asset?.token == null ? null : typed.typedData,
    to: transaction.to,
  }
  return shape(wallet, htlc ?? transaction.to, known ? assetId : null, terms, extras, findings)
}

/** The arguments of a canonically encoded `initiate(address,uint256,uint256,bytes32)`, and nothing else. */
export function readInitiate(text: string): Terms | null {
  const data = text.toLowerCase()
  if (!isHex(data)) return null
  try {
    const { functionName, args } = decodeFunctionData({ abi: htlcAbi, data })
    if (functionName !== "initiate") return null
    const [redeemer, timelock, units, secretHash] = args
    const terms = { redeemer, timelock, units, secretHash }
    return encodeInitiate(terms) === data ? terms : null
  } catch {
    // Another selector or broken arguments: the caller says what that means.
    return null
  }
}

function checkCall(call: EvmCallClaim, wallet: Wallet, terms: Terms | null, asset: Asset | undefined): Finding[] {
  const value = asset?.token == null ? (terms?.units ?? null) : 0n
  return [
    ...holds(
      terms !== null,
      "evm.calldata",
      "The call is not a plain initiate",
      "initiate(address,uint256,uint256,bytes32)",
      call.data.slice(0, 300),
    ),
    ...holds(
      call.chainId === BigInt(wallet.chainId),
      "evm.chain_id",
      "The transaction is for another chain",
      String(wallet.chainId),
      String(call.chainId),
    ),
    ...holds(
      call.valueUnits === value,
      "evm.value",
      "The transaction sends another value of the native asset",
      String(value ?? "the amount of a readable call"),
      String(call.valueUnits),
    ),
  ]
}

/** Never signed, whatever it says; but one that is not even about this deposit shows that the service is not to be trusted. */
function checkApproval(approval: EvmCallClaim | null, asset: Asset | undefined, htlc: string): Finding[] {
  if (approval === null) return []
  const spender = readSpender(approval.data)
  const ours = asset?.token != null && sameAddress(approval.to, asset.token) && spender !== null
  return holds(
    ours && sameAddress(spender, htlc),
    "evm.approval_foreign",
    "The approval that the service proposes is for another token or spender",
    `${asset?.token ?? "no approval"} for ${htlc}`,
    `${approval.to} for ${spender ?? approval.data.slice(0, 80)}`,
  )
}

function readSpender(text: string): string | null {
  const data = text.toLowerCase()
  if (!isHex(data)) return null
  try {
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
    return functionName === "approve" ? args[0] : null
  } catch {
    // No approval at all: foreign.
    return null
  }
}

type Typed = { readonly findings: readonly Finding[]; readonly typedData: TypedData | null }

function readTypedData(value: unknown, wallet: Wallet, htlc: `0x${string}` | null, terms: Terms | null): Typed {
  // Without a readable call there is nothing to compare with, and that is a finding already.
  if (value === null || value === undefined || htlc === null || terms === null) return { findings: [], typedData: null }
  return checkTypedData(value, { ...terms, htlc, chainId: wallet.chainId })
}

function shape(
  wallet: Wallet,
  htlc: string,
  asset: AssetId | null,
  terms: Terms | null,
  extras: DecodedDeposit["extras"],
  findings: readonly Finding[],
): DecodedDeposit {
  return {
    chain: wallet.chain,
    family: "evm",
    htlc,
    asset,
    units: terms === null ? 0n : terms.units,
    redeemer: terms === null ? "" : terms.redeemer,
    // The contract refunds whoever initiates: for our transaction and our signature alike, us.
    refundTo: wallet.account,
    secretHash: terms === null ? "" : terms.secretHash.slice(2),
    timelock: terms === null ? 0n : terms.timelock,
    extras,
    findings,
  }
}

function holds(condition: boolean, code: string, message: string, expected: string, found: string): Finding[] {
  return condition ? [] : [finding(code, message, expected, found)]
}

function finding(code: string, message: string, expected: string, found: string): Finding {
  return { code, message, expected, found }
}
