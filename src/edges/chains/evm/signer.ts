import { type Address, keccak256 } from "viem"
import { readMnemonic } from "#chains/mnemonic.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { isKmsName, readKmsName } from "#kms/parse-kms-name.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import { openTokenKey } from "#pkcs11/open-token-key.ts"
import { TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import type { KeyHolder, TypedSignature } from "#ports/key-holder.ts"
import { termsOf } from "./decode.ts"
import { readEvmExtras } from "./extras.ts"
import { type EvmAccount, openKeyAccount } from "./keys/account.ts"
import { deriveEvmKey } from "./keys/derive-key.ts"
import { evmKeyError, parseEvmKey } from "./keys/parse-key.ts"
import { openKmsAccount } from "./spend/kms-account.ts"
import { checkPermitted, type Permissions } from "./spend/permit.ts"
import { openTokenAccount } from "./spend/token-account.ts"
import { checkTypedData, hashTypedData, type InitiateTypedData, toViem } from "./typed-data.ts"
import { htlcsOf, requireAddress, requireAsset } from "./wallet.ts"

export type EvmSigner = {
  readonly account: Address
  /** The key is in a token or a KMS, which chooses a nonce for each signature. */
  readonly isRandomised: boolean
  /**
   * Opens a key in a token or a KMS; for another one it does nothing. Only the signer process calls
   * it. Throws `pkcs11.*` (fatal) and `kms.*`.
   */
  unlock(): Promise<void>
  signTransaction(
    wallet: Permissions,
    plan: TransactionPlan,
    worthUnits?: bigint,
  ): Promise<SignedTransaction>
  signTypedData(wallet: Permissions, deposit: VerifiedDeposit): Promise<TypedSignature>
}

/**
 * The only file that signs with the key. Signatures are deterministic (RFC 6979), so the same plan
 * gives the same bytes, without a node. Those of a token or a KMS are not, and the signer process
 * keeps the first one (`src/edges/signer/signature-log.ts`).
 *
 * Throws `config.key` (fatal) for a text that is not a private key. The methods throw `signer.*`
 * (refused).
 */
export function createEvmSigner(key: Secret): EvmSigner {
  const { account, isRandomised, unlock } = openHeldKey(key)
  return {
    account: account.address,
    isRandomised,
    unlock,
    signTransaction: async (wallet, plan, worthUnits) => {
      const raw = await account.signTransaction({
        type: "eip1559",
        ...checkPermitted(wallet, plan, worthUnits),
      })
      return { plan, raw, txid: keccak256(raw) }
    },
    signTypedData: async (wallet, deposit) => {
      const typedData = permitTypedData(wallet, deposit)
      return {
        digest: hashTypedData(typedData),
        signature: await account.signTypedData(toViem(typedData)),
      }
    },
  }
}

/** The signer with the one wallet of its chain. */
export function holdKey(signer: EvmSigner, wallet: Permissions): KeyHolder {
  return {
    publicKey: signer.account,
    signTransaction: (plan, { worthUnits }) => signer.signTransaction(wallet, plan, worthUnits),
    signTypedData: (deposit) => signer.signTypedData(wallet, deposit),
  }
}

type HeldKey = Pick<EvmSigner, "isRandomised" | "unlock"> & { readonly account: EvmAccount }

function openHeldKey(key: Secret): HeldKey {
  if (isKmsName(key.reference)) return { isRandomised: true, ...openInKms(key.reveal()) }
  if (!key.reference.startsWith(TOKEN_SCHEME))
    return { isRandomised: false, account: openAccount(key), unlock: async () => undefined }
  const token = openTokenKey(key.reveal(), "secp256k1")
  return {
    isRandomised: true,
    account: openTokenAccount(token),
    unlock: async () => token.unlock(),
  }
}

function openInKms(name: string): ReturnType<typeof openKmsAccount> {
  return openKmsAccount(readKmsName(name).address, async () => {
    const { openKmsKey } = await import("#kms/open-kms-key.ts")
    return openKmsKey(name)
  })
}

function openAccount(key: Secret): EvmAccount {
  const text = key.reveal()
  const seeded = readMnemonic(text)
  const hex = parseEvmKey(seeded === null ? text : deriveEvmKey(seeded))
  if (hex === null) throw evmKeyError(key)
  return openKeyAccount(hex)
}

/**
 * Compares the stored typed data with the verified deposit once more, and rebuilds the data to sign
 * from the deposit's fields.
 */
export function permitTypedData(wallet: Permissions, deposit: VerifiedDeposit): InitiateTypedData {
  const { typedData: stored } = readEvmExtras(deposit)
  const asset = deposit.asset === null ? null : requireAsset(wallet, deposit.asset)
  if (stored === null || asset === null || asset.token === null) {
    throw refusal(
      "gasless_unsupported",
      "There is no typed data for this deposit; use the on-chain deposit",
      {},
    )
  }
  const htlc = requireAddress(deposit.htlc)
  const foreign =
    !htlcsOf(asset).includes(htlc) ||
    deposit.refundTo !== wallet.account ||
    deposit.chain !== wallet.chain
  const { findings, typedData } = checkTypedData(stored, {
    terms: termsOf(deposit),
    htlc,
    chainId: wallet.chainId,
  })
  if (typedData !== null && !foreign) return typedData
  const codes = [...(foreign ? ["not ours"] : []), ...findings.map(({ code }) => code)].join()
  const message =
    "Not signed: the stored typed data differs from the verified deposit. Inspect the order " +
    "and its journal"
  throw refusal("typed_data", message, { findings: codes })
}

function refusal(
  code: string,
  message: string,
  details: Readonly<Record<string, string>>,
): AppError {
  return new AppError({ code: `signer.${code}`, disposition: "refused", message, details })
}
