import { z } from "zod"
import { agreedHead, agreeOn, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import type { AgreementReport } from "../port.ts"
import { formatFelt } from "./felt.ts"
import { type BlockReader, feltSchema } from "./read-chain.ts"
import type { StarknetNode, StarknetRpc } from "./rpc.ts"

export type Block = { readonly number: bigint; readonly hash: string }

/** One endpoint's sight of the chain at the reference block. */
export type View = StarknetNode & BlockReader & { readonly block: Block }

/**
 * The endpoints' answers to one question about the same block. `supporters` are the equal answers of the endpoints that agree, which may
 * differ in the parts that the comparison leaves out. `doubts`: contradictions, and endpoints that are missing for an agreement.
 */
export type Compared<T> = { readonly block: Block; readonly doubts: readonly Reason[] } & (
  | { readonly status: "agreed" | "short"; readonly value: T; readonly supporters: readonly T[] }
  | { readonly status: "split"; readonly values: readonly T[] }
)

/**
 * Asks every endpoint the same question about the same block, and compares the answers. The reference block is the newest that enough
 * endpoints have. Throws the endpoints' error if none answers.
 */
export async function compareViews<T>(
  rpc: StarknetRpc,
  ask: (view: View) => Promise<T>,
  keyOf: (value: T) => string = encodeJson,
): Promise<Compared<T>> {
  const reference = await readReference(rpc)
  const answers = await askAll(rpc, viewsOf(reference), async (view) => ({ block: view.block, value: await ask(view) }))
  const silent = [...reference.views, ...answers].filter((answer) => !answer.ok)
  const result = agreeOn(answers, rpc.needed, ({ block, value }) => `${block.hash} ${keyOf(value)}`)
  if (result.status === "split") {
    const values = result.answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    const doubts = [...reference.outliers, disagreement(result.answers)]
    return { status: "split", block: blockOf(values, silent), values: values.map(({ value }) => value), doubts }
  }
  const block = blockOf(result.value === null ? [] : [result.value], silent)
  // CAST: `blockOf` throws where there is no answer.
  const value = (result.value as { value: T }).value
  const same = answers.flatMap((answer) => (answer.ok && answer.value.block.hash === block.hash ? [answer.value] : []))
  const supporters = same.filter((one) => keyOf(one.value) === keyOf(value)).map((one) => one.value)
  const dissent = result.status === "agreed" && result.dissent.length > 0 ? [disagreement(answers)] : []
  const missing = result.status === "short" ? silent.map((answer) => missingEndpoint(answer)) : []
  return { status: result.status, block, value, supporters, doubts: [...reference.outliers, ...dissent, ...missing] }
}

/** Reads a value that enough endpoints agree on. Throws `starknet.disagreement` and `starknet.agreement_short` (transient). */
export async function readAgreed<T>(rpc: StarknetRpc, ask: (view: View) => Promise<T>): Promise<T> {
  const compared = await compareViews(rpc, ask)
  if (compared.status === "agreed") return compared.value
  throw notAgreed(rpc, compared.status, compared.doubts)
}

/**
 * Reads a value for work that goes on with whatever answers: voids and refunds. Where endpoints contradict each other, `choose` picks the
 * harmless answer.
 */
export async function readWithAny<T>(
  rpc: StarknetRpc,
  ask: (view: View) => Promise<T>,
  choose: (values: readonly T[]) => T,
): Promise<T> {
  const compared = await compareViews(rpc, ask)
  return compared.status === "split" ? choose(compared.values) : compared.value
}

/** Reads each endpoint's own value at the reference block. Throws the endpoints' error if none answers. */
export async function readEach<T>(rpc: StarknetRpc, ask: (view: View) => Promise<T>): Promise<readonly T[]> {
  const reference = await readReference(rpc)
  const answers = await askAll(rpc, viewsOf(reference), ask)
  const values = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (values.length === 0) throw worstOf([...reference.views, ...answers])
  return values
}

/** Reads the newest height that enough endpoints have. Throws `starknet.agreement_short` (transient). */
export async function fetchAgreedHeight(rpc: StarknetRpc): Promise<bigint> {
  const { height, credible, silent, outliers } = await readHeads(rpc)
  if (height !== null && credible.length >= rpc.needed) return height
  if (credible.length === 0 && outliers.length === 0) throw worstOf(silent)
  throw notAgreed(rpc, "short", [...outliers, ...silent.map(missingEndpoint)])
}

/** Counts the endpoints that have the same block at the reference height. Never throws for an endpoint's failure. */
export async function fetchStarknetAgreement(rpc: StarknetRpc): Promise<AgreementReport> {
  const { views, outliers } = await readReference(rpc)
  const blocks = views.map((view) => (view.ok ? { ...view, value: view.value.block } : view))
  const result = agreeOn(blocks, rpc.needed)
  const value = result.status === "split" ? null : result.value
  const agreeing = blocks.filter((answer) => answer.ok && answer.value.hash === value?.hash).length
  const isDoubted = result.status === "split" || (result.status === "agreed" && result.dissent.length > 0)
  const reasons = [
    ...outliers,
    ...(isDoubted ? [disagreement(blocks)] : []),
    ...views.filter((answer) => !answer.ok).map(missingEndpoint),
  ]
  return { endpoints: rpc.nodes.length, needed: rpc.needed, agreeing, reasons }
}

function viewsOf({ views }: Reference): readonly View[] {
  return views.flatMap((answer) => (answer.ok ? [answer.value] : []))
}

type Reference = {
  /** A view for each endpoint that has a block at the reference height, else its error. */
  readonly views: readonly EndpointAnswer<View>[]
  readonly outliers: readonly Reason[]
}

/** Finds the reference height, and each endpoint's block there. Endpoints may have different blocks at that height. */
async function readReference(rpc: StarknetRpc): Promise<Reference> {
  const { height, credible, silent, outliers } = await readHeads(rpc)
  if (height === null) return { views: silent, outliers }
  const views = await askAll(rpc, credible, async ({ node, head }): Promise<View> => {
    const block = head.number === height ? head : await readBlockAt(node, head, height)
    return { ...node, block, at: { block_hash: block.hash } }
  })
  return { views: [...views, ...silent], outliers }
}

/**
 * A head this many blocks above the middle of all heads is an outlier: five minutes of blocks at 2 s. Honest endpoints are within a few
 * blocks of each other.
 */
const MAX_LEAD = 150n

type Head = { readonly host: string; readonly node: StarknetNode; readonly head: Block }

async function readHeads(rpc: StarknetRpc) {
  const answers = await askAll(rpc, rpc.nodes, async (node): Promise<Head> => {
    return { host: node.host, node, head: await node.read("starknet_blockHashAndNumber", [], blockSchema) }
  })
  const heads = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const silent = answers.filter((answer) => !answer.ok)
  const sorted = heads.map(({ head }) => head.number).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const bound = (sorted[Math.floor(sorted.length / 2)] ?? 0n) + MAX_LEAD
  const credible = heads.filter(({ head }) => head.number <= bound)
  const outliers = heads.filter(({ head }) => head.number > bound).map(({ host, head }) => outlier(host, head, bound))
  const numbers = credible.map(({ head }) => head.number)
  return { height: agreedHead(numbers, Math.min(rpc.needed, numbers.length)), credible, silent, outliers }
}

const blockSchema = z
  .object({ block_number: z.int().nonnegative(), block_hash: feltSchema })
  .transform(({ block_number, block_hash }): Block => ({ number: BigInt(block_number), hash: formatFelt(block_hash) }))

/** An endpoint whose head is lower gets one try: behind a load balancer another backend may have the block. */
async function readBlockAt(node: StarknetNode, head: Block, height: bigint): Promise<Block> {
  const ask = head.number > height ? node.read : node.ask
  const block = await ask("starknet_getBlockWithTxHashes", [{ block_number: Number(height) }], blockSchema)
  if (block.number === height) return block
  throw transient("starknet.nonsense", "The Starknet endpoint answered with another block than the requested one", {
    host: node.host,
    height,
    found: block.number,
  })
}

/** When enough endpoints have answered, the others get this much longer. */
const PATIENCE_MS = 1_500

/** Asks all at once. An error is the answer of its endpoint; an error of another class is a mistake of ours. */
async function askAll<Node extends { readonly host: string }, T>(
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
      asked.map((one, index) => Promise.race([one, late.promise.then(() => slowAnswer<T>(nodes[index]?.host ?? ""))])),
    )
  } finally {
    done.abort()
  }
}

