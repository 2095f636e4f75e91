import type { AssetId } from "#domain/asset.ts"
import { ARB, ETH, SOL, WBTC } from "../../../support/fake-world.ts"
import type { EngineMutant } from "../engine-mutants.ts"

const DECIDE = "src/engine/orders/observe/decide-secret-step.ts"
const OBSERVE = "src/engine/orders/observe/observe-order.ts"
const READ = "src/engine/orders/observe/read-leg.ts"
const UNREAD = "src/engine/watches/unread-legs.ts"
const TOWER = "src/engine/tower/watch-orders.ts"
const PROVE = "src/engine/orders/observe/prove-payout.ts"

/** Enough orders for one means alone. */
const FEW = { mode: "adversary", ownSecrets: true, orders: 8 } as const
/** An issuer can freeze the payee; and both chains are fast. */
const TO_TOKEN = [SOL, WBTC] as const
/**
 * Deposits minutes apart, from a chain whose legs he blinds for a whole lock while nothing pauses
 * the next one.
 */
const BLINDED = {
  ...FEW,
  orders: 6,
  steps: 250,
  bug: "hints share the request of a leg",
  means: ["EVM: a receipt of megabytes that the service names", "alarms that pause nothing"],
  pair: [ETH, SOL],
} as const
/** A payout or a deposit that he blinds from its first block on. */
const blinded = (...pair: readonly [AssetId, AssetId]) => ({
  ...BLINDED,
  orders: 4,
  steps: 80,
  pair,
})
/** The wallet pays the redemption. */
const COINS = [ARB, ETH] as const

/**
 * Mistakes that only a spending adversary shows. Those about reads run with modules that a flood
 * can blind, because the present ones leave him only slow nodes.
 */
export const ADVERSARY_MUTANTS: readonly EngineMutant[] = [
  {
    name: "a redemption waits until its payout is read",
    edits: [
      {
        file: DECIDE,
        find: "  const { data, known } = redemption\n",
        replace: "  const { data, known } = redemption\n  if (payout === null) return {}\n",
      },
    ],
    runs: blinded(SOL, ETH),
  },
  {
    name: "a refund waits until its deposit is read",
    edits: [
      {
        file: OBSERVE,
        find: "    refundable: chains.source !== null && isRefundable(",
        replace: "    refundable: source !== null && isRefundable(",
      },
    ],
    runs: blinded(ETH, SOL),
  },
  {
    name: "an unread leg counts as an empty one",
    edits: [
      {
        file: READ,
        find: '"A leg could not be read; the other reads still count",\n    )\n    return null\n',
        replace:
          '"A leg could not be read; the other reads still count",\n    )\n    const none = { ' +
          "initiated: null, redeemed: null, refunded: null, refundableAt: null }\n    return " +
          "{ sinceMs: 0, answeredMs: 0, value: " +
          "{ height: data.seen.sourceHeight ?? 0n, agreed: true, ...none } }\n",
      },
    ],
    runs: blinded(ETH, SOL),
  },
  {
    name: "an unread leg raises no alarm",
    edits: [
      {
        file: UNREAD,
        find: "    (leg) => isLong(context, leg) && isAtStake(data, leg.side),\n",
        replace: "    () => false,\n",
      },
    ],
    runs: BLINDED,
  },
  {
    name: "deposits go on beside an unread leg",
    edits: [
      {
        file: UNREAD,
        find: "  const ofPair = [...listLegs(context)].filter(",
        replace: "  const ofPair = [...listLegs(context)].slice(0, 0).filter(",
      },
    ],
    runs: BLINDED,
  },
  {
    name: "a secret is told without its payout",
    edits: [
      {
        file: DECIDE,
        find: '  if (own == null || own.status === "lost") return {}\n',
        replace:
          '  if (own != null && own.status === "unknown") return { secret: "reveal" }\n  if ' +
          '(own == null || own.status === "lost") return {}\n',
      },
      { file: PROVE, find: "    ...judgePayout(data, leg),\n", replace: "" },
    ],
    runs: { mode: "adversary", ownSecrets: true },
  },
  {
    name: "a secret is told however little of the lock is left",
    edits: [
      {
        file: "src/core/domain/time-to-redeem.ts",
        find: "left * 2n >= timelock && leftMs >= neededMs",
        replace: "left > 0n || leftMs >= neededMs",
      },
    ],
    runs: { ...FEW, means: ["a frozen payee"], pair: TO_TOKEN },
  },
  {
    name: "a secret is told for a payout that cannot arrive",
    edits: [
      {
        file: PROVE,
        find: "  const unpayable = await findUnpayable(job, destination)\n",
        replace: "  const unpayable: readonly Reason[] = []\n",
      },
    ],
    runs: { ...FEW, means: ["a frozen payee"], pair: TO_TOKEN },
  },
  {
    name: "a secret is told without coin for its redemption",
    edits: [
      {
        file: PROVE,
        find: "redeemReserve(orders, eachUnits, leastUnits)",
        replace: "redeemReserve(0, eachUnits, leastUnits)",
      },
    ],
    runs: { ...FEW, means: ["a wallet with little coin"], pair: COINS },
  },
  {
    name: "the reserve for redemptions is what an estimate says",
    edits: [
      {
        file: "src/engine/orders/pay/redeem-reserve.ts",
        find: "  return raisedUnits > usualUnits ? raisedUnits : usualUnits\n",
        replace: "  return raisedUnits\n",
      },
    ],
    runs: { ...FEW, means: ["a wallet with little coin", "a false estimate"], pair: COINS },
  },
  {
    name: "a tower waits for both legs",
    edits: [
      { file: TOWER, find: "    unread.push(", replace: "    throw error\n    unread.push(" },
    ],
    runs: { ...FEW, means: ["a lost machine"], pair: COINS },
  },
]
