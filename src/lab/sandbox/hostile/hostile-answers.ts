import { encodeFunctionData, getAddress, maxUint256 } from "viem"
import { mustExist } from "#lib/assert.ts"
import { tokenAbi } from "../evm/token-abi.ts"
import type { LocalChain } from "../local-chain.ts"
import { mergePatch } from "../service/merge-patch.ts"
import type { AnswerFields, HostileContext } from "./hostile-context.ts"
import { payInstead } from "./hostile-solana.ts"

/**
 * One address per family that belongs to no party of the sandbox: on Bitcoin a witness program of
 * zeros, on EVM and Solana the usual burn addresses, on Starknet an invented one.
 */
export const ATTACKER = {
  bitcoin: "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202",
  evm: "0x000000000000000000000000000000000000dEaD",
  solana: "1nc1nerator11111111111111111111111111111111",
  starknet: "0x00bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0ba",
} as const

/** Makes the deposit pay the attacker, with the means of each family. */
export function payAttacker(response: AnswerFields, context: HostileContext): AnswerFields {
  switch (context.source.family) {
    case "bitcoin":
      return { ...response, to: ATTACKER.bitcoin }
    case "evm":
      return patch(response, {
        transaction: { to: ATTACKER.evm },
        ...(response["typed_data"] === null
          ? {}
          : { typed_data: { domain: { verifyingContract: ATTACKER.evm } } }),
      })
    case "solana":
      return payInstead(response, context)
    case "starknet":
      return patch(response, { transaction: { to: ATTACKER.starknet } })
  }
}

/** Replaces the deposit by an unlimited approval of the order's token for the attacker. */
export function approveAttacker(
  response: AnswerFields,
  { order, source }: HostileContext,
): AnswerFields {
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
    transaction: {
      to: asset.token,
      value: "0x0",
      data,
      gas_limit: "0x493e0",
      chain_id: mustExist(source.chainId, "id"),
    },
  }
}

/** Replaces the address, the chain id or the typed data by those of another network. */
export function useForeignNetwork(
  response: AnswerFields,
  { source }: HostileContext,
): AnswerFields {
  if (source.family === "bitcoin") return { ...response, to: MAINNET_ADDRESS }
  const typed = patchTypedData(response, (family) => ({
    domain: { chainId: family === "evm" ? "0x1" : "SN_MAIN" },
  }))
  return source.family === "evm" ? patch(typed, { transaction: { chain_id: 1 } }) : typed
}

/**
 * Changes the typed data of the answer, if it has any. Typed data with `EIP712Domain` belongs to
 * EVM.
 */
export function patchTypedData(
  response: AnswerFields,
  change: (family: "evm" | "starknet") => unknown,
): AnswerFields {
  const typed = response["typed_data"] ?? null
  if (typed === null) return response
  const family: LocalChain["family"] = JSON.stringify(typed).includes("EIP712Domain")
    ? "evm"
    : "starknet"
  return { ...response, typed_data: mergePatch(typed, change(family)) }
}

function patch(response: AnswerFields, change: unknown): AnswerFields {
  // CAST: merging objects gives an object.
  return mergePatch(response, change) as AnswerFields
}

/** The example address of BIP 173. */
const MAINNET_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
/** starknet_keccak("approve"). */
const STARKNET_APPROVE = "0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c"
const U128_MAX = `0x${"f".repeat(32)}`
