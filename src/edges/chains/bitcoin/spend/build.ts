import { createHash } from "node:crypto"
import { address, crypto, Psbt, payments, Transaction } from "bitcoinjs-lib"
import type { TransactionPlan } from "#domain/transaction.ts"
import { assert, mustExist } from "#lib/assert.ts"
import { DUST_UNITS } from "../fees.ts"
import { deriveHtlc, type Htlc, type HtlcTerms, LEAF_VERSION, leafOf } from "../htlc.ts"
import { byOutpoint, type Coin, outpointOf, type Wallet } from "../wallet.ts"
import { sumOutputs, txidOf } from "./raw-transaction.ts"
import { type DepositTarget, encodeUnsigned, parseUnsigned, type Unsigned } from "./unsigned.ts"

/**
 * The content of a transaction before it becomes a PSBT: inputs, deposit and fee. The remaining
 * value is change to our wallet.
 */
export type Draft = {
  readonly action: "initiate" | "void" | "refund" | "redeem"
  readonly coins: readonly Coin[]
  /** Initiate only: the one output that does not pay our own wallet. */
  readonly deposit: DepositTarget | null
  /** Refund and redeem only: the terms of the HTLC that locks the one coin. */
  readonly htlc: HtlcTerms | null
  /** Redeem only: the secret that opens the redeem leaf. */
  readonly secret?: string | undefined
  /** Satoshi. */
  readonly feeUnits: bigint
}

/**
 * Builds the plan of a draft. Pure and deterministic. `maxFeeUnits` is exact, since inputs and
 * outputs are fixed.
 */
export function buildPlan(
  draft: Draft,
  wallet: Wallet,
  meta: Pick<TransactionPlan, "spends" | "attempt" | "fromHeight">,
): TransactionPlan {
  const psbt = buildPsbt(draft, wallet)
  const unsigned: Unsigned = {
    psbt,
    deposit: draft.deposit,
    htlc: draft.htlc,
    secret: draft.secret,
  }
  return {
    chain: wallet.chain,
    account: wallet.address,
    action: draft.action,
    attempt: meta.attempt,
    unsigned: encodeUnsigned(unsigned),
    digest: digestOf(unsigned, wallet),
    resources: [...draft.coins].sort(byOutpoint).map(outpointOf),
    spends: meta.spends,
    maxFeeUnits: feeOf(psbt),
    fromHeight: meta.fromHeight,
    expiresAtHeight: null,
  }
}

/** Reads a stored plan back, for a bump or a void. Throws `signer.plan_unreadable` (refused). */
export function draftOf(plan: TransactionPlan, wallet: Wallet): Draft {
  const { psbt, deposit, htlc, secret } = parseUnsigned(plan, wallet)
  assert(plan.action !== "approve", "Bitcoin has no approvals")
  assert(plan.action !== "openTokenAccount", "Bitcoin has no token accounts")
  return { action: plan.action, coins: coinsOf(psbt), deposit, htlc, secret, feeUnits: feeOf(psbt) }
}

/**
 * Returns the fee in satoshi at `rate` (satoshi per virtual byte), or `null` if the coins cannot
 * pay. Change at or below dust becomes part of the fee, so the transaction then pays more than
 * `rate`.
 */
export function priceDraft(
  draft: Omit<Draft, "feeUnits">,
  wallet: Wallet,
  rate: bigint,
): bigint | null {
  const restUnits = sumUnits(draft.coins) - paidAwayUnits(draft.deposit)
  const fullFee = rate * vsizeOf({ ...draft, feeUnits: 0n }, wallet)
  if (restUnits - fullFee > DUST_UNITS) return fullFee
  if (draft.deposit === null || restUnits < 0n) return null
  const bareFee = rate * vsizeOf({ ...draft, feeUnits: restUnits }, wallet)
  return restUnits >= bareFee ? restUnits : null
}

/** The change in satoshi. It gets an output only if `changeUnits > DUST_UNITS`. */
export function changeOf(draft: Draft): bigint {
  return sumUnits(draft.coins) - draft.feeUnits - paidAwayUnits(draft.deposit)
}

/**
 * The size in virtual bytes after signing, with the longest possible signatures. Fee rates apply to
 * this size.
 */
export function vsizeOf(draft: Draft, wallet: Wallet): bigint {
  return signedVsize({ ...draft, psbt: buildPsbt(draft, wallet) }, wallet)
}

export function signedVsize(unsigned: Unsigned, wallet: Wallet): bigint {
  const transaction = unsignedTransaction(unsigned.psbt)
  const witness = longestWitness(wallet, unsigned)
  for (const index of transaction.ins.keys()) transaction.setWitness(index, witness)
  return BigInt(transaction.virtualSize())
}

/**
 * SHA-256 (hex) over all signature hashes in order of the inputs: plans with equal digests get
 * equal signatures.
 */
