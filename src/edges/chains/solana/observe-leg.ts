import type { Reason } from "#domain/reason.ts"
import { encodeJson } from "#lib/json.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { describeContradiction, describeMissing, firstFailure } from "#nodes/quorum/reasons.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import { type Depth, type Finality, isDeep } from "./finality.ts"
import { ABSENCE_ROUNDS, describePruned } from "./legs/read-expiry.ts"
import {
  type EarlyStates,
  findSwapAccounts,
  type Landing,
  type LegReading,
  readLeg,
  readStates,
  type SwapPlace,
} from "./legs/read-leg.ts"
import { type Endpoint, type Endpoints, type Heads, readHeads } from "./nodes/endpoints.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Reports the state of one HTLC: each endpoint reads it alone (`readLeg`), and enough of them must
 * show the same transaction, slot and amounts before it is `seen` or `final`. `height` is the
 * agreed confirmed slot.
 *
 * A transaction above the agreed finalized slot may be missing at an endpoint that is a moment
 * behind; below it, a missing or different one is a contradiction. Then the HTLC is read most
 * cautiously: a deposit that any endpoint shows exists, and no payout or refund does.
 *
 * Throws the error of an endpoint if none answers.
 */
export async function observeLeg(query: LegQuery, options: LegOptions): Promise<LegObservation> {
  const { endpoints, wallet, opened } = options
  const found = findSwapAccounts(query, wallet)
  const isOpened = ({ swapAccount }: SwapPlace): boolean => opened?.has(swapAccount) === true
  // A look reads only the order's own HTLC once it is known. All endpoints read in the same order.
  const [first, ...rest] = [...found.filter(isOpened), ...found.filter((one) => !isOpened(one))]
  const early = first === undefined ? undefined : readBesideHeads(query, first, endpoints)
  const [final, live] = await Promise.all([
    readHeads(endpoints, "finalized"),
    readHeads(endpoints, "confirmed"),
  ])
  const height = live.slot ?? live.lowest
  if (first === undefined) {
    const isShort = final.slot === null
    const nothing = {
      height,
      agreed: !isShort,
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
    }
    return isShort ? { ...nothing, doubts: describeMissing(final.heads, final.outliers) } : nothing
  }
  const places = [early === undefined ? first : { ...first, early }, ...rest]
  const read: ReadLeg = (endpoint, minSlot) => readLeg(query, places, endpoint, minSlot)
  const { answers, observed } = await observeAt(query, { ...options, final, height }, read)
  if (observed.agreed && observed.initiated !== null) noteOpened(opened, answers)
  return observed
}

/** One leg as one endpoint shows it. `minSlot`: the agreed finalized slot. */
type ReadLeg = (endpoint: Endpoint, minSlot: bigint) => Promise<LegReading>

/** The same for a leg of another kind, which `read` reads. */
export async function observeReadings(
  query: LegQuery,
  options: LegOptions,
  read: ReadLeg,
): Promise<LegObservation> {
  const [final, live] = await Promise.all([
    readHeads(options.endpoints, "finalized"),
    readHeads(options.endpoints, "confirmed"),
  ])
  const height = live.slot ?? live.lowest
  return (await observeAt(query, { ...options, final, height }, read)).observed
}

async function observeAt(
  query: LegQuery,
  rules: LegOptions & { readonly final: Heads; readonly height: bigint },
  read: ReadLeg,
) {
  const { final, endpoints } = rules
  const minSlot = final.slot ?? final.lowest
  const ask = () => endpoints.askAt(final.heads, (endpoint) => read(endpoint, minSlot))
  const { answers, pruned } = await searchInTurns(query, { read: ask, endpoints, final })
  if (answers.every(({ ok }) => !ok)) throw firstFailure(answers)
  return { answers, observed: mergeReadings(answers, { ...rules, minSlot, pruned }) }
}

