import type { PayoutOrder, RedeemRecipe } from "#chains/family-definition.ts"
import { burnOf, readMintBytes } from "#routes/cctp/kept-burn.ts"
import { encodeMint } from "./calls.ts"
import { findCctpPreset } from "./presets.ts"

/**
 * The mint of a burn without Ballast. Without its voucher the recipe says where the voucher comes
 * from: Circle's service gives it to any client.
 */
export function describeMint(
  { deposit, voucher, depositTx }: PayoutOrder,
  chainId: number,
  given?: Readonly<Record<string, string>>,
): RedeemRecipe {
  const burn = burnOf(deposit)
  const preset = findCctpPreset(chainId)
  const to = given?.["transmitter"] ?? preset?.transmitter ?? "the MessageTransmitter of the chain"
  const mint = voucher === null ? null : readMintBytes(voucher)
  const fetched =
    `GET /v2/messages/${burn.source}?transactionHash=${depositTx ?? "BURN"} at Circle's ` +
    "attestation service gives message and attestation once its status is complete; after a fast " +
    "attestation has expired, POST /v2/reattest/NONCE gives new ones"
  return {
    who: "any account with coin for the gas: the message pays our own account, whichever sends it",
    when: "at any time after the attestation; nothing ends it, and nothing returns the burn",
    how: [
      ...(mint === null ? [fetched] : []),
      "send a transaction with no value to the transmitter: " +
        "receiveMessage(bytes message, bytes attestation)",
      ...(mint === null ? [] : [`where it reverts as expired: ${fetched}`]),
    ],
    chainId,
    to,
    value: "0",
    data: mint === null ? null : encodeMint(mint.bytes, mint.attestation),
    burn: { tx: depositTx, domain: burn.source, amountUnits: burn.call.amountUnits },
  }
}
