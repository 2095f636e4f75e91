import {
  type Address,
  decodeFunctionData,
  type Hex,
  hashTypedData,
  hexToBigInt,
  keccak256,
  parseTransaction,
} from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import type { Asset } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { MovePlan, SignedMove } from "#domain/move.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import { htlcAbi, tokenAbi } from "./htlc.ts"
import { type InitiateTypedData, readTypedData } from "./typed-data.ts"

export type EvmSigner = {
  readonly address: Address
  readonly signMove: (plan: MovePlan) => Promise<SignedMove>
  readonly signTypedData: (deposit: VerifiedDeposit) => Promise<{ digest: string; signature: string }>
}

export type SignerLimits = {
  readonly chainId: number
  readonly assets: readonly Asset[]
  readonly maxGasLimit: bigint
  readonly maxFeePerGasUnits: bigint
}

/**
 * The only reader of the key. It decodes what it is to sign once more and knows four purposes: an exact approval for a configured HTLC,
 * an initiation or refund on one, and an empty call to ourselves that voids a nonce. Signatures are deterministic (RFC 6979).
 *
 * Throws `config.key` (fatal) for what is not a key, `signer.*` (refused) for anything else that is to be signed.
 */
export function createSigner(key: Secret, limits: SignerLimits): EvmSigner {
  const account = readKey(key)
  return {
    address: account.address,
    signMove: async (plan) => {
      const unsigned = readUnsigned(plan)
      checkTransaction(unsigned, plan, account.address, limits)
      // CAST: parseTransaction of a type-2 serialisation gives what signTransaction takes.
      const raw = await account.signTransaction(unsigned as Parameters<PrivateKeyAccount["signTransaction"]>[0])
      return { plan, raw, txid: keccak256(raw) }
    },
    signTypedData: async (deposit) => {
      const typedData = readTypedData(deposit.extras["typedData"])
      if (typedData === null) throw refuse("signer.gasless_unsupported", "This deposit has no typed data to sign")
      checkTypedData(typedData, deposit, limits)
      return { digest: hashTypedData(typedData), signature: await account.signTypedData(typedData) }
    },
  }
}

function readKey(key: Secret): PrivateKeyAccount {
  const text = key.reveal().trim()
  const hex: Hex = `0x${text.replace(/^0x/i, "")}`
  try {
    return privateKeyToAccount(hex)
  } catch {
    // The cause would print the key.
    throw new AppError({
      code: "config.key",
      disposition: "fatal",
      message: `${key.reference} is not an EVM private key; expected 32 bytes in hex`,
      details: { reference: key.reference },
    })
  }
}

type Unsigned = ReturnType<typeof parseTransaction<Hex>>

function readUnsigned(plan: MovePlan): Unsigned {
  try {
    // CAST: our own serialisation; whatever else stands here fails to parse.
    return parseTransaction(plan.unsigned as Hex)
  } catch (error) {
    throw refuse("signer.undecodable", "The planned transaction cannot be decoded", error)
  }
}

function checkTransaction(tx: Unsigned, plan: MovePlan, self: Address, limits: SignerLimits): void {
  if (keccak256(toHex(plan.unsigned)) !== plan.digest)
    throw refuse("signer.digest", "The planned transaction is not the one that was claimed")
  if (tx.type !== "eip1559" || tx.chainId !== limits.chainId)
    throw refuse("signer.chain", "The transaction is for another chain or of another type")
  if ((tx.gas ?? 0n) > limits.maxGasLimit)
    throw refuse("signer.gas_limit", `A gas limit of ${tx.gas} is above ${limits.maxGasLimit}`)
  if ((tx.maxFeePerGas ?? 0n) > limits.maxFeePerGasUnits)
    throw refuse("signer.fee_cap", `A fee of ${tx.maxFeePerGas} wei is above the cap`)
  const purpose = purposeOf(tx, self, limits)
  if (purpose !== plan.purpose)
    throw refuse("signer.purpose", `The transaction does ${purpose ?? "something unknown"}, not ${plan.purpose}`)
}

function purposeOf(tx: Unsigned, self: Address, { assets }: SignerLimits): MovePlan["purpose"] | null {
  const { to, data = "0x", value = 0n } = tx
  if (!to) return null
  if (isSame(to, self)) return data === "0x" && value === 0n ? "void" : null
  const holder = assets.find(({ htlc }) => htlc.some((address) => isSame(address, to)))
  if (holder) {
    const call = decode(htlcAbi, data)
    if (call?.functionName === "refund") return value === 0n ? "refund" : null
    if (call?.functionName !== "initiate") return null
    const [, , amount] = call.args
    return value === (holder.token === null ? amount : 0n) ? "initiate" : null
  }
  const tokens = assets.filter(({ token }) => token !== null && isSame(token, to))
  const call = decode(tokenAbi, data)
  if (tokens.length === 0 || call?.functionName !== "approve" || value !== 0n) return null
  const [spender] = call.args
  return tokens.some(({ htlc }) => htlc.some((address) => isSame(address, spender))) ? "approve" : null
}

function decode<const Abi extends typeof htlcAbi | typeof tokenAbi>(abi: Abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    // Not a call that we know: the caller refuses it.
    return null
  }
}

function checkTypedData(typedData: InitiateTypedData, deposit: VerifiedDeposit, limits: SignerLimits): void {
  const { domain, message } = typedData
  const known = limits.assets.some(
    ({ id, htlc }) => id === deposit.asset && htlc.some((address) => isSame(address, domain.verifyingContract)),
  )
  const same =
    isSame(domain.verifyingContract, deposit.htlc) &&
    isSame(message.redeemer, deposit.redeemer) &&
    message.amount === deposit.units &&
    message.timelock === deposit.timelock &&
    hexToBigInt(message.secretHash) === BigInt(`0x${deposit.secretHash}`) &&
    domain.chainId === limits.chainId
  if (!known || !same) throw refuse("signer.typed_data", "The typed data is not the verified deposit's")
}

function toHex(text: string): Hex {
  // CAST: the unsigned serialisation is 0x-prefixed hex, checked by parseTransaction before.
  return text as Hex
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function refuse(code: string, message: string, cause?: unknown): AppError {
  return new AppError({ code, disposition: "refused", message: `${message}; nothing was signed`, cause })
}
