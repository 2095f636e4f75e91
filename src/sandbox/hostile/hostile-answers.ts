import { encodeFunctionData, getAddress, maxUint256 } from "viem"
import { present } from "#lib/assert.ts"
import { tokenAbi } from "../evm/token-abi.ts"
import type { LocalChain } from "../local-chain.ts"
import { mergePatch } from "../service/merge-patch.ts"
import type { Response, Scene } from "./hostile-modes.ts"
import { payInstead } from "./hostile-solana.ts"

/** Addresses that nobody of this sandbox has, one per family: a witness program of zeros, the usual graves, and a made-up one. */
export const ATTACKER = {
  bitcoin: "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202",
  evm: "0x000000000000000000000000000000000000dEaD",
  solana: "1nc1nerator11111111111111111111111111111111",
  starknet: "0x00bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0ba",
} as const

/** The deposit goes to somebody else, by whatever means the family has. */
export function payForeign(response: Response, scene: Scene): Response {
  switch (scene.source.family) {
    case "bitcoin":
      return { ...response, to: ATTACKER.bitcoin }
    case "evm":
      return patch(response, {
        transaction: { to: ATTACKER.evm },
        ...(response["typed_data"] === null ? {} : { typed_data: { domain: { verifyingContract: ATTACKER.evm } } }),
      })
    case "solana":
      return payInstead(response, scene)
    case "starknet":
      return patch(response, { transaction: { to: ATTACKER.starknet } })
  }
}

/** `approve(attacker, everything)` on the order's token in the place of the deposit. */
export function approveForeign(response: Response, { order, source }: Scene): Response {
  const asset = source.assets.find(({ id }) => id === order.source.swap.asset)
  if (!asset?.token) return response
  if (source.family === "starknet") {
    const transaction = {
      to: asset.token,
      selector: STARKNET_APPROVE,
      calldata: [ATTACKER.starknet, U128_MAX, U128_MAX],
    }
    return { ...response, transaction }
  }
  const args = [getAddress(ATTACKER.evm), maxUint256] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "approve", args })
  return {
    ...response,
    transaction: { to: asset.token, value: "0x0", data, gas_limit: "0x493e0", chain_id: present(source.chainId, "id") },
  }
}

export function signForeignNetwork(response: Response, { source }: Scene): Response {
  if (source.family === "bitcoin") return { ...response, to: MAINNET_ADDRESS }
  const typed = patchTypedData(response, (family) => ({ domain: { chainId: family === "evm" ? "0x1" : "SN_MAIN" } }))
  return source.family === "evm" ? patch(typed, { transaction: { chain_id: 1 } }) : typed
}

/** Typed data of EVM says `EIP712Domain`; where there is none, nothing is spoilt. */
export function patchTypedData(response: Response, change: (family: "evm" | "starknet") => unknown): Response {
  const typed = response["typed_data"] ?? null
  if (typed === null) return response
  const family: LocalChain["family"] = JSON.stringify(typed).includes("EIP712Domain") ? "evm" : "starknet"
  return { ...response, typed_data: mergePatch(typed, change(family)) }
}

function patch(response: Response, change: unknown): Response {
  // CAST: merging objects gives an object.
  return mergePatch(response, change) as Response
}

/** The example of BIP 173. */
const MAINNET_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
/** starknet_keccak("approve"). */
const STARKNET_APPROVE = "0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c"
const U128_MAX = `0x${"f".repeat(32)}`
