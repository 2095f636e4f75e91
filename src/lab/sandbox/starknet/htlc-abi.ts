import {
  type Abi,
  FELT_ARRAY,
  fieldsOf,
  functionOf,
  type Member,
  U128,
  viewOf,
} from "./describe-abi.ts"
import type { HtlcVariant } from "./htlc-variant.ts"

/**
 * The ABI that the contract of this variant publishes, for clients that read it by
 * `starknet_getClassAt`. For `v3` it says the same as the published client's own ABI; a test
 * compares them.
 */
export function describeHtlcAbi(variant: HtlcVariant): Abi {
  const hash = variant.hashPartBits === 32 ? "[core::integer::u32; 8]" : "[core::integer::u128; 2]"
  return [
    { type: "impl", name: "HTLC", interface_name: "starknet_htlc::interface::IHTLC" },
    {
      type: "struct",
      name: U256,
      members: fieldsOf([
        ["low", U128],
        ["high", U128],
      ]),
    },
    { type: "struct", name: ORDER, members: fieldsOf(ORDER_MEMBERS) },
    {
      type: "interface",
      name: "starknet_htlc::interface::IHTLC",
      items: describeFunctions(variant, hash),
    },
    { type: "constructor", name: "constructor", inputs: fieldsOf([["token", ADDRESS]]) },
    ...describeEvents(variant, hash),
  ]
}

const ADDRESS = "core::starknet::contract_address::ContractAddress"
const FELT = "core::felt252"
const U256 = "core::integer::u256"
const ORDER = "starknet_htlc::htlc::HTLC::Order"
const EVENTS = "starknet_htlc::interface::events"
const SECRET_WORDS = "[core::integer::u32; 8]"
const SECRET_ARRAY = "core::array::Array::<core::integer::u32>"

const ORDER_MEMBERS: readonly Member[] = [
  ["fulfilled_at", U128],
  ["initiator", ADDRESS],
  ["redeemer", ADDRESS],
  ["initiated_at", U128],
  ["timelock", U128],
  ["amount", U256],
]

function describeFunctions({ secretAsArray }: HtlcVariant, hash: string): Abi {
  const terms: readonly Member[] = [
    ["redeemer", ADDRESS],
    ["timelock", U128],
    ["amount", U256],
    ["secret_hash", hash],
  ]
  const initiator: Member = ["initiator", ADDRESS]
  const data: Member = ["destination_data", FELT_ARRAY]
  const orderId: Member = ["order_id", FELT]
  const signature: Member = ["signature", FELT_ARRAY]
  return [
    viewOf("token", [], ADDRESS),
    viewOf("get_order", [orderId], ORDER),
    functionOf("initiate", terms),
    functionOf("initiate_with_destination_data", [...terms, data]),
    functionOf("initiate_on_behalf", [initiator, ...terms]),
    functionOf("initiate_on_behalf_with_destination_data", [initiator, ...terms, data]),
    functionOf("initiate_with_signature", [initiator, ...terms, signature]),
    functionOf("redeem", [orderId, ["secret", secretAsArray ? SECRET_ARRAY : SECRET_WORDS]]),
    functionOf("refund", [orderId]),
    functionOf("instant_refund", [orderId, signature]),
  ]
}

function describeEvents({ secretAsArray }: HtlcVariant, hash: string): Abi {
  const hashed: Member = ["secret_hash", hash]
  const events: readonly (readonly [name: string, data: readonly Member[]])[] = [
    ["Initiated", [hashed, ["amount", U256]]],
    ["Redeemed", [hashed, ["secret", secretAsArray ? SECRET_ARRAY : SECRET_WORDS]]],
    ["Refunded", []],
    ["InitiatedWithDestinationData", [hashed, ["amount", U256], ["destination_data", FELT_ARRAY]]],
  ]
  const structs = events.map(([name, data]) => {
    const members = [
      { name: "order_id", type: FELT, kind: "key" },
      ...fieldsOf(data).map((each) => ({ ...each, kind: "data" })),
    ]
    return { type: "event", name: `${EVENTS}::${name}`, kind: "struct", members }
  })
  const variants = events.map(([name]) => ({ name, type: `${EVENTS}::${name}`, kind: "nested" }))
  return [
    ...structs,
    { type: "event", name: "starknet_htlc::htlc::HTLC::Event", kind: "enum", variants },
  ]
}
