import { createHash } from "node:crypto"
import { Keypair, PublicKey } from "@solana/web3.js"
import type { AssetId } from "#domain/asset.ts"
import type { PinnedContract } from "#domain/contract-identity.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { TAG_UNITS } from "#routes/cctp/burn-request.ts"
import { type FeeRate, feeShareOf } from "#routes/cctp/fee-rate.ts"
import { decodeBurnMessage, FINALITY, type Hex, ZERO_WORD } from "#routes/cctp/message.ts"
import type { ReadInstruction } from "../legs/read-transaction.ts"
import { extraKeyOf, swapAccountResource } from "../spend/assemble.ts"
import { buildBurn, buildMint, type CctpAccounts, EVENT_ACCOUNT_AT, MINT_AT } from "./accounts.ts"
import { decodeBurnCall, decodeMintCall, encodeMintCall } from "./calls.ts"
import { addressOf, wordOf } from "./presets.ts"

/** The burns and mints that the key of one chain may sign. */
export type BurnPermissions = {
  readonly accounts: CctpAccounts
  /** The asset that the token of the programs is here. */
  readonly asset: AssetId
  /** The places that mints to us reach, by Circle's number of their chain. */
  readonly recipients: ReadonlyMap<number, readonly Hex[]>
  /** The messengers of the route's chains, by the same number. */
  readonly messengers: ReadonlyMap<number, Hex>
  /** No burn may allow a higher share of its amount as the fee. */
  readonly maxFeeRate: FeeRate
  /** The table of addresses that makes a mint short enough; `null` without one. */
  readonly lookupTable: string | null
  /** The reviewed identities of the programs here. */
  readonly pinned: readonly PinnedContract[]
}

/**
 * The account of a burn's message has a key of its own, which signs the burn. It follows from the
 * order, so a second burn of the same order would need an account that exists already.
 */
export function eventKeyOf(dealKey: string, depositor: Hex): Keypair {
  return Keypair.fromSeed(eventSeedOf(dealKey, depositor))
}

export function eventSeedOf(dealKey: string, depositor: Hex): Buffer {
  return createHash("sha256").update(`ballast cctp burn ${depositor} ${dealKey}`).digest()
}

/** A burn that the key may sign; a text tells why it may not. */
type OwnBurn = {
  readonly units: bigint
  readonly eventAccount: string
  readonly terms: string
}

/**
 * A burn to one of our own accounts, from our own token account, that any account may mint, without
 * a hook, with a bounded fee. Nothing after the burn could change that. The rest of the message is
 * compared as bytes.
 */
export function readOwnBurn(
  { accounts, recipients, maxFeeRate }: BurnPermissions,
  { account, resources }: Pick<TransactionPlan, "account" | "resources">,
  call: ReadInstruction,
): OwnBurn | string {
  const burn = decodeBurnCall(call.data)
  if (burn === null) return "it calls the messenger with something other than a burn"
  if (recipients.get(burn.destinationDomain)?.includes(burn.mintRecipient) !== true)
    return "its burn pays an account that is not ours"
  if (burn.destinationDomain === accounts.domain) return "its burn is to the same chain"
  if (burn.destinationCaller !== ZERO_WORD) return "its burn can be minted by one account only"
  if (!SPEEDS.includes(burn.minFinalityThreshold)) return "its burn asks for an unknown finality"
  if (burn.maxFeeUnits >= burn.amountUnits) return "its burn may cost the whole amount"
  if (burn.maxFeeUnits > feeShareOf(burn.amountUnits, maxFeeRate) + TAG_UNITS)
    return "its burn allows a higher fee than configured"
  const seed = extraKeyOf(resources)
  const eventKey = seed === null ? null : Keypair.fromSeed(seed).publicKey
  const eventAccount = call.accounts[EVENT_ACCOUNT_AT]?.address ?? ""
  if (
    eventKey?.toBase58() !== eventAccount ||
    !resources.includes(swapAccountResource(eventAccount))
  )
    return "its burn writes another message account than the reserved one"
  const owner = new PublicKey(account)
  const expected = buildBurn(
    accounts,
    { owner, eventAccount: eventKey, domain: burn.destinationDomain },
    Buffer.from(call.data),
  )
  const differs = expected.keys.some(({ pubkey }, at) => call.accounts[at]?.address !== `${pubkey}`)
  if (differs || expected.keys.length !== call.accounts.length)
    return "its burn names other accounts than the program's and our own"
  const terms = createHash("sha256").update(call.data).update(eventAccount).digest("hex")
  return { units: burn.amountUnits, eventAccount, terms }
}

const SPEEDS: readonly number[] = Object.values(FINALITY)

/**
 * A mint of a message that pays our own token account; a text tells why it is none. It costs its
 * fee and a rent, and nothing else. `payee`: the owner; a watchtower's key has another account.
 */
export function findMintProblem(
  { accounts, recipients, lookupTable }: BurnPermissions,
  payer: string,
  call: ReadInstruction,
): string | null {
  const mint = decodeMintCall(call.data)
  const message = mint === null ? null : decodeBurnMessage(mint.message)
  if (mint === null || message === null) return "it calls the transmitter with no message of a burn"
  const isOurs =
    recipients.get(accounts.domain)?.includes(message.mintRecipient) === true &&
    message.destinationDomain === accounts.domain &&
    message.recipient === wordOf(accounts.messenger)
  if (!isOurs) return "its mint pays an account that is not ours"
  const { sourceDomain: source, nonce, burnToken, mintRecipient } = message
  const feeAccount = call.accounts[MINT_AT.feeAccount]
  const expected = buildMint(
    accounts,
    {
      payer: new PublicKey(payer),
      nonce,
      source,
      burnToken,
      feeAccount: feeAccount?.address ? new PublicKey(feeAccount.address) : accounts.custody,
      recipient: addressOf(mintRecipient),
    },
    encodeMintCall(mint.message, mint.attestation),
  )
  const isSame = expected.keys.every(({ pubkey, isSigner }, at) => {
    const found = call.accounts[at]
    if (found === undefined || found.signer !== (isSigner || `${pubkey}` === payer)) return false
    // The program compares each account that the signer process cannot see.
    if (found.address === null) return found.lookup?.table === lookupTable
    return found.address === pubkey.toBase58()
  })
  return isSame && expected.keys.length === call.accounts.length
    ? null
    : "its mint names other accounts than the program's and our own"
}
