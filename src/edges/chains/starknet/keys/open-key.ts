import { hashSecret } from "#chains/opens-payout.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import {
  type InspectingKeyHolder,
  type KeyHolderWorld,
  nameTerms,
  type SigningScope,
} from "#ports/key-holder.ts"
import type { StarknetChainConfig } from "../config.ts"
import { termsOf } from "../decode.ts"
import { decodeInitiate, decodeMulticall, type InitiateTerms, readRedeemSecret } from "../htlc.ts"
import { createStarknetSigner, holdKey } from "../signer.ts"
import { maxFeeOf, type UnsignedInvoke } from "../spend/invoke.ts"
import { checkPermitted, type Permissions, readApproval } from "../spend/permit.ts"
import { htlcsOf, requireAddress, tokenOf, withUrgentCap } from "../wallet.ts"

/**
 * Opens the key of one chain for the signer process. Throws `config.key`, `starknet.address`
 * (fatal).
 */
export function openStarknetKey(
  config: StarknetChainConfig,
  world: KeyHolderWorld,
): InspectingKeyHolder {
  const { chain, chainId, account, maxFeeUnits, key } = config
  const assets = world.assets.filter((asset) => asset.chain === chain)
  const wallet = {
    chain,
    chainId,
    account,
    accountFelt: requireAddress(account),
    maxFeeUnits,
    assets,
  }
  const signer = createStarknetSigner(wallet, key)
  return {
    ...holdKey(signer),
    account,
    isRandomised: false,
    readTransaction: (plan, { worthUnits }) =>
      readScope(wallet, plan, checkPermitted(wallet, plan, worthUnits)),
    readTypedData: (deposit) => readTypedScope(wallet, deposit, signer.digestOf(deposit)),
  }
}

/** Reads the effect from the calls that `checkPermitted` has accepted. */
function readScope(
  wallet: Permissions,
  { action, digest }: TransactionPlan,
  invoke: UnsignedInvoke,
): SigningScope {
  const calls = decodeMulticall(invoke.calldata.map((felt) => BigInt(felt))) ?? []
  const first = calls[0]
  const last = calls.at(-1)
  const terms = last === undefined ? undefined : decodeInitiate(last.selector, last.calldata)?.terms
  const approval = first === undefined ? null : readApproval(wallet, first)
  const approved = wallet.assets.find((asset) => tokenOf(asset) === approval?.token)
  return {
    chain: wallet.chain,
    account: wallet.account,
    action,
    digest,
    resources: [
      `nonce:${BigInt(invoke.nonce)}`,
      ...(terms === undefined ? [] : [nameOf(last?.to ?? 0n, terms)]),
    ],
    isExclusive: true,
    feeUnits: maxFeeOf(invoke.bounds),
    deposit:
      terms === undefined ? null : { secretHash: terms.secretHash, timelock: terms.timelock },
    spends: terms === undefined ? [] : spendsAt(wallet, last?.to ?? 0n, terms.units),
    allowance:
      approval === null || approved === undefined
        ? null
        : { asset: approved.id, units: approval.units },
    ...(action === "redeem"
      ? readRedemption(wallet, last?.calldata ?? [], maxFeeOf(invoke.bounds))
      : {}),
  }
}

function readRedemption(
  wallet: Permissions,
  calldata: readonly bigint[],
  feeUnits: bigint,
): Pick<SigningScope, "redeemsHash" | "dearRedemptionOf"> {
  const secret = readRedeemSecret(calldata)
  if (secret === null) return {}
  const redeemsHash = hashSecret(secret)
  const isDear = feeUnits > withUrgentCap(wallet).maxFeeUnits
  return isDear ? { redeemsHash, dearRedemptionOf: redeemsHash } : { redeemsHash }
}

function readTypedScope(
  wallet: Permissions,
  deposit: VerifiedDeposit,
  digest: string,
): SigningScope {
  const { secretHash, timelock, units, htlc } = deposit
  return {
    chain: wallet.chain,
    account: wallet.account,
    action: "gasless",
    digest,
    resources: [nameOf(requireAddress(htlc), termsOf(deposit))],
    isExclusive: true,
    allowance: null,
    feeUnits: 0n,
    deposit: { secretHash, timelock },
    spends: spendsAt(wallet, requireAddress(htlc), units),
  }
}

function nameOf(htlc: bigint, { redeemer, units, timelock, secretHash }: InitiateTerms): string {
  return nameTerms(htlc.toString(16), [redeemer, units, timelock, secretHash])
}

function spendsAt({ assets }: Permissions, htlc: bigint, units: bigint): SigningScope["spends"] {
  return assets
    .filter((asset) => htlcsOf(asset).includes(htlc))
    .map(({ id }) => ({ asset: id, units }))
}