/**
 * Asks each endpoint for the account in the request of its heads. `readSwap` takes an answer about
 * an agreed slot or a later one. Where absence must be proven, each round asks anew.
 */
function readBesideHeads(
  { provesAbsence }: LegQuery,
  place: SwapPlace,
  { nodes }: Endpoints,
): EarlyStates | undefined {
  if (provesAbsence === true) return undefined
  return new Map(
    nodes.map((endpoint) => [endpoint, readStates(place, endpoint, null).catch(() => null)]),
  )
}

/** The oldest leaves first; it is only searched again. */
const MOST_OPENED = 10_000

function noteOpened(
  opened: Set<string> | undefined,
  answers: readonly EndpointAnswer<LegReading>[],
): void {
  const shown = answers.find((answer) => answer.ok && answer.value.swapAccount !== undefined)
  const swapAccount = shown?.ok === true ? shown.value.swapAccount : undefined
  if (opened === undefined || swapAccount === undefined) return
  const [oldest] = opened
  if (opened.size >= MOST_OPENED && oldest !== undefined) opened.delete(oldest)
  opened.add(swapAccount)
}

export type LegOptions = {
  readonly endpoints: Endpoints
  readonly wallet: Wallet
  readonly finality: Finality
  /**
   * The swap accounts that observations have shown as opened. Absent: each look asks the programs
   * in their order.
   */
  readonly opened?: Set<string>
}

type MergeRules = LegOptions & {
  readonly final: Heads
  readonly height: bigint
  readonly minSlot: bigint
  readonly pruned: readonly Reason[]
}

function mergeReadings(
  answers: readonly EndpointAnswer<LegReading>[],
  rules: MergeRules,
): LegObservation {
  const { height, final, endpoints, pruned } = rules
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const initiated = chooseLanding(given, ({ initiated }) => initiated, rules)
  const redeemed = chooseLanding(given, ({ redeemed }) => redeemed, rules)
  const refunded = chooseLanding(given, ({ refunded }) => refunded, rules)
  const parts = [initiated, redeemed, refunded]
  const isSplit = parts.some(({ status }) => status === "split")
  // An empty history without the blocks of that time is no answer.
  const isShort = given.length - pruned.length < endpoints.needed
  const missing = isShort ? describeMissing(answers, final.outliers) : []
  const hasDissent = parts.some(({ hasDissent }) => hasDissent)
  const doubts = [
    ...(isSplit || hasDissent ? [describeContradiction("an HTLC", answers)] : []),
    ...missing,
    ...pruned,
  ]
  return {
    height,
    agreed: !isSplit && !isShort,
    ...(doubts.length === 0 ? {} : { doubts }),
    initiated: initiated.landing && {
      ...depthOf(initiated.landing, initiated.agreeing, rules),
      units: initiated.landing.units,
      ...(initiated.landing.evidence === undefined ? {} : { evidence: initiated.landing.evidence }),
    },
    redeemed: isSplit ? null : describePayment(redeemed, rules),
    refunded: isSplit ? null : describePayment(refunded, rules),
    refundableAt: initiated.landing?.refundableAt ?? null,
  }
}

/**
 * `agreed`: enough endpoints show it, or enough show nothing. `ahead`: it is newer than the slot
 * that all have reached. `short`: too few endpoints answer. `split`: no reading has enough
 * endpoints.
 */
type Choice<F> = {
  readonly status: "agreed" | "ahead" | "short" | "split"
  readonly landing: F | null
  /** The answers of an agreement about it. */
  readonly agreeing: readonly Landing[]
  readonly hasDissent: boolean
}

