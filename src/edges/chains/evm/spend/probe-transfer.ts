import { type Address, encodeFunctionData, hexToBigInt, parseAbi, size, sliceHex } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import { buildProbe } from "./probe-approvals.ts"

const abi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
])

type Needs = { readonly asset: AssetId; readonly token: Address | null; readonly units: bigint }

/**
 * Why a deposit could never be refunded: some tokens keep a share of each transfer. The HTLC would
 * book the whole amount, and every payment of it would revert.
 *
 * The node runs a small program in the place of our account: the balance of the receiver before and
 * after the transfer. `null` where the transfer fails, which other checks judge, and where the node
 * cannot replace code in a call.
 */
export async function findTransferLoss(
  client: EvmClient,
  from: Address,
  to: Address | null,
  needs: Needs | null,
): Promise<Reason | null> {
  if (to === null || needs === null || needs.token === null) return null
  const { asset, token, units } = needs
  const balance = encodeFunctionData({ abi, functionName: "balanceOf", args: [to] })
  const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [to, units] })
  const code = buildProbe(token, [balance, transfer, balance], "answer")
  const call = { to: from, stateOverride: [{ address: from, code }] }
  const { data = "0x" } = await client.call(call).catch(() => ({ data: undefined }))
  if (size(data) !== 3 * 32) return null
  const [before = 0n, after = 0n] = [0, 64].map((at) => hexToBigInt(sliceHex(data, at, at + 32)))
  if (after <= before || after - before >= units) return null
  const message =
    "The token keeps a share of each transfer, so the HTLC would get less than it books, and " +
    "could neither pay nor refund"
  return { code: "evm.token_keeps_share", message, asset, lost: String(units - (after - before)) }
}