export function digestOf(unsigned: Unsigned, wallet: Wallet): string {
  const { psbt, htlc: terms } = unsigned
  const transaction = unsignedTransaction(psbt)
  const utxos = psbt.data.inputs.map((input) => mustExist(input.witnessUtxo, "the spent output"))
  const scripts = utxos.map(({ script }) => script)
  const values = utxos.map(({ value }) => value)
  const hash = createHash("sha256")
  for (const [index, value] of values.entries()) {
    hash.update(
      terms === null && wallet.addressType === "p2wpkh"
        ? transaction.hashForWitnessV0(index, keyHashScript(wallet), value, Transaction.SIGHASH_ALL)
        : transaction.hashForWitnessV1(
            index,
            scripts,
            values,
            Transaction.SIGHASH_DEFAULT,
            leafHash(unsigned, wallet),
          ),
    )
  }
  return hash.digest("hex")
}

export function coinsOf(psbt: Psbt): readonly Coin[] {
  return psbt.txInputs.map(({ hash, index }, position) => {
    const input = psbt.data.inputs[position]
    const units = mustExist(input?.witnessUtxo, "the spent output").value
    const parent = input?.nonWitnessUtxo
    return { txid: txidOf(hash), vout: index, units, ...(parent === undefined ? {} : { parent }) }
  })
}

export function feeOf(psbt: Psbt): bigint {
  return sumUnits(coinsOf(psbt)) - sumOutputs(psbt.txOutputs)
}

export function sumUnits(coins: readonly { readonly units: bigint }[]): bigint {
  return coins.reduce((sum, { units }) => sum + units, 0n)
}

/** Satoshi that leave the wallet besides the fee: the deposit of an initiate, else 0. */
export function paidAwayUnits(deposit: DepositTarget | null): bigint {
  return deposit === null ? 0n : deposit.units
}

/**
 * Signals that the transaction can be replaced (BIP 125) and does not disable absolute lock times.
 */
const REPLACEABLE_SEQUENCE = 0xfffffffd

function buildPsbt(draft: Draft, wallet: Wallet): Psbt {
  const htlc = draft.htlc === null ? null : deriveHtlc(draft.htlc, wallet.network)
  const psbt = new Psbt({ network: wallet.network }).setVersion(2).setLocktime(0)
  for (const { txid, vout, units, parent } of [...draft.coins].sort(byOutpoint)) {
    psbt.addInput({
      hash: txid,
      index: vout,
      sequence: sequenceOf(draft),
      witnessUtxo: { script: htlc?.script ?? wallet.script, value: units },
      ...(parent === undefined ? {} : { nonWitnessUtxo: parent }),
      ...spendPath(htlc, draft.secret, wallet),
    })
  }
  for (const output of outputsOf(draft, wallet)) psbt.addOutput(output)
  return psbt
}

/**
 * A refund's sequence is its relative lock (BIP 68). Every sequence here signals that the
 * transaction can be replaced.
 */
export function sequenceOf({ htlc, secret }: Pick<Unsigned, "htlc" | "secret">): number {
  return htlc === null || secret !== undefined ? REPLACEABLE_SEQUENCE : htlc.timelock
}

function spendPath(htlc: Htlc | null, secret: string | undefined, wallet: Wallet) {
  if (htlc !== null)
    return { tapLeafScript: [{ leafVersion: LEAF_VERSION, ...leafOf(htlc, secret) }] }
  return wallet.addressType === "p2tr" ? { tapInternalKey: wallet.xOnlyKey } : {}
}

function outputsOf(draft: Draft, wallet: Wallet): { script: Uint8Array; value: bigint }[] {
  const { deposit } = draft
  const changeUnits = changeOf(draft)
  assert(changeUnits >= 0n, "a draft spends more than its coins hold", { changeUnits })
  const paid =
    deposit === null
      ? []
      : [{ script: address.toOutputScript(deposit.address, wallet.network), value: deposit.units }]
  return changeUnits > DUST_UNITS ? [...paid, { script: wallet.script, value: changeUnits }] : paid
}

function unsignedTransaction(psbt: Psbt): Transaction {
  return Transaction.fromBuffer(psbt.data.getTransaction())
}

/** DER signatures have at most 72 bytes with the sighash byte (low S), Schnorr signatures 64. */
function longestWitness(wallet: Wallet, { htlc: terms, secret }: Unsigned): Uint8Array[] {
  if (terms !== null) {
    const { script, controlBlock } = leafOf(deriveHtlc(terms, wallet.network), secret)
    return [
      new Uint8Array(64),
      ...(secret === undefined ? [] : [new Uint8Array(32)]),
      script,
      controlBlock,
    ]
  }
  return wallet.addressType === "p2tr"
    ? [new Uint8Array(64)]
    : [new Uint8Array(72), wallet.publicKey]
}

/** BIP 143: the script code of P2WPKH is the P2PKH script of the same key. */
function keyHashScript(wallet: Wallet): Uint8Array {
  return mustExist(
    payments.p2pkh({ pubkey: wallet.publicKey, network: wallet.network }).output,
    "the script code",
  )
}

/**
 * BIP 341: version, length, script. A length takes one byte below 253, and our leaves are far
 * shorter.
 */
function leafHash({ htlc: terms, secret }: Unsigned, wallet: Wallet): Uint8Array | undefined {
  if (terms === null) return undefined
  const { script } = leafOf(deriveHtlc(terms, wallet.network), secret)
  return crypto.taggedHash("TapLeaf", Uint8Array.from([LEAF_VERSION, script.length, ...script]))
}
