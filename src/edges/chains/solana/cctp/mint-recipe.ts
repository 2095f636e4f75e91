import { PublicKey } from "@solana/web3.js"
import type { PayoutOrder, RedeemRecipe } from "#chains/family-definition.ts"
import { burnOf, readMintBytes } from "#routes/cctp/kept-burn.ts"
import { ZERO_WORD } from "#routes/cctp/message.ts"
import { buildMint, deriveAccounts, MINT_AT } from "./accounts.ts"
import { encodeMintCall } from "./calls.ts"
import { findCctpTexts } from "./domains.ts"
import { addressOf, programsOf } from "./presets.ts"

/**
 * The mint of a burn on Solana without Ballast. Without its voucher the recipe says where the
 * voucher comes from: Circle's service gives it to any client.
 */
export function describeMint(
  { deposit, voucher, depositTx }: PayoutOrder,
  preset: string,
  given?: Readonly<Record<string, string>>,
): RedeemRecipe {
  const { call, source } = burnOf(deposit)
  const texts = findCctpTexts(preset, given)
  const mint = voucher === null ? null : readMintBytes(voucher)
  const fetched =
    `GET /v2/messages/${source}?transactionHash=${depositTx ?? "BURN"} at Circle's ` +
    "attestation service gives message and attestation once its status is complete; after a fast " +
    "attestation has expired, POST /v2/reattest/NONCE gives new ones"
  return {
    who: "any account with SOL for fee and rent: the message pays our own token account",
    when: "at any time after the attestation; nothing ends it, and nothing returns the burn",
    how: [
      ...(mint === null ? [fetched] : []),
      "call receive_message of the MessageTransmitter with message and attestation (each behind " +
        "its length as u32, after the 8 bytes 26907fe11fe1ee19), in a transaction of version 0 " +
        "with a table of the programs' addresses and 350 000 compute units",
      "its accounts stand in this order; W is written, and the payer signs",
      ...(mint === null ? [] : [`where it fails as expired (6016): ${fetched}`]),
    ],
    program: texts?.transmitter ?? "the MessageTransmitter of the cluster",
    accounts:
      texts === null ? null : listAccounts(texts, mint?.message.nonce ?? null, call, source),
    message: mint?.bytes ?? null,
    attestation: mint?.attestation ?? null,
    data: mint === null ? null : encodeMintCall(mint.bytes, mint.attestation).toString("hex"),
    burn: { tx: depositTx, domain: source, amountUnits: call.amountUnits },
  }
}

/** Those that only the chain or the attestation tells have a sentence in their place. */
function listAccounts(
  texts: NonNullable<ReturnType<typeof findCctpTexts>>,
  nonce: `0x${string}` | null,
  { burnToken, mintRecipient }: ReturnType<typeof burnOf>["call"],
  source: number,
): readonly string[] {
  const accounts = deriveAccounts(programsOf(texts))
  const parts = {
    payer: PublicKey.default,
    nonce: nonce ?? ZERO_WORD,
    source,
    burnToken,
    feeAccount: accounts.custody,
    recipient: addressOf(mintRecipient),
  }
  const names: Readonly<Record<number, string>> = {
    0: "the payer",
    1: "the payer",
    [MINT_AT.feeAccount]: "the token account of the fee_recipient in token_messenger",
    ...(nonce === null
      ? { [MINT_AT.usedNonce]: 'the address of ["used_nonce", nonce] of the transmitter' }
      : {}),
  }
  return buildMint(accounts, parts, Buffer.alloc(0)).keys.map(
    ({ pubkey, isWritable }, at) => `${names[at] ?? pubkey}${isWritable ? " W" : ""}`,
  )
}
