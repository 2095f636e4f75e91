import { z } from "zod"
import { agreedHead, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { formatFelt } from "../felt.ts"
import type { StarknetNode, StarknetRpc } from "../rpc.ts"
import { type BlockReader, feltSchema } from "./read-chain.ts"

export type Block = { readonly number: bigint; readonly hash: string }

/** One endpoint's sight of the chain at the reference block. */
export type View = StarknetNode & BlockReader & { readonly block: Block }

export type Reference = {
  /** A view for each endpoint that has a block at the reference height, else its error. */
  readonly views: readonly EndpointAnswer<View>[]
  readonly outliers: readonly Reason[]
}

/**
 * Finds the reference height, and each endpoint's block there. Endpoints may have different blocks
 * at that height.
 */
export async function readReference(rpc: StarknetRpc): Promise<Reference> {
  const { height, credible, silent, outliers } = await readHeads(rpc)
  if (height === null) return { views: silent, outliers }
  const views = await askAll(rpc, credible, async ({ node, head }): Promise<View> => {
    const block = head.number === height ? head : await readBlockAt(node, head, height)
    return { ...node, block, at: { block_hash: block.hash } }
  })
  return { views: [...views, ...silent], outliers }
}

/**
 * A head this many blocks above the middle of all heads is an outlier: five minutes of blocks at 2
 * s. Honest endpoints are within a few blocks of each other.
 */
const MAX_LEAD = 150n

type Head = { readonly host: string; readonly node: StarknetNode; readonly head: Block }

export async function readHeads(rpc: StarknetRpc) {
  const answers = await askAll(rpc, rpc.nodes, async (node): Promise<Head> => {
    return {
      host: node.host,
      node,
      head: await node.read("starknet_blockHashAndNumber", [], blockSchema),
    }
  })
  const heads = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const silent = answers.filter((answer) => !answer.ok)
  const sorted = heads
    .map(({ head }) => head.number)
    .toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const bound = (sorted[Math.floor(sorted.length / 2)] ?? 0n) + MAX_LEAD
  const near = heads.filter(({ head }) => head.number <= bound)
  const far = heads.filter(({ head }) => head.number > bound)
  const live = far.length === 0 ? [] : await findLive(rpc, near, far)
  const credible = live.length > 0 ? live : near
  const stalled = live.length > 0 ? near.map(({ host }) => stalledAnswer(host)) : []
  const outliers = far
    .filter((each) => !live.includes(each))
    .map(({ host, head }) => outlier(host, head, bound))
  const numbers = credible.map(({ head }) => head.number)
  const height = agreedHead(numbers, Math.min(rpc.needed, numbers.length))
  return { height, credible, silent: [...silent, ...stalled], outliers }
}

/** An endpoint whose newest block is older follows the chain no more. */
const STALLED_MS = 10 * 60_000

/**
 * The endpoints with a far higher head that are up to date, if all the others have stalled. Empty
 * if one of the others has not.
 */
async function findLive(
  rpc: StarknetRpc,
  near: readonly Head[],
  far: readonly Head[],
): Promise<readonly Head[]> {
  const isFresh = async ({ node, head }: Head): Promise<boolean> => {
    const block = await node.ask(
      "starknet_getBlockWithTxHashes",
      [{ block_number: Number(head.number) }],
      timeSchema,
    )
    return block.number === head.number && rpc.now() - block.timeMs < STALLED_MS
  }
  const freshOf = async (heads: readonly Head[]): Promise<readonly Head[]> => {
    const answers = await askAll(rpc, heads, isFresh)
    return heads.filter((_, index) => answers[index]?.ok && answers[index].value)
  }
  const freshNear = await freshOf(near)
  const freshFar = await freshOf(far)
  return freshNear.length > 0 ? [] : freshFar
}

const timeSchema = z
  .object({ block_number: z.int().nonnegative(), timestamp: z.int() })
  .transform(({ block_number, timestamp }) => ({
    number: BigInt(block_number),
    timeMs: timestamp * 1_000,
  }))

function stalledAnswer(host: string): EndpointAnswer<never> {
  const message = "The Starknet endpoint's newest block is old, and another endpoint has newer ones"
  return { endpoint: host, ok: false, error: transientError("starknet.stalled", message, { host }) }
}

const blockSchema = z
  .object({ block_number: z.int().nonnegative(), block_hash: feltSchema })
  .transform(
    ({ block_number, block_hash }): Block => ({
      number: BigInt(block_number),
      hash: formatFelt(block_hash),
    }),
  )

/**
 * An endpoint whose head is lower gets one try: behind a load balancer another backend may have the
 * block.
 */
async function readBlockAt(node: StarknetNode, head: Block, height: bigint): Promise<Block> {
  const ask = head.number > height ? node.read : node.ask
  const block = await ask(
    "starknet_getBlockWithTxHashes",
    [{ block_number: Number(height) }],
    blockSchema,
  )
  if (block.number === height) return block
  throw transientError(
    "starknet.nonsense",
    "The Starknet endpoint answered with another block than the requested one",
    {
      host: node.host,
      height,
      found: block.number,
    },
  )
}

/** When enough endpoints have answered, the others get this much longer. */
const PATIENCE_MS = 1_500

/**
 * Asks all at once. An error is the answer of its endpoint; an error of another class is a mistake
 * of ours.
 */
export async function askAll<Node extends { readonly host: string }, T>(
  rpc: StarknetRpc,
  nodes: readonly Node[],
  ask: (node: Node) => Promise<T>,
): Promise<EndpointAnswer<T>[]> {
  const done = new AbortController()
  const late = Promise.withResolvers<void>()
  let answered = 0
  const asked = nodes.map(async (node): Promise<EndpointAnswer<T>> => {
    try {
      const value = await ask(node)
      answered += 1
      if (answered === rpc.needed && nodes.length > answered)
        void rpc.sleep(PATIENCE_MS, done.signal).then(late.resolve)
      return { endpoint: node.host, ok: true, value }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { endpoint: node.host, ok: false, error }
    }
  })
  try {
    return await Promise.all(
      asked.map((one, index) =>
        Promise.race([one, late.promise.then(() => slowAnswer<T>(nodes[index]?.host ?? ""))]),
      ),
    )
  } finally {
    done.abort()
  }
}

function slowAnswer<T>(host: string): EndpointAnswer<T> {
  const error = transientError(
    "starknet.unreachable",
    "The Starknet endpoint is slower than the others",
    { host },
  )
  return { endpoint: host, ok: false, error }
}

/**
 * The error of an unanswered question: `transient` if one endpoint may answer later. A node's own
 * error is so too, because a proxy that refuses a method for a moment must not hold an order for a
 * person.
 */
export function worstOf(silent: readonly EndpointAnswer<unknown>[]): AppError {
  const errors = silent.flatMap((answer) =>
    !answer.ok && answer.error instanceof AppError ? [answer.error] : [],
  )
  const first = errors.find(({ disposition }) => disposition === "transient") ?? errors[0]
  if (first?.code === "starknet.rpc")
    return transientError(first.code, first.message, first.details)
  return (
    first ??
    transientError(
      "starknet.unreachable",
      "No Starknet endpoint has a credible head; check rpc",
      {},
    )
  )
}

export function transientError(
  code: string,
  message: string,
  details: AppError["details"],
): AppError {
  return new AppError({ code, disposition: "transient", message, details })
}

function outlier(host: string, head: Block, bound: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message: `${host} reports a head far above the other endpoints, so Ballast ignores it`,
    endpoint: host,
    head: head.number.toString(),
    bound: bound.toString(),
  }
}
