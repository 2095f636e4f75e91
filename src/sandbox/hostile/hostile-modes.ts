import type { LocalChain, SwapRequest } from "../local-chain.ts"
import type { SolverFault } from "../service/faults.ts"
import type { StoredOrder } from "../service/stored-order.ts"
import { ATTACKER, approveForeign, patchTypedData, payForeign, signForeignNetwork } from "./hostile-answers.ts"
import { addTransfer } from "./hostile-solana.ts"

type Family = LocalChain["family"]
/** The family's fields of the create answer, as `LocalChain.describeSource` gives them. */
export type Response = Readonly<Record<string, unknown>>

/** What a lie may look at: the honest order, both its chains, and every other order of the service. */
export type Scene = {
  readonly order: StoredOrder
  readonly source: LocalChain
  readonly destination: LocalChain
  readonly others: readonly StoredOrder[]
}

/**
 * One way for a service to be hostile. What it leaves out is honest.
 *
 * `deposit` changes what the create answer asks for, and nothing else · `source` and `destination` change a leg wherever it shows · `response` and
 * `answer` spoil the create answer before and after it takes the dialect's form · `report` is a merge patch of the order read back · `solver` is
 * what the solver does on chain.
 */
export type HostileMode = {
  readonly describe: string
  /** Source chains that it concerns; orders from others are served honestly. */
  readonly families: readonly Family[]
  readonly deposit?: (scene: Scene) => Partial<SwapRequest>
  readonly source?: (scene: Scene) => Partial<SwapRequest>
  readonly destination?: (scene: Scene) => Partial<SwapRequest>
  readonly response?: (response: Response, scene: Scene) => Response
  readonly answer?: (answer: Response, scene: Scene) => Response
  readonly report?: (order: StoredOrder) => unknown
  readonly solver?: SolverFault
}

const ALL = ["bitcoin", "evm", "solana", "starknet"] as const
const TYPED = ["evm", "starknet"] as const
const FALSE_TX = "f".repeat(64)

/** Every mode by its name: `ballast sandbox --hostile NAME`, or `POST /sandbox/faults {"hostile": NAME}`. */
export const HOSTILE = {
  "drained-amount": {
    describe: "the deposit asks for ten times the amount",
    families: ALL,
    deposit: ({ order }) => ({ units: 10n * BigInt(order.source.swap.units) }),
  },
  "foreign-recipient": {
    describe: "the deposit pays somebody else instead of the HTLC",
    families: ALL,
    response: payForeign,
  },
  "unlimited-approval": {
    describe: "the deposit is an unlimited approval for somebody else, and so is the approval beside it",
    families: TYPED,
    response: (response, scene) => approveForeign(response, scene),
    answer: (answer, scene) =>
      "approval_transaction" in answer
        ? { ...answer, approval_transaction: approveForeign({}, scene)["transaction"] }
        : answer,
  },
  "extra-solana-instruction": {
    describe: "the transaction deposits as asked, and transfers one SOL more to somebody else",
    families: ["solana"],
    response: addTransfer,
  },
  "wrong-network-address": {
    describe: "address, chain id or typed data of another network",
    families: ["bitcoin", "evm", "starknet"],
    response: signForeignNetwork,
  },
  "reused-secret-hash": {
    describe:
      "both legs are locked to the secret of an order that this depositor made before; the first order is honest",
    families: ALL,
    source: reusedHash,
    destination: reusedHash,
  },
  "timelock-too-short": {
    describe: "the source is locked for one block only",
    families: ALL,
    source: () => ({ timelock: 1 }),
  },
  "timelock-too-long": {
    describe: "the source is locked for thousands of years, on Bitcoin for more than a year",
    families: ALL,
    source: ({ source }) => ({ timelock: source.family === "bitcoin" ? 65_535 : 2 ** 40 }),
  },
  "destination-lock-longer": {
    describe: "the solver may take the payout back later than we the deposit",
    families: ALL,
    destination: ({ destination }) => ({ timelock: DAY_AND_A_HALF[destination.family] }),
  },
  "destination-owner-swapped": {
    describe: "the payout goes to somebody else",
    families: ALL,
    destination: ({ destination }) => ({ owner: ATTACKER[destination.family] }),
  },
  "foreign-order-id": {
    describe: "the answer names another order than the one just made",
    families: ALL,
    answer: (answer, { others }) => ({ ...answer, order_id: others.at(-1)?.id ?? FALSE_TX }),
  },
  "amounts-differ": {
    describe: "the deposit asks for 1 % more than the quote, and the order read back pays 10 % less",
    families: ALL,
    deposit: ({ order }) => ({ units: (BigInt(order.source.swap.units) * 101n) / 100n }),
    destination: ({ order }) => ({ units: (BigInt(order.destination.swap.units) * 9n) / 10n }),
  },
  "redeemed-already": {
    describe: "the order shows a redemption of the payout before anything was paid in",
    families: ALL,
    report: () => ({ destination_swap: { redeem_tx_hash: FALSE_TX } }),
  },
  "typed-data-differs": {
    describe: "the typed data names another redeemer than the transaction",
    families: TYPED,
    response: (response) => patchTypedData(response, (family) => ({ message: { redeemer: ATTACKER[family] } })),
  },
  "source-redeemed-without-destination": {
    describe: "the service takes the deposit with the secret, and nobody funds the payout: the theft",
    families: ALL,
    solver: "redeemSourceOnly",
  },
  "reports-redeem-falsely": {
    describe: "once the deposit is there the order shows a redemption that never happens",
    families: ALL,
    report: ({ source }) =>
      source.seen.initiated === null
        ? {}
        : { destination_swap: { redeem_tx_hash: FALSE_TX, redeem_block_number: "1" } },
    solver: "lapse",
  },
} as const satisfies Readonly<Record<string, HostileMode>>

export type HostileName = keyof typeof HOSTILE

// CAST: the keys of an object literal that nobody adds to.
export const HOSTILE_NAMES = Object.keys(HOSTILE) as [HostileName, ...HostileName[]]

export function hostileMode(name: HostileName): HostileMode {
  return HOSTILE[name]
}

/** In each family's unit; within bounds taken alone, and more than two thirds of every source lock. */
const DAY_AND_A_HALF: Readonly<Record<Family, number>> = { bitcoin: 216, evm: 64_800, solana: 324_000, starknet: 4_320 }

function reusedHash({ order, others }: Scene): Partial<SwapRequest> {
  const earlier = others.find(({ source }) => source.swap.owner === order.source.swap.owner && source.seen.initiated)
  return earlier ? { secretHash: earlier.source.swap.secretHash } : {}
}
