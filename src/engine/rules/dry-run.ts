import { type AssetId, chainOf } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { FeeBudget } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { isFinal, STATES, type StateDescription } from "#order/states.ts"
import { beginOrder, type Order, step } from "#order/step.ts"
import type { Work } from "#order/work.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import {
  chainFor,
  type HasChains,
  type HasServices,
  serviceFor,
  type WorkContext,
} from "../context.ts"
import { chooseDepositWay } from "../orders/deposit/check-allowance.ts"
import { type Job, reasonOf } from "../orders/observe/job.ts"
import { legsFor } from "../orders/route/legs.ts"
import type { WorkResult } from "../orders/stepper.ts"
import { entryOf } from "../orders/work-table.ts"
import { draftOrder, judgeSwap, type SwapRequest } from "./admission.ts"

/** A swap that stopped before its first signature. */
export type DryRun = {
  /** The reasons with which the guards would refuse the request now. */
  readonly refused: readonly Reason[]
  /**
   * The order as it stood when the dry run ended; its reasons say why it went no further. `null`
   * for an impossible request.
   */
  readonly order: Order | null
  /**
   * The deposit as decoded from the service's answer, also where the comparison refused it. `null`
   * without an answer.
   */
  readonly decoded: DecodedDeposit | null
  /** The order is complete up to its first signature. */
  readonly verified: boolean
  readonly needsApproval: boolean
  readonly way: "gasless" | "onchain" | null
  /** The transaction that sets the token allowance; `null` where none is needed. */
  readonly approval: TransactionPlan | null
  /**
   * `null` for a gasless deposit, and where the chain cannot simulate it yet (`depositReasons`).
   */
  readonly deposit: TransactionPlan | null
  readonly depositReasons: readonly Reason[]
  /** Of the route that the order took. */
  readonly fees: FeeBudget | null
}

/**
 * Runs one order in memory, with the work and the state machine of real orders, up to its first
 * signature.
 *
 * The service gets a real request for an order, because only its answer says how to deposit. Such
 * an order stays unfunded and lapses. The journal is only read, and its lock is not taken. The
 * ports of the dry run cannot sign and cannot send.
 */
export async function dryRunSwap(live: WorkContext, request: SwapRequest): Promise<DryRun> {
  const planned: TransactionPlan[] = []
  const context = withoutWrites(live, planned)
  // The mode says nothing about this swap: a dry run is the way to find out before it is live. A
  // pause stays among the reasons.
  const refused = (await judgeSwap(context, request)).filter(({ code }) => code !== "mode.observe")
  const fees = await readFees(context, request.from)
  if (isImpossible(refused))
    return { refused, order: null, fees, needsApproval: false, ...UNVERIFIED, decoded: null }
  let order = beginOrder(draftOrder(context, request, fees)).order
  let needsApproval = false
  for (let turn = 0; turn < MAX_TURNS && !isAtSignature(order) && !isFinal(order.state); turn++) {
    const { work }: StateDescription = STATES[order.state]
    if (work === null || order.state === "held") break
    if (order.state === "awaiting-approval") needsApproval = true
    const event =
      order.state === "awaiting-approval"
        ? {
            type: "operator.approved" as const,
            by: `dry run ${turn}`,
            intent: order.data.intent?.hash ?? null,
          }
        : await perform(context, order, work)
    const after = step(order, { ...event, at: context.clock.now() })
    const waits = after.order.state === order.state
    order = after.order
    if (waits) await context.clock.sleep(WAIT_MS)
  }
  const kind = order.data.quote?.kind
  const taken = kind === undefined ? fees : await readFees(context, request.from, kind)
  return conclude(context, { refused, order, fees: taken, needsApproval, planned })
}

/** An order needs five turns; the others are for a node or service that asks to wait. */
const MAX_TURNS = 12
const WAIT_MS = 1_000
const SIGNING = ["approve-signing", "deposit-signing", "gasless-signing"]

function isAtSignature({ state }: Order): boolean {
  return SIGNING.includes(state)
}

/** Without known assets and an allowed payee there is nothing to ask the service for. */
function isImpossible(refused: readonly Reason[]): boolean {
  return refused.some(({ code }) => code.startsWith("request."))
}

type Progress = Pick<DryRun, "refused" | "fees" | "needsApproval"> & {
  readonly order: Order
  readonly planned: TransactionPlan[]
}

const UNVERIFIED = {
  verified: false,
  way: null,
  approval: null,
  deposit: null,
  depositReasons: [],
} as const