function slowAnswer<T>(host: string): EndpointAnswer<T> {
  const error = transient("starknet.unreachable", "The Starknet endpoint is slower than the others", { host })
  return { endpoint: host, ok: false, error }
}

function blockOf(values: readonly { readonly block: Block }[], silent: readonly EndpointAnswer<unknown>[]): Block {
  const [lowest] = values.toSorted((a, b) => Number(a.block.number - b.block.number))
  if (lowest === undefined) throw worstOf(silent)
  return lowest.block
}

/** The error of a question that nobody answered: `transient` if one endpoint may answer later. */
function worstOf(silent: readonly EndpointAnswer<unknown>[]): AppError {
  const errors = silent.flatMap((answer) => (!answer.ok && answer.error instanceof AppError ? [answer.error] : []))
  const first = errors.find(({ disposition }) => disposition === "transient") ?? errors[0]
  return first ?? transient("starknet.unreachable", "No Starknet endpoint has a credible head; check rpc", {})
}

function notAgreed(rpc: StarknetRpc, status: "short" | "split", doubts: readonly Reason[]): AppError {
  const found = doubts.map(({ message }) => message).join("; ")
  if (status === "split") {
    return transient("starknet.disagreement", "The Starknet endpoints contradict each other; check rpc", { found })
  }
  const { needed, nodes } = rpc
  const details = { needed, endpoints: nodes.length, found }
  return transient("starknet.agreement_short", "Too few Starknet endpoints answer; Ballast asks again", details)
}

function transient(code: string, message: string, details: AppError["details"]): AppError {
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

function missingEndpoint(answer: EndpointAnswer<unknown>): Reason {
  const error = !answer.ok && answer.error instanceof AppError ? answer.error : null
  return {
    code: "chain.agreement_short",
    message: `${answer.endpoint} does not answer, so too few endpoints can agree`,
    endpoint: answer.endpoint,
    error: error?.code ?? "unknown",
  }
}

function disagreement(answers: readonly EndpointAnswer<unknown>[]): Reason {
  const given = answers.flatMap((answer) => (answer.ok ? [`${answer.endpoint}: ${show(answer.value)}`] : []))
  return {
    code: "chain.disagreement",
    message: "the endpoints contradict each other about the same block, so Ballast ends nothing by their answers",
    answers: given.join(" | "),
  }
}

function show(value: unknown): string {
  return encodeJson(value).slice(0, 600)
}
