import { keccak256 } from "viem"
import { hashSecret } from "#chains/opens-payout.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import {
  type InspectingKeyHolder,
  type KeyHolderWorld,
  nameTerms,
  type SigningScope,
} from "#ports/key-holder.ts"
import type { EvmChainConfig } from "../config.ts"
import { decodeApprove, decodeDeposit, readRedeemSecret, type Terms } from "../htlc.ts"
import { isRouteSpender } from "../routes/route-key.ts"
import { openRouteKeys } from "../routes/route-keys.ts"
import { createEvmSigner, type EvmSigner, permitTypedData } from "../signer.ts"
import { checkPermitted, type Permissions, readCall } from "../spend/permit.ts"
import type { UnsignedTx } from "../spend/unsigned.ts"
import { hashTypedData } from "../typed-data.ts"
import { htlcsOf, requireAddress, tokenOf, withUrgentCaps } from "../wallet.ts"

/**
 * The key of one chain for the signer process, which unlocks it. Throws `config.key`, `evm.address`
 * (fatal).
 */
export function openEvmKey(
  config: EvmChainConfig,
  world: KeyHolderWorld,
): InspectingKeyHolder & Pick<EvmSigner, "unlock"> {
  const { chain, chainId, key } = config
  const signer = createEvmSigner(key)
  const assets = world.assets.filter((asset) => asset.chain === chain)
  const caps = {
    maxFeePerGasUnits: config.maxFeePerGasWei,
    maxTipPerGasUnits: config.maxTipPerGasWei,
  }
  const wallet = {
    chain,
    chainId,
    account: signer.account,
    assets,
    ...caps,
    maxGasLimit: config.gasLimitCap,
    routes: openRouteKeys(world.routes, { chain, chainId }),
  }
  return {
    publicKey: signer.account,
    account: signer.account,
    isRandomised: signer.isRandomised,
    unlock: signer.unlock,
    signTransaction: (plan, { worthUnits }) => signer.signTransaction(wallet, plan, worthUnits),
    signTypedData: (deposit) => signer.signTypedData(wallet, deposit),
    readTransaction: (plan, { worthUnits }) =>
      readScope(wallet, plan, checkPermitted(wallet, plan, worthUnits)),
    readTypedData: (deposit) => {
      const typedData = permitTypedData(wallet, deposit)
      const { message, domain } = typedData
      const units = BigInt(message.amount)
      const paid = assets.filter(
        (asset) => asset.token !== null && htlcsOf(asset).includes(domain.verifyingContract),
      )
      return {
        chain,
        account: signer.account,
        action: "gasless",
        digest: hashTypedData(typedData),
        resources: [
          nameTerms(domain.verifyingContract, [
            message.redeemer,
            units,
            message.timelock,
            message.secretHash.slice(2),
          ]),
        ],
        isExclusive: true,
        allowance: null,
        feeUnits: 0n,
        deposit: { secretHash: message.secretHash.slice(2), timelock: BigInt(message.timelock) },
        spends: paid.map(({ id }) => ({ asset: id, units })),
      }
    },
  }
}

/** Reads the effect from the bytes that `checkPermitted` has accepted. */
function readScope(
  wallet: Permissions,
  { action, digest }: TransactionPlan,
  tx: UnsignedTx,
): SigningScope {
  const call = readCall(wallet, tx)
  const terms = decodeDeposit(tx.data)?.terms
  const units = call?.units ?? 0n
  const named =
    terms === undefined
      ? []
      : [nameTerms(tx.to, [terms.redeemer, units, terms.timelock, terms.secretHash])]
  return {
    chain: wallet.chain,
    account: wallet.account,
    action,
    digest,
    resources: [`nonce:${tx.nonce}`, ...named],
    isExclusive: true,
    deposit: terms === undefined ? readRouteTerms(wallet, tx) : depositOf(terms),
    spends: (call?.assets ?? []).map((asset) => ({ asset, units })),
    allowance: readAllowance(wallet, tx),
    feeUnits: tx.gas * tx.maxFeePerGas,
    ...readRedemption(wallet, tx),
  }
}

function depositOf({ secretHash, timelock }: Terms): SigningScope["deposit"] {
  return { secretHash, timelock }
}

/** Two deposits of equal bytes have equal terms; the tag of an order makes them rare. */
function readRouteTerms({ routes = [] }: Permissions, tx: UnsignedTx): SigningScope["deposit"] {
  return routes.every(({ readDeposit }) => readDeposit(tx) === null)
    ? null
    : { secretHash: keccak256(tx.data).slice(2), timelock: null }
}

function readRedemption(
  wallet: Permissions,
  tx: UnsignedTx,
): Pick<SigningScope, "redeemsHash" | "dearRedemptionOf"> {
  const secret = readRedeemSecret(tx.data)
  if (secret === null) return {}
  const redeemsHash = hashSecret(secret)
  const { maxFeePerGasUnits, maxTipPerGasUnits } = withUrgentCaps(wallet)
  const isDear = tx.maxFeePerGas > maxFeePerGasUnits || tx.maxPriorityFeePerGas > maxTipPerGasUnits
  return isDear ? { redeemsHash, dearRedemptionOf: redeemsHash } : { redeemsHash }
}

function readAllowance(
  { chain, assets, routes }: Permissions,
  { to, data }: UnsignedTx,
): SigningScope["allowance"] {
  const approve = decodeApprove(data)
  if (approve === null) return null
  const spender = requireAddress(approve.spender)
  const asset = assets.find(
    (each) =>
      tokenOf(each) === to &&
      (htlcsOf(each).includes(spender) || isRouteSpender(routes, to, spender)),
  )
  return { asset: asset?.id ?? nativeAssetId(chain, assets, { token: null }), units: approve.units }
}
