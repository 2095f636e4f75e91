import { type AssetId, chainOf } from "#domain/asset.ts"
import { mayAwaitEstimate } from "#domain/redeem-fee-cap.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FakeLedger } from "../../../support/fake-ledger.ts"
import type { World } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"

/** The order that is attacked, as an attack sees it. `begunMs`: since when the attack runs. */
export type Target = {
  readonly world: World
  readonly from: AssetId
  readonly to: AssetId
  readonly source: FakeLedger
  readonly destination: FakeLedger
  /** The secret is told, or the deposit is made: from then on the attack runs. */
  readonly isBegun: () => boolean
  /** For how long our redemption or refund is possible; negative before. */
  readonly dueSeconds: () => number
}

/** What strangers, nodes and the service do to an order from its weakest moment on. */
export type Attack = {
  readonly name: string
  /** Changes the answers of the nodes. */
  readonly adaptPort?: (target: Target) => (port: ChainPort) => ChainPort
  /** Acts once in each second of the world, from the moment on in which the attack begins. */
  readonly act?: (target: Target, secondsSince: number) => void
  /** Acts at each turn, and not once a second. */
  readonly isHasty?: true
  /** Everything is paused, too. */
  readonly isPaused?: true
  /** Our redemption itself waits for half of its lock. */
  readonly waitsHalf?: true
}

type Leg = LegQuery["side"]

/** The node's answer about one leg, changed. */
function changeLeg(
  side: Leg,
  change: (leg: LegObservation, query: LegQuery) => LegObservation | Promise<LegObservation>,
): NonNullable<Attack["adaptPort"]> {
  return ({ isBegun }) =>
    (port) => ({
      ...port,
      observeLeg: async (query) => {
        const leg = await port.observeLeg(query)
        return query.side === side && isBegun() ? change(leg, query) : leg
      },
    })
}

const failLeg = (side: Leg, how: Disposition) =>
  changeLeg(side, () => {
    throw new AppError({ code: "chain.too_long", disposition: how, message: "spam", details: {} })
  })

/** An attack for a while is on while the redemption or the refund is due. */
function isOnFor({ isBegun, dueSeconds }: Target, seconds: number): boolean {
  if (seconds === Number.POSITIVE_INFINITY) return isBegun()
  return dueSeconds() >= 0 && dueSeconds() < seconds
}

/** A call of the chain of one side that fails, or that never ends, from the beginning on. */
function failCalls(
  side: Leg,
  calls: readonly (keyof ChainPort)[],
  how: Disposition | "silent",
  seconds = Number.POSITIVE_INFINITY,
): NonNullable<Attack["adaptPort"]> {
  return (target) => {
    const isOn = (): boolean => isOnFor(target, seconds)
    return (port) => {
      if (port.chain !== chainOf(side === "source" ? target.from : target.to)) return port
      const changed = calls.map((name) => {
        // CAST: the named calls of a port are asynchronous.
        const call = port[name] as (...args: readonly unknown[]) => Promise<unknown>
        const end = (...args: readonly unknown[]): Promise<unknown> => {
          if (!isOn()) return call.apply(port, [...args])
          return how === "silent" ? new Promise(() => undefined) : Promise.reject(failure(how))
        }
        return [name, end]
      })
      return { ...port, ...Object.fromEntries(changed) }
    }
  }
}

/** A port itself ends its other calls. */
const READS = ["observeLeg", "observeTransaction", "fetchHeight"] as const

/** One node of several shows another end of a leg, so its answer is not agreed. */
const lie = (side: Leg, lied: Partial<LegObservation>) =>
  changeLeg(side, (leg) => ({ ...leg, ...lied, agreed: false }))

/** Too few endpoints show it, so no family calls it final. */
const END = {
  txid: "f".repeat(64),
  height: 1n,
  confirmations: 9,
  seen: true,
  revealable: false,
  final: false,
  paidUnits: 1n,
} as const

/** One node of several places each transaction of ours in a block, and no block has it. */
function showMined(side: Leg, lied: { readonly seen: boolean }): NonNullable<Attack["adaptPort"]> {
  return ({ from, to, isBegun }) =>
    (port) => {
      if (port.chain !== chainOf(side === "source" ? from : to)) return port
      return {
        ...port,
        observeTransaction: async (ours, stake) => {
          const honest = await port.observeTransaction(ours, stake)
          if (!isBegun() || honest.status === "mined") return honest
          const place = { height: 1n, confirmations: 1, final: false, feeUnits: 1n } as const
          return { status: "mined", ok: true, ...place, ...lied, isAlone: true }
        },
      }
    }
}

/** From the first sending of a transaction for the leg on, blocks ask for a higher fee. */
function spikeAfterSending(side: Leg): NonNullable<Attack["act"]> {
  return ({ world, source, destination, from, to }) => {
    const [ledger, asset, kind, fee] =
      side === "source"
        ? ([source, from, "refund", 60n] as const)
        : ([destination, to, "redeem", 200n] as const)
    if (ledger.heard().some(({ action }) => action.kind === kind))
      world.fees.set(chainOf(asset), fee)
  }
}

