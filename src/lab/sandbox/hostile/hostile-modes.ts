import type { LocalChain, SwapRequest } from "../local-chain.ts"
import type { SolverFault } from "../service/solver/solver-fault.ts"
import type { StoredOrder } from "../service/stored-order.ts"
import {
  ATTACKER,
  approveAttacker,
  patchTypedData,
  payAttacker,
  useForeignNetwork,
} from "./hostile-answers.ts"
import type { AnswerFields, HostileContext } from "./hostile-context.ts"
import { addRelayedTransfer, addTransfer } from "./hostile-solana.ts"

type Family = LocalChain["family"]

/**
 * One way in which the service attacks its client. Every part that a mode leaves out stays honest.
 *
 * - `deposit` changes the deposit request of the create answer and nothing else
 * - `source` and `destination` change the terms of a leg in every answer
 * - `response` falsifies the create answer before the dialect encodes it, `answer` afterwards
 * - `report` is a merge patch for the order in the answers of get and list
 * - `solver` is the fault of the solver on chain
 */
type HostileMode = {
  readonly describe: string
  /** The families of source chains that it attacks; it serves orders from other chains honestly. */
  readonly families: readonly Family[]
  readonly deposit?: (context: HostileContext) => Partial<SwapRequest>
  readonly source?: (context: HostileContext) => Partial<SwapRequest>
  readonly destination?: (context: HostileContext) => Partial<SwapRequest>
  readonly response?: (response: AnswerFields, context: HostileContext) => AnswerFields
  readonly answer?: (answer: AnswerFields, context: HostileContext) => AnswerFields
  readonly report?: (order: StoredOrder) => unknown
  readonly solver?: SolverFault
}

const ALL = ["bitcoin", "evm", "solana", "starknet"] as const
const TYPED = ["evm", "starknet"] as const
const FALSE_TX = "f".repeat(64)

/**
 * Every mode by its name: `ballast sandbox --hostile NAME`, or
 * `POST /sandbox/faults {"hostile": NAME}`.
 */
export const HOSTILE = {
  "drained-amount": {
    describe: "the deposit asks for ten times the amount",
    families: ALL,
    deposit: ({ order }) => ({ units: 10n * BigInt(order.source.swap.units) }),
  },
  "foreign-recipient": {
    describe: "the deposit pays the attacker instead of the HTLC",
    families: ALL,
    response: payAttacker,
  },
  "unlimited-approval": {
    describe:
      "the deposit is an unlimited approval for the attacker, and so is the separate approval",
    families: TYPED,
    response: (response, context) => approveAttacker(response, context),
    answer: (answer, context) =>
      "approval_transaction" in answer
        ? { ...answer, approval_transaction: approveAttacker({}, context)["transaction"] }
        : answer,
  },
  "extra-solana-instruction": {
    describe: "the transaction makes the deposit and also transfers one SOL to the attacker",
    families: ["solana"],
    response: addTransfer,
  },
  "wrong-network-address": {
    describe: "the address, the chain id or the typed data belongs to another network",
    families: ["bitcoin", "evm", "starknet"],
    response: useForeignNetwork,
  },
  "reused-secret-hash": {
    describe:
      "both legs use the secret hash of an earlier order of this depositor; the first order " +
      "is honest",
    families: ALL,
    source: reusedHash,
    destination: reusedHash,
  },
  "timelock-too-short": {
    describe: "the source timelock is one block",
    families: ALL,
    source: () => ({ timelock: 1 }),
  },
  "timelock-too-long": {
    describe: "the source timelock is thousands of years, on Bitcoin more than a year",
    families: ALL,
    source: ({ source }) => ({ timelock: source.family === "bitcoin" ? 65_535 : 2 ** 40 }),
  },
  "destination-lock-longer": {
    describe: "the destination timelock is longer than the source timelock",
    families: ALL,
    destination: ({ destination }) => ({ timelock: DAY_AND_A_HALF[destination.family] }),
  },
  "destination-owner-swapped": {
    describe: "the payout goes to the attacker",
    families: ALL,
    destination: ({ destination }) => ({ owner: ATTACKER[destination.family] }),
  },
  "foreign-order-id": {
    describe: "the create answer names another order",
    families: ALL,
    answer: (answer, { others }) => ({ ...answer, order_id: others.at(-1)?.id ?? FALSE_TX }),
  },
  "amounts-differ": {
    describe:
      "the deposit asks for 1 % more than the quote, and the order read back pays 10 % less",
    families: ALL,
    deposit: ({ order }) => ({ units: (BigInt(order.source.swap.units) * 101n) / 100n }),
    destination: ({ order }) => ({ units: (BigInt(order.destination.swap.units) * 9n) / 10n }),
  },
  "redeemed-already": {
    describe: "the order shows a redemption of the payout before the deposit",
    families: ALL,
    report: () => ({ destination_swap: { redeem_tx_hash: FALSE_TX } }),
  },
  "typed-data-differs": {
    describe: "the typed data names another redeemer than the transaction",
    families: TYPED,
    response: (response) =>
      patchTypedData(response, (family) => ({ message: { redeemer: ATTACKER[family] } })),
  },
  "relayed-solana-transfer": {
    describe: "the transaction for the relay also transfers one SOL to the attacker",
    families: ["solana"],
    response: addRelayedTransfer,
  },
  "source-redeemed-without-destination": {
    describe:
      "the solver redeems the deposit with the secret and never funds the payout: the theft",
    families: ALL,
    solver: "redeemSourceOnly",
  },
  "reports-redeem-falsely": {
    describe: "after the deposit the order shows a redemption of the payout that never happens",
    families: ALL,
    report: ({ source }) =>
      source.seen.initiated === null
        ? {}
        : { destination_swap: { redeem_tx_hash: FALSE_TX, redeem_block_number: "1" } },
    solver: "lapse",
  },
} as const satisfies Readonly<Record<string, HostileMode>>

export type HostileName = keyof typeof HOSTILE

// CAST: the keys of a constant object literal.
export const HOSTILE_NAMES = Object.keys(HOSTILE) as [HostileName, ...HostileName[]]

export function hostileMode(name: HostileName): HostileMode {
  return HOSTILE[name]
}

/**
 * In each family's unit: within the bounds of a destination timelock, but more than two thirds of
 * every source timelock.
 */
const DAY_AND_A_HALF: Readonly<Record<Family, number>> = {
  bitcoin: 216,
  evm: 64_800,
  solana: 324_000,
  starknet: 64_800,
}

function reusedHash({ order, others }: HostileContext): Partial<SwapRequest> {
  const earlier = others.find(
    ({ source }) => source.swap.owner === order.source.swap.owner && source.seen.initiated,
  )
  return earlier ? { secretHash: earlier.source.swap.secretHash } : {}
}
