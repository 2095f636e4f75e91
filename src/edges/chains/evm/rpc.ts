import type { Hex } from "viem"
import type { Reason } from "#domain/reason.ts"
import { AppError, transient } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { createKeptLast, type KeptLast } from "#lib/kept-last.ts"
import { ignoreUnhandled, retryRead } from "#lib/retry.ts"
import type { Address } from "#nodes/address.ts"
import type { AskOptions } from "#nodes/paces.ts"
import { agreedHead, agreeOn, type EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import type { Party } from "#nodes/quorum/conclude.ts"
import { askInTurn, createQuorum, type Quorum } from "#nodes/quorum/create-quorum.ts"
import type { JudgedHeads } from "#nodes/quorum/judge-heads.ts"
import { behind, describeContradiction, firstFailure } from "#nodes/quorum/reasons.ts"
import type { Depths } from "./finality.ts"
import { type Ask, createEndpoint, type Endpoint, type EvmClient } from "./nodes/endpoint.ts"
import type { PinnedReads } from "./nodes/pinned-reads.ts"
import { type Block, isCanonical, readBlock, type TransactionPlace } from "./nodes/read-block.ts"

/** Several JSON-RPC endpoints of one chain. */
export type EvmRpc = Party & {
  /**
   * Runs `ask` on one endpoint: first on those that have reached the agreed head, then on the
   * others until one answers. For questions whose answer moves nothing by itself. Throws
   * `transient`, `hold`, or `refused` for a call that reverts.
   */
  read<T>(ask: Ask<T>): Promise<T>
  /**
   * Asks every endpoint once. Returns an answer or error for each, in the order of the
   * configuration. Never rejects.
   */
  askEach<T>(ask: Ask<T>): Promise<readonly EndpointAnswer<T>[]>
  /**
   * Asks each endpoint alone about the same block: the newest one that enough of them have reached.
   * An endpoint's answer counts only if the block has the same hash before and after, so that a
   * load balancer with unequal backends gives an error instead of a mixed answer. Throws the first
   * failure if no endpoint gives an answer.
   */
  readEach<T>(ask: AskAt<T>, options?: ReadOptions<T>): Promise<Reading<T>>
  /**
   * The newest block that enough endpoints have reached, by each endpoint that has it with the
   * agreed hash. Nothing is read after it, so no fact that depends on its block may follow from it.
   * Throws the first failure if no endpoint has it.
   */
  readBlocks(): Promise<readonly EndpointAnswer<Block>[]>
  /** One round of heads, without a retry. Throws the first failure if no endpoint answers. */
  readHeads(): Promise<Heads>
  /**
   * A block that a report of ours relies on: for ten minutes no read is about an older one, so that
   * no later answer predates the report.
   */
  noteReported(height: bigint): void
}

/**
 * The block that a read is about. `requireCanonical`: the read fails with `evm.other_block`
 * (transient) if at its end the endpoint's own chain does not have this transaction in this block.
 */
export type At = {
  readonly client: EvmClient
  /** Asks for what others have named, apart from the reads that matter. It may fail. */
  readonly advisor: EvmClient
  readonly height: bigint
  readonly hash: Hex
  readonly block: Block
  readonly requireCanonical: (place: TransactionPlace) => void
  /**
   * The receipt of this transaction is asked for now. Where an earlier read has shown its block,
   * the same batch asks for that block too.
   */
  readonly foresee: (txid: Hex) => void
  /** No fact of the answer follows from the silence of a search. */
  readonly noteNamed: () => void
}
export type AskAt<T> = (at: At) => Promise<T>
/**
 * `tags`: also read the chain's `safe` and `finalized` blocks. `newest`: never fall back to an
 * older block in a second try. `advice`: asked for beside the heads, and waited for before `ask`;
 * `places` takes the heights of its transactions. `early`: the same; its answer counts in place of
 * that of `ask`. Neither rejects.
 */
export type ReadOptions<T = never> = {
  readonly tags?: boolean
  readonly newest?: boolean
  readonly advice?: (advisor: EvmClient, places: KeptLast<bigint>) => Promise<void>
  readonly early?: (node: Pick<Endpoint, "ask">) => Promise<T | null>
}

/**
 * `answers`: one per configured endpoint. `isBlockAgreed`: enough endpoints have the block by its
 * hash. `doubts`: outliers, and a block with two hashes.
 */
export type Reading<T> = {
  readonly heights: Depths
  readonly isBlockAgreed: boolean
  readonly answers: readonly EndpointAnswer<T>[]
  readonly doubts: readonly Reason[]
}

/**
 * `blocks`: the chosen block by each endpoint, or its error. `usable`: those with the agreed hash.
 * `hash`: `null` where endpoints contradict each other.
 */
type Heads = JudgedHeads<Block> & {
  readonly blocks: readonly EndpointAnswer<Block>[]
  readonly usable: readonly EndpointAnswer<Block>[]
  readonly hash: Hex | null
  readonly isBlockAgreed: boolean
}

type RpcOptions = AskOptions & {
  readonly urls: readonly Address[]
  readonly needed: number
  readonly chainId: number
  /** No two blocks are closer together than this, on average. */
  readonly fastestBlockMs: number
  readonly headsForMs?: number
}

export function createRpc(options: RpcOptions): EvmRpc {
  const { clock, needed, fastestBlockMs, headsForMs = 0 } = options
  const quorum = createQuorum({
    nodes: options.urls.map((url) => createEndpoint(url, options)),
    needed,
    clock,
    lead: BigInt(Math.ceil(HEAD_LEAD_MS / fastestBlockMs)),
    fastestBlockMs,
    patienceMs: 1_500,
    headsForMs,
    codes: {
      stalled: "evm.stalled",
      silent: "evm.unreachable",
      split: "evm.disagreement",
      short: "evm.agreement_short",
    },
  })
  const { nodes, codes, fees } = quorum
  const places = createKeptLast<bigint>(MOST_PLACES)
  const world: World = { quorum, clock, floor: null, places, tags: new WeakMap() }
  const again = <T>(read: () => Promise<T>): Promise<T> => retryRead(read, { clock })
  return {
    nodes,
    needed,
    codes,
    fees,
    read: (ask) =>
      again(async () => askInTurn(await bestFirst(world), (node) => node.ask(ask), isUnanswered)),
    askEach: (ask) => quorum.askAll((node) => node.ask(ask)),
    readEach: (ask, how = {}) => readEach(world, ask, how),
    readBlocks: () =>
      again(async () => {
        const { usable } = await readHeads(world, 0n)
        if (usable.some(({ ok }) => ok)) return usable
        throw firstFailure(usable)
      }),
    readHeads: () => readHeads(world, 0n),
    noteReported: (height) => {
      if (height >= floorOf(world)) world.floor = { height, atMs: clock.now() }
    },
  }
}

/** It lags, or its backends are unequal. */
const BEHIND = "evm.behind"
/** A head this much newer than the agreed one is an outlier: honest nodes differ by seconds. */
const HEAD_LEAD_MS = 5 * 60_000

function isUnanswered(error: unknown): boolean {
  return error instanceof AppError && ["transient", "hold"].includes(error.disposition)
}

type World = {
  readonly quorum: Quorum<Endpoint>
  readonly clock: Clock
  /** The newest reported block, for `FLOOR_MS`. */
  floor: { readonly height: bigint; readonly atMs: number } | null
  /**
   * The heights of transactions by earlier reads. They decide only which blocks a batch asks for,
   * so an old one costs a request and nothing else.
   */
  readonly places: KeptLast<bigint>
  /** The last tags of each endpoint, and the newest block that they were read with. */
  readonly tags: WeakMap<Endpoint, { hash: Hex; atMs: number; tags: Promise<Tags> }>
}

const FLOOR_MS = 10 * 60_000

function floorOf({ floor, clock }: World): bigint {
  return floor === null || clock.now() - floor.atMs > FLOOR_MS ? 0n : floor.height
}

const READ_TRIES = 3
const RETRY_WAIT_MS = 50
const LONGEST_WAIT_MS = 2_000

/**
 * A backend that is a block behind, or a reorganisation, gives an error for the newest block. The
 * second and third try ask about one and two blocks before it, which every backend of a healthy
 * load balancer has. Without an improvement the newest reading counts.
 */
async function readEach<T>(world: World, ask: AskAt<T>, how: ReadOptions<T>): Promise<Reading<T>> {
  let best: Reading<T> | null = null
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= READ_TRIES
    let waitMs = RETRY_WAIT_MS * attempt
    try {
      const reading = await readOnce(world, ask, how, how.newest ? 0n : BigInt(attempt - 1))
      if (best === null || strengthOf(reading) > strengthOf(best)) best = reading
      if (strengthOf(best) > 0 && (isLast || !needsRetry(world, best))) return best
      if (strengthOf(best) === 0) throw firstFailure(best.answers)
    } catch (error) {
      if (isLast && best !== null && strengthOf(best) > 0) return best
      if (!(error instanceof AppError) || error.disposition !== "transient" || isLast) throw error
      const askedMs = error.details["retryAfterMs"]
      if (typeof askedMs === "number") waitMs = askedMs
      if (waitMs > LONGEST_WAIT_MS) throw error
    }
    await world.clock.sleep(waitMs)
  }
}

