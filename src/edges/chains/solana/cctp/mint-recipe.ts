import type { PayoutOrder, RedeemRecipe } from "#chains/family-definition.ts"
import { burnOf, readMintBytes } from "#routes/cctp/kept-burn.ts"

/** The mint of a burn on Solana without Ballast. */
export function describeMint(
  { deposit, voucher, depositTx }: PayoutOrder,
  given: Readonly<Record<string, string>> = {},
): RedeemRecipe {
  const { call, source } = burnOf(deposit)
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
      "call receive_message of the MessageTransmitter with message and attestation, in a " +
        "transaction of version 0 with a table of the programs' addresses",
    ],
    program: given["transmitter"] ?? "CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC",
    message: mint?.bytes ?? null,
    attestation: mint?.attestation ?? null,
    burn: { tx: depositTx, domain: source, amountUnits: call.amountUnits },
  }
}