async function conclude(context: WorkContext, { planned, ...run }: Progress): Promise<DryRun> {
  const { order } = run
  const { data } = order
  const decoded = await decode(context, order)
  const verified = isAtSignature(order)
  if (!verified) return { ...run, ...UNVERIFIED, decoded }
  const way = chooseDepositWay(data)
  const approval = data.transactions.approve.plan
  if (order.state === "deposit-signing" || way !== "onchain")
    return {
      ...run,
      ...UNVERIFIED,
      decoded,
      verified,
      way,
      approval,
      deposit: data.transactions.deposit.plan,
    }
  if (approval !== null) planned.push(approval)
  const event = await perform(context, order, { kind: "planTransaction", purpose: "deposit" })
  const deposit = event.type === "transaction.planned" ? event.plan : null
  const depositReasons = "reasons" in event ? (event.reasons ?? []) : []
  return { ...run, decoded, verified, way, approval, deposit, depositReasons }
}

/** The last event of the work: its errors become reasons, as the worker turns them. */
async function perform(
  context: WorkContext,
  { data }: Order,
  work: Work,
): Promise<WorkResult["event"]> {
  const job: Job = {
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: context.clock.now(),
  }
  try {
    const result = await entryOf(work).perform(job, work)
    return result.recheck?.() ?? result.event
  } catch (error) {
    const known = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
    const lasting = ["refused", "hold", "fatal", "bug"].includes(known.disposition)
    return { type: lasting ? "order.declined" : "work.deferred", reasons: [reasonOf(known)] }
  }
}

async function decode(
  context: HasServices & HasChains,
  { data }: Order,
): Promise<DecodedDeposit | null> {
  if (data.deposit !== null || data.created === null) return data.deposit
  const { depositRequest, orderId } = data.created
  const { from } = data.request
  try {
    if (!abilitiesOf(data).isReported)
      return legsFor(context, data).source.decodeDeposit(depositRequest, from)
    const order = await serviceFor(context, data).fetchOrder(orderId)
    return chainFor(context, from).decodeDeposit(depositRequest, order, from)
  } catch {
    return null // The order's reasons already say that the service cannot be read.
  }
}

async function readFees(
  context: HasChains,
  from: AssetId,
  kind?: RouteKind,
): Promise<FeeBudget | null> {
  try {
    return (await context.chains.get(chainOf(from))?.estimateFees(from, kind)) ?? null
  } catch {
    return null // An unreadable node also shows in the reasons of the admission.
  }
}

/** The same ports without the methods that change something. */
function withoutWrites(context: WorkContext, planned: readonly TransactionPlan[]): WorkContext {
  const chains = new Map([...context.chains].map(([name, port]) => [name, readingPort(port)]))
  const services = new Map(
    [...context.services].map(([name, port]) => [
      name,
      forbid(port, (method) => method === "submitSignature"),
    ]),
  )
  return { ...context, chains, services, journal: readingJournal(context.journal, planned) }
}

/**
 * A dry run shows the plans with the nonces that they would have now, because none of them is
 * bound.
 */
function readingPort(port: ChainPort): ChainPort {
  const reading = forbid(port, (method) => /^(sign|broadcast)/.test(method))
  const planTransaction: ChainPort["planTransaction"] = (intent, reserved) =>
    port.planTransaction(intent, reserved)
  return new Proxy(reading, {
    get: (target, key) => (key === "planTransaction" ? planTransaction : Reflect.get(target, key)),
  })
}

/**
 * Also shows the resources of the dry run's own plans as taken, so that approval and deposit get
 * different nonces. A flag, such as the rest of a service that fails, is not written.
 */
function readingJournal(journal: Journal, planned: readonly TransactionPlan[]): Journal {
  const reading = forbid(
    journal,
    (method) => !/^(find|list|read|count|sum|is|has|durable)/.test(method),
  )
  return new Proxy(reading, {
    get: (target, key) => {
      if (key === "writeFlag" || key === "noteFlag") return () => undefined
      if (key !== "listReserved") return Reflect.get(target, key)
      const listReserved: Journal["listReserved"] = (prefix, exceptOrder) => {
        const own = planned
          .filter(({ chain, account }) => `${chain}/${account}/` === prefix)
          .flatMap(({ resources }) => resources)
        return new Set([...journal.listReserved(prefix, exceptOrder), ...own])
      }
      return listReserved
    },
  })
}

function forbid<T extends object>(target: T, isForbidden: (method: string) => boolean): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key)
      if (typeof value !== "function") return value
      if (!isForbidden(String(key))) return value.bind(object)
      return () => {
        const message = `A dry run must not call ${String(key)}`
        throw new AppError({ code: "bug.dry_run", disposition: "bug", message })
      }
    },
  })
}