/** The number of answers, and half of one more if they are about one agreed block. */
function strengthOf({ answers, isBlockAgreed }: Reading<unknown>): number {
  const given = answers.filter(({ ok }) => ok).length
  return given > 0 && isBlockAgreed ? given + 0.5 : given
}

/**
 * More tries help only where endpoints have two blocks of one height, or where one of too few
 * failed because it lacks the block.
 */
function needsRetry(
  { quorum: { needed } }: World,
  { answers, isBlockAgreed }: Reading<unknown>,
): boolean {
  const given = answers.filter(({ ok }) => ok).length
  if (given >= needed) return !isBlockAgreed
  return answers.some((answer) => !answer.ok && UNEQUAL.has(answer.error.code))
}

/**
 * Failures of endpoints whose backends are unequal. A dead endpoint is not asked three times for
 * each answer of the others.
 */
const UNEQUAL: ReadonlySet<string> = new Set([
  BEHIND,
  "evm.reorganised",
  "evm.other_block",
  "evm.rpc",
  "evm.logs_missing",
])

async function readOnce<T>(
  world: World,
  ask: AskAt<T>,
  how: ReadOptions<T>,
  back: bigint,
): Promise<Reading<T>> {
  const { nodes, needed } = world.quorum
  const early = new Map(nodes.map((node) => [node, how.early?.(node)]))
  const advice = new Map(nodes.map((node) => [node, how.advice?.(node.advisor, world.places)]))
  const { height, hash, blocks, usable, outliers, isBlockAgreed } = await readHeads(world, back)
  const tags = new Map<Endpoint, Tags>()
  const answers = await world.quorum.askAt(usable, async (endpoint, block) => {
    const known = await early.get(endpoint)
    if (known != null) return known
    await advice.get(endpoint)
    const at = {
      height,
      hash: block.hash,
      block,
      places: world.places,
      readTags: async (client: EvmClient) => {
        if (how.tags) tags.set(endpoint, await shareTags(world, endpoint, block.hash, client))
      },
      advisor: endpoint.advisor,
    }
    return endpoint.askPinned(at, (client, pins) => tell({ ...at, client, pins }, ask))
  })
  // Those of an endpoint without an answer are about another block.
  const told = nodes.flatMap((node, at) => (answers[at]?.ok ? (tags.get(node) ?? []) : []))
  const about = "the block at one height"
  const fork = hash === null ? [describeContradiction(about, blocks, ({ hash }) => hash)] : []
  return {
    heights: { head: height, ...agreedTags(told, needed, height) },
    isBlockAgreed,
    answers,
    doubts: [...outliers, ...fork],
  }
}

