import { type Hex, keccak256 } from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { MovePlan, SignedMove } from "#domain/move.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import { termsOf } from "./htlc.ts"
import { permitMove } from "./permit-move.ts"
import { checkTypedData, hashTypedData, signable, type TypedData } from "./typed-data.ts"
import { toSerializable } from "./unsigned.ts"
import { holdsHtlc, requireAddress, type Wallet } from "./wallet.ts"

/**
 * The one door to the key: the only file that reveals it. Signatures are deterministic (RFC 6979), so the same plan gives the same
 * bytes. Throws `config.key` (fatal).
 */
export function createSigner(key: Secret): Signer {
  return {
    account: openAccount(key).address,
    signMove: async (plan, wallet) => {
      const unsigned = permitMove(plan, wallet)
      const raw = await openAccount(key).signTransaction(toSerializable(unsigned))
      return { plan, raw, txid: keccak256(raw) }
    },
    signTypedData: async (deposit, wallet) => {
      const typedData = permitTypedData(deposit, wallet)
      const signature = await openAccount(key).signTypedData(signable(typedData))
      return { digest: hashTypedData(typedData), signature }
    },
  }
}

export type Signer = {
  /** Our checksummed address. */
  readonly account: Hex
  signMove(plan: MovePlan, wallet: Wallet): Promise<SignedMove>
  /** The signature is 65 bytes as `0x` hex. */
  signTypedData(deposit: VerifiedDeposit, wallet: Wallet): Promise<{ digest: string; signature: string }>
}

/** Checks once more that the stored typed data says what was verified; what is signed is rebuilt from the verified figures. */
function permitTypedData(deposit: VerifiedDeposit, wallet: Wallet): TypedData {
  const stored = deposit.extras["typedData"]
  if (stored === null || stored === undefined) {
    throw new AppError({
      code: "signer.gasless_unsupported",
      disposition: "refused",
      message: "There is no typed data for this order; use the on-chain deposit",
    })
  }
  const tokens = wallet.assets.filter(({ token, id }) => token !== null && id === deposit.asset)
  const known = deposit.chain === wallet.chain && tokens.some((asset) => holdsHtlc(asset, deposit.htlc))
  const expected = { ...termsOf(deposit), htlc: requireAddress(deposit.htlc), chainId: wallet.chainId }
  const { findings, typedData } = checkTypedData(stored, expected)
  if (known && typedData !== null) return typedData
  throw new AppError({
    code: "signer.typed_data",
    disposition: "refused",
    message: "Not signed: the stored typed data differs from the verified deposit. Look at the order and its journal",
    details: { htlc: deposit.htlc, known, findings: findings.map(({ code }) => code).join() },
  })
}

function openAccount(key: Secret): PrivateKeyAccount {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key.reveal().trim())?.[1]
  try {
    if (digits !== undefined) return privateKeyToAccount(`0x${digits}`)
  } catch {
    // Zero or beyond the curve's order. What the library says is dropped: nothing near a key is repeated.
  }
  throw new AppError({
    code: "config.key",
    disposition: "fatal",
    message: `${key.reference} is not an EVM private key; expected 32 bytes as 0x hex`,
    details: { reference: key.reference },
  })
}
