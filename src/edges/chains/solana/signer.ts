import { base58 } from "@scure/base"
import { Keypair, PublicKey, VersionedMessage, VersionedTransaction } from "@solana/web3.js"
import { readMnemonic } from "#chains/mnemonic.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import { openTokenKey } from "#pkcs11/open-token-key.ts"
import { TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import type { KeyHolder, TypedSignature } from "#ports/key-holder.ts"
import { solanaExtras } from "./extras.ts"
import { checkGasless } from "./gasless/check-gasless.ts"
import { deriveSolanaKey } from "./keys/derive-key.ts"
import { parseSolanaKey, solanaKeyError } from "./keys/parse-key.ts"
import type { ReadTransaction } from "./legs/read-transaction.ts"
import { digestOf, extraKeyOf } from "./spend/assemble.ts"
import { checkPlan } from "./spend/check-plan.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Creates the signer, the only code that signs with the private key. It signs only plans that pass
 * `checkPlan`, and relays' transactions that pass `checkGasless`.
 *
 * Ed25519 signatures are deterministic (RFC 8032): the same plan gives the same bytes, and its
 * first signature is the transaction id. The secret is base 58 of 64 bytes (the form that wallets
 * export) or a JSON array of 64 numbers (the form of the command-line tools). Throws
 * `config.solana_key` (fatal) for any other text; `signTransaction` throws `signer.plan_mismatch`
 * (refused).
 */
export function createSigner(key: Secret): Signer {
  const isRandomised = key.reference.startsWith(TOKEN_SCHEME)
  const { publicKey, unlock, sign } = isRandomised ? readToken(key) : readPair(key)
  return {
    account: publicKey.toBase58(),
    isRandomised,
    unlock,
    signTransaction: (plan, wallet, worthUnits) => {
      const transaction = new VersionedTransaction(
        VersionedMessage.deserialize(checkPlan(plan, wallet, worthUnits)),
      )
      const seed = extraKeyOf(plan.resources)
      sign(transaction)
      if (seed !== null) transaction.sign([Keypair.fromSeed(seed)])
      const txid = base58.encode(mustExist(transaction.signatures[0], "signature"))
      return { plan, raw: Buffer.from(transaction.serialize()).toString("base64"), txid }
    },
    signGasless: (deposit, wallet) => {
      const { signatures, message } = requireGasless(deposit, wallet)
      const transaction = new VersionedTransaction(message, [...signatures])
      sign(transaction)
      return {
        digest: digestOf(message.serialize()),
        signature: Buffer.from(transaction.serialize()).toString("base64"),
      }
    },
  }
}

/**
 * Compares the relay's transaction with the verified deposit once more. Throws
 * `signer.gasless_unsupported` and `signer.typed_data` (refused).
 */
export function requireGasless(deposit: VerifiedDeposit, wallet: Wallet): ReadTransaction {
  const { data: { typedData } = {} } = solanaExtras.safeParse(deposit.extras)
  if (typedData === undefined)
    throw new AppError({
      code: "signer.gasless_unsupported",
      disposition: "refused",
      message: "The service gave no gasless transaction for this order; use the on-chain deposit",
      details: { chain: wallet.chain },
    })
  const { findings, transaction } = checkGasless(typedData, deposit, wallet)
  if (transaction !== null && findings.length === 0) return transaction
  throw new AppError({
    code: "signer.typed_data",
    disposition: "refused",
    message:
      "Not signed: the relay's transaction differs from the verified deposit. Inspect the order " +
      "and its journal",
    details: { findings: findings.map(({ code }) => code).join() },
  })
}

/** The signer with the one wallet of its chain, as a holder of its key. */
export function holdKey(signer: Signer, wallet: Wallet): KeyHolder {
  return {
    publicKey: signer.account,
    signTransaction: async (plan, { worthUnits }) =>
      signer.signTransaction(plan, wallet, worthUnits),
    signTypedData: async (deposit) => signer.signGasless(deposit, wallet),
  }
}

type Signer = {
  /** The public key: our address. */
  readonly account: string
  /** The key is in a token, which chooses a nonce for each signature. */
  readonly isRandomised: boolean
  /**
   * Opens the private half of a key in a token; without one it does nothing. Only the signer
   * process calls it. Throws `pkcs11.*` (fatal).
   */
  unlock(): void
  signTransaction(plan: TransactionPlan, wallet: Wallet, worthUnits?: bigint): SignedTransaction
  /** Signs the relay's transaction in our own slot; the relay's slot stays as it was served. */
  signGasless(deposit: VerifiedDeposit, wallet: Wallet): TypedSignature
}

type Signing = {
  readonly publicKey: PublicKey
  readonly unlock: () => void
  readonly sign: (transaction: VersionedTransaction) => void
}

function readPair(key: Secret): Signing {
  const pair = readKeypair(key)
  return {
    publicKey: pair.publicKey,
    unlock: () => undefined,
    sign: (transaction) => transaction.sign([pair]),
  }
}

/**
 * The token's library verifies nothing, so `openTokenKey` has each signature verified before it
 * gives it out.
 */
function readToken(key: Secret): Signing {
  const token = openTokenKey(key.reveal(), "ed25519")
  const publicKey = new PublicKey(token.publicKey)
  return {
    publicKey,
    unlock: token.unlock,
    sign: (transaction) =>
      transaction.addSignature(publicKey, token.sign(transaction.message.serialize())),
  }
}

function readKeypair(key: Secret): Keypair {
  const text = key.reveal().trim()
  const seeded = readMnemonic(text)
  const bytes = seeded === null ? parseSolanaKey(text) : deriveSolanaKey(seeded)
  try {
    if (bytes?.length === 64) return Keypair.fromSecretKey(bytes)
  } catch {
    // The public half does not match the private half. The error drops the library's message: it
    // could quote the key.
  }
  throw solanaKeyError(key)
}
