import { ANYBODY_REFUNDS, type RefundRecipe } from "#chains/family-definition.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { solanaExtras } from "../extras.ts"
import { buildRefund } from "../htlc.ts"
import { buildSplRefund, deriveSwapData, SETTLE_AT } from "../spl-htlc.ts"
import { parseAddress } from "../wallet.ts"

export function describeSolanaRefund(deposit: VerifiedDeposit): RefundRecipe {
  const program = mustExist(parseAddress(deposit.htlc), "the program's address")
  const initiator = mustExist(parseAddress(deposit.refundTo), "the initiator")
  const secretHash = Buffer.from(deposit.secretHash, "hex")
  const { spl, typedData } = solanaExtras.parse(deposit.extras)
  const mint = parseAddress(spl?.mint ?? "")
  const { keys, data } =
    mint === null
      ? buildRefund(program, initiator, secretHash)
      : buildSplRefund(program, { initiator, mint }, deriveSwapData(program, initiator, secretHash))
  return {
    who: ANYBODY_REFUNDS,
    when: `after ${deposit.timelock} slots from the initiation's slot`,
    how: [
      "send a transaction with this one instruction; any account may pay its fee",
      ...(mint === null
        ? []
        : ["account 4 must exist: create the initiator's associated token account first if not"]),
      ...(typedData === undefined
        ? []
        : ["SPONSOR: the last 32 bytes of the swap account's record; a relay may have paid"]),
    ],
    program: deposit.htlc,
    accounts: keys.map(({ pubkey, isSigner, isWritable }, at) => ({
      address: typedData !== undefined && at === SETTLE_AT.sponsor ? "SPONSOR" : pubkey.toBase58(),
      isSigner,
      isWritable,
    })),
    data: data.toString("hex"),
  }
}
