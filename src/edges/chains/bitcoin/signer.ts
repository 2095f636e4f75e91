import {
  crypto,
  type Network,
  type Psbt,
  type Signer as PsbtSigner,
  payments,
  Transaction,
  toXOnly,
} from "bitcoinjs-lib"
import { readMnemonic } from "#chains/mnemonic.ts"
import type { AssetId, ChainId } from "#domain/asset.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyHolder, SigningContext } from "#ports/key-holder.ts"
import { deriveBitcoinKey } from "./keys/derive-key.ts"
import { bitcoinKeyError } from "./keys/parse-wif.ts"
import { secp } from "./keys/secp.ts"
import { findUnprovenInputs } from "./spend/inspect-inputs.ts"
import { findPlanFaults } from "./spend/inspect-plan.ts"
import { parseUnsigned, type Unsigned } from "./spend/unsigned.ts"
import type { AddressType, Wallet } from "./wallet.ts"

/**
 * Creates the signer. This is the only file that signs with the private key.
 *
 * Throws `config.key` (fatal) unless the key is a compressed WIF of this network. `signTransaction`
 * inspects the transaction itself before it uses the key, and throws `signer.plan_unreadable`,
 * `signer.plan_mismatch` or `signer.input_unproven` (refused).
 */
export function createSigner(options: SignerOptions): Signer {
  const pair = readKey(options)
  const wallet = deriveWallet(options, pair.publicKey)
  const inspect = (plan: TransactionPlan, { worthUnits = 0n }: Evidence = {}): Unsigned => {
    const unsigned = parseUnsigned(plan, wallet)
    const faults = findPlanFaults(plan, unsigned, wallet, {
      maxFeeRate: options.maxFeeRate,
      worthUnits,
    })
    if (faults.length > 0) throw mismatch(plan, faults)
    const unproven = findUnprovenInputs(unsigned.psbt)
    if (unproven.length > 0) throw inputUnproven(plan, unproven)
    return unsigned
  }
  return {
    wallet,
    inspect,
    signTransaction(plan, evidence) {
      const unsigned = inspect(plan, evidence)
      return sign(plan, unsigned, signerFor(unsigned, wallet, pair))
    },
  }
}

/** The signer as a holder of its key. */
export function holdKey({ wallet, signTransaction }: Signer): KeyHolder {
  return {
    publicKey: Buffer.from(wallet.publicKey).toString("hex"),
    signTransaction: async (plan, context) => signTransaction(plan, context),
    signTypedData: async () => {
      throw new AppError({
        code: "signer.gasless_unsupported",
        disposition: "refused",
        message: "Bitcoin has no gasless initiation; pay the deposit address instead",
        details: { chain: wallet.chain },
      })
    },
  }
}

/** The parts of a context that this family reads. */
type Evidence = Pick<SigningContext, "worthUnits">

export type Signer = {
  readonly wallet: Wallet
  /**
   * The content of a plan that passes every check. Throws as `signTransaction` does, and uses no
   * key.
   */
  inspect(plan: TransactionPlan, evidence?: Evidence): Unsigned
  signTransaction(plan: TransactionPlan, evidence?: Evidence): SignedTransaction
}

type SignerOptions = {
  readonly chain: ChainId
  readonly asset: AssetId | null
  readonly network: Network
  readonly addressType: AddressType
  readonly key: Secret
  readonly maxFeeRate: number
}

type KeyPair = PsbtSigner & { tweak(by: Uint8Array): PsbtSigner }

/** The error never repeats the library's message, because that message could quote the key. */
function readKey({ key, network, addressType }: SignerOptions): KeyPair {
  try {
    const text = key.reveal().trim()
    const seeded = readMnemonic(text)
    const pair =
      seeded === null
        ? secp.fromWIF(text, network)
        : secp.fromPrivateKey(deriveBitcoinKey(seeded, { network, addressType }), { network })
    if (pair.compressed) return pair
  } catch {
    // Falls through to the error below, which names the expected form and never shows the given
    // text.
  }
  throw bitcoinKeyError(key, network.bech32)
}

export function deriveWallet(
  options: Omit<SignerOptions, "key" | "maxFeeRate">,
  publicKey: Uint8Array,
): Wallet {
  const { chain, asset, network, addressType } = options
  const xOnlyKey = toXOnly(publicKey)
  const payment =
    addressType === "p2tr"
      ? payments.p2tr({ internalPubkey: xOnlyKey, network })
      : payments.p2wpkh({ pubkey: publicKey, network })
  const address = mustExist(payment.address, "the account's address")
  const script = mustExist(payment.output, "the account's script")
  return { chain, asset, network, addressType, address, script, publicKey, xOnlyKey }
}

/**
 * The tweaked key signs for a P2TR account (BIP 341 key path); the key itself signs for a leaf of
 * an HTLC and for P2WPKH.
 */
function signerFor(unsigned: Unsigned, wallet: Wallet, pair: KeyPair): PsbtSigner {
  if (unsigned.htlc !== null || wallet.addressType === "p2wpkh") return pair
  return pair.tweak(crypto.taggedHash("TapTweak", wallet.xOnlyKey))
}

/**
 * Signs deterministically: ECDSA nonces by RFC 6979, Schnorr without auxiliary data, which BIP
 * 340's reference code treats as zeros.
 */
function sign(plan: TransactionPlan, unsigned: Unsigned, signer: PsbtSigner): SignedTransaction {
  const { psbt } = unsigned
  for (let index = 0; index < psbt.inputCount; index++) psbt.signInput(index, signer)
  if (unsigned.secret !== undefined) return { plan, ...finishRedeem(psbt, unsigned.secret) }
  // `true` skips the library's own fee check: `findPlanFaults` has checked the fee against the
  // configured cap.
  const transaction = psbt.finalizeAllInputs().extractTransaction(true)
  return { plan, raw: transaction.toHex(), txid: transaction.getId() }
}

/**
 * The library knows no leaf with a secret, so the witness is made here: signature, secret, leaf,
 * control block.
 */
function finishRedeem(psbt: Psbt, secret: string): Pick<SignedTransaction, "raw" | "txid"> {
  const { tapScriptSig, tapLeafScript } = mustExist(psbt.data.inputs[0], "the HTLC's output")
  const { signature } = mustExist(tapScriptSig?.[0], "the signature of the redeem leaf")
  const { script, controlBlock } = mustExist(tapLeafScript?.[0], "the redeem leaf")
  const transaction = Transaction.fromBuffer(psbt.data.getTransaction())
  transaction.setWitness(0, [
    signature,
    Uint8Array.from(Buffer.from(secret, "hex")),
    script,
    controlBlock,
  ])
  return { raw: transaction.toHex(), txid: transaction.getId() }
}

/**
 * A signature of SegWit version 0 covers only its own input's value: with a false one, valid
 * signatures could burn the rest as a fee.
 */
function inputUnproven(plan: TransactionPlan, unproven: readonly string[]): AppError {
  return new AppError({
    code: "signer.input_unproven",
    disposition: "refused",
    message:
      "the plan does not prove the value of its inputs, so it is not signed: " +
      `${unproven.join("; ")}`,
    details: { purpose: plan.action, attempt: plan.attempt, unproven: unproven.join("; ") },
  })
}

function mismatch(plan: TransactionPlan, faults: readonly string[]): AppError {
  return new AppError({
    code: "signer.plan_mismatch",
    disposition: "refused",
    message: `the transaction differs from its plan and is not signed: ${faults.join("; ")}`,
    details: { purpose: plan.action, attempt: plan.attempt, faults: faults.join("; ") },
  })
}