/** The plan of the transaction that brings the money is refused for half a minute. */
function refusePlan(side: Leg, code: string): NonNullable<Attack["adaptPort"]> {
  const reason = { code, message: "blocked", expected: "open", found: "blocked" }
  return (target) => (port) => {
    if (port.chain !== chainOf(side === "source" ? target.from : target.to)) return port
    const isOn = (): boolean => isOnFor(target, 30)
    return {
      ...port,
      ...(port.contracts === undefined
        ? {}
        : { contracts: { ...port.contracts, checkPayout: async () => (isOn() ? [reason] : []) } }),
      planTransaction: async (intent, ...more) =>
        isOn() && intent.action !== "void"
          ? { refused: [reason] }
          : port.planTransaction(intent, ...more),
      planBump: async (...old) => (isOn() ? null : port.planBump(...old)),
    }
  }
}

/** A redemption waits for an estimate in the first half of its lock, and no node ever has one. */
const giveNoEstimate: NonNullable<Attack["adaptPort"]> =
  ({ to, isBegun }) =>
  (port) => {
    if (port.chain !== chainOf(to)) return port
    return {
      ...port,
      planTransaction: async (intent, ...more) => {
        const isWaiting = intent.action === "redeem" && mayAwaitEstimate(intent.stake ?? null)
        if (isBegun() && isWaiting) throw failure("transient", "fees.unknown")
        return port.planTransaction(intent, ...more)
      },
    }
  }

const NO_ESTIMATE: Attack = {
  name: "no node has an estimate",
  adaptPort: giveNoEstimate,
  waitsHalf: true,
}

const other = (side: Leg): Leg => (side === "source" ? "destination" : "source")

/**
 * The attacks on the leg that brings the money: the payout of a told secret (`destination`), or the
 * refund of a deposit (`source`).
 */
export function attacksOn(side: Leg): readonly Attack[] {
  const ledgerOf = (target: Target): FakeLedger =>
    side === "source" ? target.source : target.destination
  const feeOf = ({ world, from, to }: Target, fee: bigint) =>
    world.fees.set(chainOf(side === "source" ? from : to), fee)
  return [
    { name: "strangers fill the history of its HTLC", adaptPort: failLeg(side, "hold") },
    { name: "its node refuses every look", adaptPort: failLeg(side, "refused") },
    {
      name: "no node answers a look at any HTLC",
      adaptPort: (target) => (port) =>
        failLeg("source", "transient")(target)(failLeg("destination", "transient")(target)(port)),
    },
    { name: "the other chain never answers", adaptPort: failCalls(other(side), READS, "silent") },
    {
      name: "its chain is silent for half a minute",
      adaptPort: failCalls(side, READS, "silent", 30),
    },
    {
      name: "no node takes bytes for half a minute",
      adaptPort: failCalls(side, ["broadcastTransaction"], "transient", 30),
    },
    {
      name: "the signer refuses for half a minute",
      adaptPort: failCalls(side, ["signTransaction"], "transient", 30),
    },
    {
      name: "one node shows the HTLC as paid",
      adaptPort: lie(side, { redeemed: { ...END, secret: null } }),
    },
    {
      name: "fees rise",
      act: spikeAfterSending(side),
      isHasty: true,
    },
    {
      name: "one of two nodes shows our bytes mined",
      adaptPort: showMined(side, { seen: false }),
      act: spikeAfterSending(side),
      isHasty: true,
    },
    {
      name: "the only live node shows them mined",
      adaptPort: showMined(side, { seen: true }),
      act: spikeAfterSending(side),
      isHasty: true,
    },
    { name: "one node shows it as refunded", adaptPort: lie(side, { refunded: END }) },
    {
      name: "one node shows it as empty",
      adaptPort: lie(side, { initiated: null, refundableAt: null }),
    },
    {
      name: "fees rise twentyfold for half a minute",
      act: (target) => void feeOf(target, isOnFor(target, 30) ? 200n : 10n),
    },
    {
      name: "nodes drop what waits, again and again",
      act: (target, seconds) => {
        if (seconds % 7 === 0) ledgerOf(target).dropMempool()
      },
    },
    {
      name: "a reorganisation drops the last block",
      act: (target, seconds) => {
        if ([4, 12].some((at) => at === seconds || at === target.dueSeconds()))
          ledgerOf(target).reorganise(1, "drop")
      },
    },
    {
      name: "the wallet has no coin for half a minute",
      adaptPort: refusePlan(side, "funds.insufficient"),
    },
    { name: "our account is blocked for half a minute", adaptPort: refusePlan(side, "x.blocked") },
    ...(side === "source" ? [] : [NO_ESTIMATE]),
    { name: "everything is paused", isPaused: true },
    {
      name: "the service is gone",
      act: ({ world }) =>
        world.faults.inject("service.fetchOrder", { before: failure("transient") }, 1_000),
    },
  ]
}
