import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem"
import type { Wallet } from "../wallet.ts"
import { isReverted } from "./dialect.ts"
import type { EvmClient } from "./endpoint.ts"

/**
 * Reads the fee in wei that an OP-stack chain charges, besides gas, for storing `bytes` of calldata
 * and signature on L1. Returns 0 on every other chain, and if the predeploy is missing (a local
 * node with such a chain id).
 *
 * Asks the predeploy GasPriceOracle, `getL1Fee(bytes)` (specs.optimism.io, predeploys), with
 * incompressible bytes, because since Fjord the fee depends on compression. A node failure is a
 * failed read, never a fee of 0.
 */
export async function readL1Fee(
  { chainId }: Pick<Wallet, "chainId">,
  client: EvmClient,
  bytes: number,
): Promise<bigint> {
  if (!OP_STACK.has(chainId)) return 0n
  const data = encodeFunctionData({
    abi: ORACLE_ABI,
    functionName: "getL1Fee",
    args: [incompressible(bytes)],
  })
  const answer = await callOracle(client, data)
  if (answer === undefined || answer === "0x") return 0n
  return decodeFunctionResult({ abi: ORACLE_ABI, functionName: "getL1Fee", data: answer })
}

/** A contract that reverts is not the oracle. */
async function callOracle(client: EvmClient, data: Hex): Promise<Hex | undefined> {
  try {
    return (await client.call({ to: ORACLE, data })).data
  } catch (error) {
    if (isReverted(error)) return undefined
    throw error
  }
}

const ORACLE = "0x420000000000000000000000000000000000000F"
const ORACLE_ABI = parseAbi(["function getL1Fee(bytes _data) view returns (uint256)"])

/**
 * Chains of the OP stack that charge an L1 data fee (superchain registry): OP, Unichain, World
 * Chain, Soneium, Lisk, Base, Mode, Ink, Zora, BOB, and the test networks of OP, Base, Unichain and
 * Ink.
 */
const OP_STACK: ReadonlySet<number> = new Set([
  10, 130, 480, 1_868, 1_135, 8_453, 34_443, 57_073, 7_777_777, 60_808, 11_155_420, 84_532, 1_301,
  763_373,
])

/**
 * Bytes of a linear congruential generator: deterministic, and as incompressible as random bytes.
 */
function incompressible(bytes: number): Hex {
  let state = 1
  const data = Uint8Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
  return `0x${Buffer.from(data).toString("hex")}`
}
