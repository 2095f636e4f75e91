import { ec } from "starknet"
import { readMnemonic } from "#chains/mnemonic.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyHolder } from "#ports/key-holder.ts"
import { callOf } from "./decode.ts"
import { starknetExtras } from "./extras.ts"
import { formatFelt } from "./felt.ts"
import { deriveStarknetKey } from "./keys/derive-key.ts"
import { starknetKeyError } from "./keys/parse-key.ts"
import { toWire } from "./spend/invoke.ts"
import { checkPermitted, type Permissions } from "./spend/permit.ts"
import { checkTypedData, hashTypedData } from "./typed-data.ts"
import { htlcsOf, requireAddress, requireAsset } from "./wallet.ts"

type StarknetSigner = {
  /** The x coordinate of the public key, as the account contract stores it. */
  readonly publicKey: string
  /**
   * The SNIP-12 hash of typed data that is rebuilt from the deposit. Throws as `signTypedData`
   * does, and uses no key.
   */
  digestOf(deposit: VerifiedDeposit): string
  signTransaction(plan: TransactionPlan, worthUnits?: bigint): SignedTransaction
  signTypedData(deposit: VerifiedDeposit): { digest: string; signature: string }
}

/**
 * The only file that signs with the key. Signatures are deterministic (RFC 6979), so the same plan
 * gives the same bytes.
 *
 * Throws `config.key` (fatal) for a text that is not a private key. The methods throw `signer.*`
 * (refused).
 */
export function createStarknetSigner(wallet: Permissions, key: Secret): StarknetSigner {
  const privateKey = revealKey(key)
  const publicKey = publicKeyOf(privateKey, key)
  const sign = (digest: string): readonly bigint[] => {
    const { r, s } = ec.starkCurve.sign(digest, privateKey)
    return [r, s]
  }
  return {
    publicKey,
    digestOf: (deposit) => digestOf(wallet, deposit),
    signTransaction: (plan, worthUnits) => {
      const invoke = checkPermitted(wallet, plan, worthUnits)
      const signature = sign(plan.digest).map(formatFelt)
      return { plan, raw: JSON.stringify(toWire(invoke, signature)), txid: plan.digest }
    },
    signTypedData: (deposit) => {
      const digest = digestOf(wallet, deposit)
      // Wire form (field notes): decimals `r,s`.
      return { digest, signature: sign(digest).join(",") }
    },
  }
}

/** The signer as a holder of its key. */
export function holdKey(signer: StarknetSigner): KeyHolder {
  return {
    publicKey: signer.publicKey,
    signTransaction: async (plan, { worthUnits }) => signer.signTransaction(plan, worthUnits),
    signTypedData: async (deposit) => signer.signTypedData(deposit),
  }
}

/** The key, or the one that a mnemonic gives. */
export function revealKey(key: Secret): string {
  const text = key.reveal()
  const seeded = readMnemonic(text)
  return seeded === null ? text : deriveStarknetKey(seeded)
}

/**
 * The window of the curve's table of multiples. The library's own, 8, takes a quarter of a second
 * to make at each start, and saves nothing that can be measured at a signature.
 */
const WINDOW_BITS = 4

/** The library's message could quote the key, so this function drops it. */
function publicKeyOf(privateKey: string, key: Secret): string {
  ec.starkCurve.utils.precompute(WINDOW_BITS)
  try {
    return ec.starkCurve.getStarkKey(privateKey)
  } catch {
    throw starknetKeyError(key)
  }
}

/**
 * Compares the stored typed data with the verified deposit once more, and hashes typed data rebuilt
 * from the deposit's fields.
 */
function digestOf(wallet: Permissions, deposit: VerifiedDeposit): string {
  const { typedData: stored } = starknetExtras.parse(deposit.extras)
  if (stored === null) {
    throw new AppError({
      code: "signer.gasless_unsupported",
      disposition: "refused",
      message: "The service gave no typed data for this order; use the on-chain deposit",
    })
  }
  const { terms, layout } = callOf(deposit)
  const expected = { ...terms, layout, htlc: requireAddress(deposit.htlc), chainId: wallet.chainId }
  const { findings, typedData } = checkTypedData(stored, expected)
  const ours = isOurs(wallet, deposit)
  if (typedData && ours) return hashTypedData(typedData, wallet.accountFelt)
  throw new AppError({
    code: "signer.typed_data",
    disposition: "refused",
    message:
      "Not signed: the stored typed data differs from the verified deposit. Inspect the " +
      "order and its journal",
    details: {
      findings: [...(ours ? [] : ["not ours"]), ...findings.map((finding) => finding.code)].join(),
    },
  })
}

/**
 * The typed data need not name the contract, so only this check stops a signature for a contract
 * that is not configured.
 */
function isOurs(
  wallet: Permissions,
  { asset: id, chain, htlc, refundTo }: VerifiedDeposit,
): boolean {
  const asset = id === null ? null : requireAsset(wallet, id)
  const known = asset !== null && htlcsOf(asset).includes(requireAddress(htlc))
  return known && chain === wallet.chain && requireAddress(refundTo) === wallet.accountFelt
}
