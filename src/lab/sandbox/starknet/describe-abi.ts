/** The entries of a Cairo ABI, as `starknet_getClassAt` publishes them in JSON. */
export type Abi = readonly Readonly<Record<string, unknown>>[]

/** A member of a struct, or an input of a function. */
export type Member = readonly [name: string, type: string]

export const U128 = "core::integer::u128"
export const FELT_ARRAY = "core::array::Array::<core::felt252>"

export function fieldsOf(members: readonly Member[]): { name: string; type: string }[] {
  return members.map(([name, type]) => ({ name, type }))
}

export function functionOf(
  name: string,
  inputs: readonly Member[],
  output?: string,
): Record<string, unknown> {
  const outputs = output === undefined ? [] : [{ type: output }]
  return { type: "function", name, inputs: fieldsOf(inputs), outputs, state_mutability: "external" }
}

export function viewOf(
  name: string,
  inputs: readonly Member[],
  output: string,
): Record<string, unknown> {
  return { ...functionOf(name, inputs, output), state_mutability: "view" }
}