type Tags = { readonly safe: bigint | null; readonly finalized: bigint | null }

type Telling = Omit<At, "requireCanonical" | "foresee" | "noteNamed"> & {
  readonly pins: PinnedReads | null
  readonly readTags: (client: EvmClient) => Promise<void>
  readonly places: World["places"]
}

/**
 * The block of the read, and each block with a transaction that the answer relies on, are read
 * again at its end. Where states are named by the hash of their block, and receipts name the hash
 * of theirs, these blocks may be part of the same batch: in any order of its answers one of another
 * block differs from the rest by its hash, or is refused.
 */
async function tell<T>(at: Telling, ask: AskAt<T>): Promise<T> {
  const { client, height, pins } = at
  const places: TransactionPlace[] = []
  const foreseen = new Map<bigint, Promise<Block | null>>()
  const foresee = (txid: Hex): void => {
    const known = pins === null ? null : at.places.find(txid)
    if (known !== null && known < height && !foreseen.has(known))
      foreseen.set(known, ignoreUnhandled(readBlock(client, known)))
  }
  const reads = Promise.all([
    ask({
      ...at,
      foresee,
      requireCanonical: (place) => void places.push(place),
      noteNamed: () => pins?.noteNamed(),
    }),
    at.readTags(client),
  ])
  const early = pins === null ? null : ignoreUnhandled(readBlock(client, height))
  const [value] = await reads
  const isHere = (place: TransactionPlace): boolean => place.height === height
  const isAtOnce =
    pins?.isOneRound() === true &&
    places.every((place) => isHere(place) || foreseen.has(place.height))
  // They begin together, so they are one request.
  const [after, ...canonical] = await Promise.all([
    isAtOnce && early !== null ? early : readBlock(client, height),
    ...places.map((place) => {
      if (isHere(place)) return isCanonical(at.block, place)
      const known = isAtOnce ? foreseen.get(place.height) : undefined
      return isCanonical(known ?? readBlock(client, place.height), place)
    }),
  ])
  if (after?.height !== at.height || after.hash !== at.hash)
    throw transient(
      "evm.reorganised",
      "The EVM endpoint changed its mind about a block during a read: a reorganisation, or " +
        "unequal backends",
      { height, before: at.hash, after: after?.hash ?? "none" },
    )
  const orphan = places.find((_place, index) => !canonical[index])
  if (orphan !== undefined) throw orphaned(orphan)
  for (const { txid, height } of places) at.places.keep(txid, height, 0)
  return value
}

