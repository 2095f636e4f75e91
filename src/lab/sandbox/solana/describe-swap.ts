import { createHash } from "node:crypto"
import { PublicKey } from "@solana/web3.js"
import type { LocalSwap, SwapRequest } from "../local-chain.ts"
import type { LocalProgram } from "./local-programs.ts"

/** Describes a swap with the solver as the other party. */
export function describeSwap(options: {
  side: LocalSwap["side"]
  chain: string
  solver: string
  program: LocalProgram
  request: SwapRequest
}): LocalSwap {
  const { side, chain, solver, program, request } = options
  const [initiator, redeemer] =
    side === "source" ? [request.owner, solver] : [solver, request.owner]
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
      program: program.id.toBase58(),
      address: program.findAddress(initiatorKey, secretHash).toBase58(),
    },
  }
}

/** The number of Solana's devnet in the service's swap ids. */
const SWAP_ID_CHAIN = 103n
