import { createHash } from "node:crypto"
import { PublicKey } from "@solana/web3.js"
import type { LocalSwap, SwapRequest } from "../local-chain.ts"
import { htlcProgram } from "./htlc-program.ts"

/** Describes a swap with the solver as the other party. */
export function describeSwap(options: {
  side: LocalSwap["side"]
  chain: string
  solver: string
  request: SwapRequest
}): LocalSwap {
  const { side, chain, solver, request } = options
  const [initiator, redeemer] = side === "source" ? [request.owner, solver] : [solver, request.owner]
  const secretHash = Buffer.from(request.secretHash, "hex")
  const initiatorKey = new PublicKey(initiator)
  const chainNumber = Buffer.from(SWAP_ID_CHAIN.toString(16).padStart(64, "0"), "hex")
  const idInput = Buffer.concat([chainNumber, secretHash, initiatorKey.toBytes()])
  return {
    side,
    chain,
    asset: request.assetId,
    units: request.units.toString(),
    owner: request.owner,
    swapId: createHash("sha256").update(idInput).digest("hex"),
    initiator,
    redeemer,
    timelock: request.timelock,
    secretHash: request.secretHash,
    extra: {
      program: htlcProgram.id.toBase58(),
      address: htlcProgram.findAddress(htlcProgram.id, initiatorKey, secretHash).toBase58(),
    },
  }
}

/** The number of Solana's devnet in the service's swap ids. */
const SWAP_ID_CHAIN = 103n
