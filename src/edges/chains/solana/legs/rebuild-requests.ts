import { PublicKey } from "@solana/web3.js"
import type { DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { tokenOf } from "../check-tokens.ts"
import { buildInitiate } from "../htlc.ts"
import {
  assembleMessage,
  NO_BLOCKHASH,
  unitLimitOf,
  unsignedTransaction,
} from "../spend/assemble.ts"
import { buildSplInitiate } from "../spl-htlc.ts"
import { parseAddress, type Wallet } from "../wallet.ts"

/** See `ChainPort.rebuildRequests`. */
export function rebuildSolanaRequests(
  wallet: Wallet,
  { source }: ServiceOrder,
): readonly DepositRequest[] {
  const asset = wallet.assets.find(({ id }) => id === source.asset)
  const redeemer = parseAddress(source.redeemer)
  if (asset === undefined || redeemer === null || !/^[0-9a-f]{64}$/.test(source.secretHash))
    return []
  const secretHash = Buffer.from(source.secretHash, "hex")
  const terms = { units: source.units, slots: source.timelock, redeemer, secretHash }
  const initiator = new PublicKey(wallet.account)
  const token = tokenOf(asset)
  return asset.htlc.map((htlc) => {
    const program = new PublicKey(htlc)
    const call =
      token === null
        ? buildInitiate(program, initiator, terms)
        : buildSplInitiate(program, { initiator, mint: token.mint }, terms)
    const parts = {
      account: wallet.account,
      blockhash: NO_BLOCKHASH,
      unitPriceMicroLamports: 0n,
      instructions: [call],
    }
    const message = assembleMessage({ ...parts, unitLimit: unitLimitOf(asset.token) })
    return { family: "solana", transaction: unsignedTransaction(message) }
  })
}