function chooseLanding<F extends Landing>(
  given: readonly LegReading[],
  select: (reading: LegReading) => F | null,
  rules: MergeRules,
): Choice<F> {
  const { needed } = rules.endpoints
  const shown = given.map(select)
  const absent = shown.filter((landing) => landing === null).length
  const found = shown.filter((landing) => landing !== null)
  const groups = [...Map.groupBy(found, keyOf).values()].toSorted((a, b) => b.length - a.length)
  const [largest = [], second = []] = groups
  const [landing] = largest
  const none = { landing: null, agreeing: [] }
  if (landing === undefined)
    return { status: absent >= needed ? "agreed" : "short", ...none, hasDissent: false }
  const isOld = landing.height <= rules.minSlot
  // An endpoint that lacks a new transaction is behind; one that lacks an old transaction
  // contradicts it.
  const others = Math.max(second.length, isOld ? absent : 0)
  const hasDissent = others > 0
  if (largest.length >= needed && largest.length > others)
    return { status: "agreed", landing, agreeing: largest, hasDissent }
  if (isOld && absent >= needed && absent > largest.length)
    return { status: "agreed", ...none, hasDissent }
  const status = hasDissent ? "split" : given.length < needed ? "short" : "ahead"
  return { status, landing, agreeing: [], hasDissent }
}

/** Endpoints may know different commitments of the same transaction. */
function keyOf({ commitment: _, ...landing }: Landing): string {
  return encodeJson(Object.entries(landing).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function describePayment<F extends Landing>(
  choice: Choice<F>,
  rules: MergeRules,
): (Omit<F, "commitment"> & OnChain) | null {
  if (choice.landing === null) return null
  const { commitment: _, ...landing } = choice.landing
  return { ...landing, ...depthOf(choice.landing, choice.agreeing, rules) }
}

function depthOf(
  { txid, height: slot }: Landing,
  agreeing: readonly Landing[],
  rules: MergeRules,
): OnChain {
  const { height, final, finality, endpoints } = rules
  const confirmations = height < slot ? 1 : Number(height - slot) + 1
  const has = (depth: Depth): boolean =>
    (depth.commitment !== "finalized" || (final.slot !== null && slot <= final.slot)) &&
    agreeing.filter(({ commitment }) => isDeep(commitment, confirmations, depth)).length >=
      endpoints.needed
  const depths = {
    seen: has(finality.seen),
    revealable: has(finality.reveal),
    final: has(finality.ending),
  }
  return { txid, height: slot, confirmations, ...depths }
}

function isEmpty(answers: readonly EndpointAnswer<LegReading>[]): boolean {
  return answers.every(
    (answer) => !answer.ok || (answer.value.initiated ?? answer.value.redeemed) === null,
  )
}

type Search = {
  readonly read: () => Promise<readonly EndpointAnswer<LegReading>[]>
  readonly endpoints: Endpoints
  readonly final: Heads
}

/**
 * The newest readings, and the endpoints that lack blocks. An address may have a full node and a
 * pruned one behind it, so that an empty history is of the one and the first slot of the other.
 * Where absence must be proven, both are asked in turns, and each answer counts.
 */
async function searchInTurns(
  { fromHeight, provesAbsence }: LegQuery,
  { read, endpoints, final }: Search,
) {
  const pruned = new Map<string, Reason>()
  const rounds = provesAbsence === true ? ABSENCE_ROUNDS : 1
  let answers = await read()
  for (let round = 1; isEmpty(answers); round++) {
    for (const each of await findPruned(fromHeight, endpoints, final))
      pruned.set(each.endpoint, each)
    if (round === rounds) break
    answers = await read()
  }
  return { answers, pruned: isEmpty(answers) ? [...pruned.values()] : [] }
}

/** Endpoints without the blocks since `fromHeight`: their empty history proves nothing. */
async function findPruned(fromHeight: bigint, endpoints: Endpoints, { heads }: Heads) {
  const answers = await endpoints.askAt(heads, ({ node }) =>
    node({ commitment: "finalized" }).fetchFirstSlot(),
  )
  return answers.flatMap((answer) =>
    answer.ok && answer.value > fromHeight
      ? [describePruned(answer.endpoint, answer.value, fromHeight)]
      : [],
  )
}
