import type { PublicKey } from "@solana/web3.js"
import { ANYBODY_REDEEMS, NO_SECRET, type RedeemRecipe } from "#chains/family-definition.ts"
import type { Asset } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import { mustExist } from "#lib/assert.ts"
import { buildRedeem, DISCRIMINATORS } from "../htlc.ts"
import { programOf } from "../program.ts"
import { buildSplRedeem } from "../spl-htlc.ts"
import { parseAddress } from "../wallet.ts"

/** A token's swap account names its sponsor on chain, so the recipe says where to read it. */
export function describeSolanaRedeem(
  payout: Payout,
  asset: Asset,
  secret: string | null,
): RedeemRecipe {
  const calls = asset.htlc.map((name) =>
    describeCall(mustExist(parseAddress(name), "the program's address"), payout, asset),
  )
  return {
    who: ANYBODY_REDEEMS,
    when: `within ${payout.timelock} slots of the payout's initiation`,
    how: [
      "send a transaction with one instruction, to the program whose swap account exists; " +
        "any account may pay its fee",
      ...(asset.token === null
        ? []
        : [
            "SPONSOR: the last 32 bytes of the swap account's record",
            "the redeemer's token account must exist",
          ]),
    ],
    data: secret === null ? NO_SECRET : `${DISCRIMINATORS.redeem}${secret}`,
    calls,
  }
}

function describeCall(program: PublicKey, payout: Payout, { token }: Asset): object {
  const initiator = mustExist(parseAddress(payout.initiator), "the initiator")
  const redeemer = mustExist(parseAddress(payout.redeemer), "the redeemer")
  const swapAccount = programOf(token).deriveSwapAccount(
    program,
    initiator,
    Buffer.from(payout.secretHash, "hex"),
  )
  const mint = token === null ? null : mustExist(parseAddress(token), "the mint")
  // Any secret gives the other accounts. The first one of a native call follows from the hash, and
  // is put in its place here.
  const { keys } =
    mint === null
      ? buildRedeem(program, { initiator, redeemer }, Buffer.alloc(32))
      : buildSplRedeem(
          program,
          { redeemer, mint },
          { swapData: swapAccount, sponsor: program },
          Buffer.alloc(32),
        )
  const known = new Map(mint === null ? [[0, swapAccount.toBase58()]] : [[SPONSOR_AT, "SPONSOR"]])
  const accounts = keys.map(({ pubkey, isSigner, isWritable }, at) => {
    return { address: known.get(at) ?? pubkey.toBase58(), isSigner, isWritable }
  })
  return { program: program.toBase58(), swapAccount: swapAccount.toBase58(), accounts }
}

/** Its place in the accounts of a token's redemption. */
const SPONSOR_AT = 4
