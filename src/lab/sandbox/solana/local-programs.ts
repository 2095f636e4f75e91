import { type Connection, PublicKey, type TransactionInstruction } from "@solana/web3.js"
import type { LocalAsset, LocalSwap } from "../local-chain.ts"
import { htlcProgram } from "./htlc-program.ts"
import { splProgram } from "./spl-program.ts"
import { createTokenAccount } from "./spl-tokens.ts"

/** The HTLC program of one asset: native SOL has its own, and all tokens share the other one. */
export type LocalProgram = {
  readonly id: PublicKey
  findAddress(initiator: PublicKey, secretHash: Buffer): PublicKey
  /** `sponsor` pays the rent of a token swap; a native swap takes it from the initiator. */
  initiate(swap: LocalSwap, sponsor: PublicKey): TransactionInstruction
  /**
   * Pays the redeemer with a secret, the initiator without one. The payer creates a missing token
   * account of the payee.
   */
  settle(
    swap: LocalSwap,
    options: { secret: Buffer | null; payer: PublicKey; connection: Connection },
  ): Promise<TransactionInstruction[]>
}

export function programOf(asset: LocalAsset): LocalProgram {
  return asset.token === null ? nativeProgram : tokenProgram(new PublicKey(asset.token))
}

const nativeProgram: LocalProgram = {
  id: htlcProgram.id,
  findAddress: (initiator, secretHash) =>
    htlcProgram.findAddress(htlcProgram.id, initiator, secretHash),
  initiate: (swap) =>
    htlcProgram.initiate(htlcProgram.id, new PublicKey(swap.initiator), termsOf(swap)),
  settle: async (swap, { secret }) => {
    const { address, initiator, redeemer } = partiesOf(swap)
    const parties = { address, initiator, redeemer }
    if (secret === null) return [htlcProgram.refund(htlcProgram.id, parties)]
    return [htlcProgram.redeem(htlcProgram.id, parties, secret)]
  },
}

function tokenProgram(mint: PublicKey): LocalProgram {
  const { id } = splProgram
  return {
    id,
    findAddress: (initiator, secretHash) => splProgram.findAddress(id, initiator, secretHash),
    initiate: (swap, sponsor) => {
      const terms = { ...termsOf(swap), destinationData: null }
      return splProgram.initiate(
        id,
        { initiator: new PublicKey(swap.initiator), sponsor, mint },
        terms,
      )
    },
    settle: async (swap, { secret, payer, connection }) => {
      const { address, initiator, redeemer } = partiesOf(swap)
      const owner = secret === null ? initiator : redeemer
      const account = await connection.getAccountInfo(address, "confirmed")
      // A closed swap has no sponsor to read; the program then refuses the call itself.
      const sponsor = account === null ? initiator : splProgram.readSponsor(account.data)
      return [
        createTokenAccount(payer, owner, mint),
        splProgram.settle(id, { address, owner, mint, sponsor }, secret),
      ]
    },
  }
}

function termsOf(swap: LocalSwap) {
  return {
    units: BigInt(swap.units),
    slots: BigInt(swap.timelock),
    redeemer: new PublicKey(swap.redeemer),
    secretHash: Buffer.from(swap.secretHash, "hex"),
  }
}

function partiesOf(swap: LocalSwap): {
  address: PublicKey
  initiator: PublicKey
  redeemer: PublicKey
} {
  const address = swap.extra["address"] ?? ""
  const initiator = swap.initiator
  const redeemer = swap.redeemer
  return {
    address: new PublicKey(address),
    initiator: new PublicKey(initiator),
    redeemer: new PublicKey(redeemer),
  }
}