/**
 * The tags move with new blocks, so looks of one moment at one block share them. An older one only
 * makes less final.
 */
function shareTags(
  { clock, tags }: World,
  endpoint: Endpoint,
  hash: Hex,
  client: EvmClient,
): Promise<Tags> {
  const known = tags.get(endpoint)
  const atMs = clock.now()
  if (known?.hash === hash && Math.abs(atMs - known.atMs) < TAGS_MS) return known.tags
  const asked = Promise.all([readTag(client, "safe"), readTag(client, "finalized")])
  const found = asked.then(([safe, finalized]) => ({ safe, finalized }))
  tags.set(endpoint, { hash, atMs, tags: found })
  return found
}

const TAGS_MS = 10_000

/** Enough for the transactions of many waiting orders. */
const MOST_PLACES = 10_000

/** A receipt or an event of an orphaned block, or of another backend, is no fact. */
function orphaned({ txid, height }: TransactionPlace): AppError {
  return transient(
    "evm.other_block",
    "The EVM endpoint shows a transaction in a block that its own chain does not have: a " +
      "reorganisation, or unequal backends",
    { txid, height },
  )
}

/** A chain without the tag, or one that is too young for it, names no block. */
async function readTag(client: EvmClient, tag: "safe" | "finalized"): Promise<bigint | null> {
  return (await readBlock(client, tag).catch(() => null))?.height ?? null
}

/**
 * The newest block that enough endpoints call safe or final, and never one above the block of the
 * read.
 */
function agreedTags(tags: readonly Tags[], needed: number, head: bigint): Tags {
  const agreed = (name: keyof Tags): bigint | null => {
    const heights = tags.flatMap((each) => each[name] ?? [])
    const height = agreedHead(heights, needed)
    return height === null || height < head ? height : head
  }
  return { safe: agreed("safe"), finalized: agreed("finalized") }
}

async function readHeads(world: World, back: bigint): Promise<Heads> {
  const { quorum } = world
  const judged = await quorum.readHeads({
    readHead: (endpoint) => endpoint.ask(readNewest),
    kind: "latest",
    least: back > 0n ? null : floorOf(world),
  })
  const height = judged.height > back ? judged.height - back : judged.height
  const [first] = quorum.nodes
  if (height < floorOf(world)) throw behind(BEHIND, first?.host ?? "", height, floorOf(world))
  const blocks = await quorum.askAt(judged.heads, async (endpoint, head) => {
    if (head.height === height) return head
    if (head.height < height) throw behind(BEHIND, endpoint.host, head.height, height)
    const block = await endpoint.ask((client) => readBlock(client, height))
    if (block?.height === height) return block
    throw behind(BEHIND, endpoint.host, height - 1n, height)
  })
  const agreement = agreeOn(blocks, quorum.needed, ({ hash }) => hash)
  const hash = agreement.status === "split" ? null : (agreement.value?.hash ?? null)
  const usable = blocks.map((block) => agreeing(block, hash))
  return { ...judged, height, blocks, usable, hash, isBlockAgreed: agreement.status === "agreed" }
}

async function readNewest(client: EvmClient): Promise<Block> {
  const block = await readBlock(client, "latest")
  if (block !== null) return block
  throw transient("evm.nonsense", "The EVM endpoint has no newest block; check the url")
}

/** An endpoint with another block than the agreed one gives no answer. */
function agreeing(answer: EndpointAnswer<Block>, agreed: Hex | null): EndpointAnswer<Block> {
  if (!answer.ok || agreed === null || answer.value.hash === agreed) return answer
  const { height, hash } = answer.value
  const error = transient(
    "evm.other_block",
    "The EVM endpoint has another block at this height than the others: a reorganisation, or a " +
      "fork",
    { host: answer.endpoint, height, hash, agreed },
  )
  return { endpoint: answer.endpoint, ok: false, error }
}

/**
 * Endpoints on the agreed block first. A lagging one shows old nonces and allowances, and a lying
 * one may claim any height.
 */
async function bestFirst(world: World): Promise<readonly Endpoint[]> {
  const { nodes } = world.quorum
  if (nodes.length < 2) return nodes
  const { usable } = await readHeads(world, 0n)
  const isGood = (_endpoint: Endpoint, index: number): boolean => usable[index]?.ok === true
  return [...nodes.filter(isGood), ...nodes.filter((endpoint, index) => !isGood(endpoint, index))]
}
