import {
  type Address,
  type CallParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  type StateOverride,
} from "viem"
import { tokenAbi } from "../htlc.ts"
import { isReverted } from "../nodes/dialect.ts"
import type { EvmClient } from "../nodes/endpoint.ts"

/**
 * The place in the chain's state that holds one allowance: a contract (the token itself, or a store
 * behind it) and a slot.
 */
export type AllowanceSlot = { readonly contract: Address; readonly slot: Hex }

/** No real amount, so that no other slot can give it. */
const MARK = 0x6d_61_72_6b_6d_61_72_6b_6d_61_72_6bn
/** A look at an allowance reads a few slots: proxies read their implementation first. */
const MAX_SLOTS = 24

/**
 * Finds where the token keeps this allowance: each slot that a look at it reads is replaced in a
 * simulation, until the look shows the mark. `null`: no slot holds the plain amount, or the node
 * cannot simulate with a replaced state.
 */
export async function findAllowanceSlot(
  client: EvmClient,
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<AllowanceSlot | null> {
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: "allowance",
    args: [owner, spender],
  })
  const { accessList } = await client.createAccessList({ account: owner, to: token, data })
  const slots = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot) => ({ contract: address, slot })),
  )
  for (const place of slots.slice(0, MAX_SLOTS)) {
    const answer = await callOrNull(client, {
      to: token,
      data,
      stateOverride: overrideAllowance(place, MARK),
    })
    if (answer === numberToHex(MARK, { size: 32 })) return place
  }
  return null
}

/**
 * `null` where the call reverts: a token without the address of its store, for example, cannot
 * answer.
 */
async function callOrNull(client: EvmClient, call: CallParameters): Promise<Hex | null> {
  try {
    return (await client.call(call)).data ?? null
  } catch (error) {
    if (isReverted(error)) return null
    throw error
  }
}

/** The state with this allowance, for a simulation. */
export function overrideAllowance({ contract, slot }: AllowanceSlot, units: bigint): StateOverride {
  return [{ address: contract, stateDiff: [{ slot, value: numberToHex(units, { size: 32 }) }] }]
}
