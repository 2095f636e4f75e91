import { agreedHead, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Esplora } from "../esplora.ts"
import type { Endpoint } from "./endpoint.ts"

/**
 * Reads the block height that all facts of one observation refer to: the newest that `needed`
 * endpoints have reached. With fewer endpoints, the lowest of those that answered. Throws the first
 * endpoint's error if none answers.
 */
export async function readReference(esplora: Esplora): Promise<Reference> {
  const heads = await readHeads(esplora)
  const { height, ceiling, outliers } = judgeHeads(heads, esplora.needed)
  if (height === null) throw heads.find((head) => !head.ok)?.error
  return { height, ceiling, heads, outliers }
}

/**
 * Reads each endpoint's head. An endpoint that stalled counts as no answer: its block is old, and
 * another endpoint is far above it with a fresh one. Otherwise one stopped server of two would keep
 * every refund waiting.
 */
export async function readHeads(esplora: Esplora): Promise<readonly EndpointAnswer<bigint>[]> {
  const heads = await esplora.askEach((endpoint) => endpoint.fetchHead())
  const { ceiling, outliers } = judgeHeads(heads, esplora.needed)
  if (outliers.length === 0) return heads
  const heightAt = (index: number): bigint | null => (heads[index]?.ok ? heads[index].value : null)
  const times = await esplora.askEach(async (endpoint) => {
    const height = heightAt(esplora.endpoints.indexOf(endpoint))
    return height === null ? null : endpoint.findBlockMs(height)
  })
  const ages = times.map((time) =>
    time.ok && time.value !== null ? esplora.now() - time.value : null,
  )
  const isFar = heads.map((_head, index) => (heightAt(index) ?? 0n) > ceiling)
  const isFresh = (age: number | null): boolean => age !== null && Math.abs(age) <= STALLED_MS
  const isOld = (age: number | null): boolean => age !== null && age > STALLED_MS
  const hasStalled =
    ages.some((age, index) => isFar[index] && isFresh(age)) &&
    ages.every((age, index) => heightAt(index) === null || isFar[index] || isOld(age))
  if (!hasStalled) return heads
  return heads.map((head, index) =>
    head.ok && !isFar[index] ? stalled(head.endpoint, head.value) : head,
  )
}

/**
 * More than an hour and a half without a block is rare, and seven blocks more at another endpoint
 * besides rule it out.
 */
const STALLED_MS = 90 * 60_000

function stalled(endpoint: string, head: bigint): EndpointAnswer<bigint> {
  const error = new AppError({
    code: "bitcoin.esplora_stalled",
    disposition: "transient",
    message:
      `the newest block of ${endpoint} is old, and another server has newer ones; repair or ` +
      "replace it",
    details: { endpoint, head: head.toString() },
  })
  return { endpoint, ok: false, error }
}

/** `heads` are in the order of the endpoints. A head above `ceiling` is an outlier. */
export type Reference = {
  readonly height: bigint
  readonly ceiling: bigint
  readonly heads: readonly EndpointAnswer<bigint>[]
  readonly outliers: readonly Reason[]
}

/**
 * Asks every endpoint that has reached the reference. An endpoint behind it, and one with an
 * impossible head, counts as no answer: its view is of another time.
 */
export async function askAt<T>(
  esplora: Esplora,
  { height, ceiling, heads }: Pick<Reference, "height" | "ceiling" | "heads">,
  read: (endpoint: Endpoint) => Promise<T>,
): Promise<EndpointAnswer<T>[]> {
  const faults = new Map(
    esplora.endpoints.map((endpoint, index) => [
      endpoint,
      faultOf(heads[index], { height, ceiling }),
    ]),
  )
  return esplora.askEach((endpoint) => {
    const fault = faults.get(endpoint)
    return fault ? Promise.reject(fault) : read(endpoint)
  })
}

/**
 * The agreed height, and the heads that are too far above it to be true. `height` is `null` if no
 * endpoint answered. Pure.
 */
export function judgeHeads(
  heads: readonly EndpointAnswer<bigint>[],
  needed: number,
): { height: bigint | null; ceiling: bigint; outliers: readonly Reason[] } {
  const given = heads.flatMap((head) =>
    head.ok ? [{ endpoint: head.endpoint, height: head.value }] : [],
  )
  const all = given.map(({ height }) => height)
  // One endpoint alone never decides how far the chain is while others answer.
  const shared = agreedHead(all, Math.max(needed, 2)) ?? lowestOf(all)
  if (shared === null) return { height: null, ceiling: 0n, outliers: [] }
  const ceiling = shared + HEAD_LEAD_BLOCKS
  const kept = all.filter((height) => height <= ceiling)
  const far = given.filter(({ height }) => height > ceiling)
  return {
    height: agreedHead(kept, needed) ?? lowestOf(kept),
    ceiling,
    outliers: far.map(({ endpoint, height }) => headOutlier(endpoint, height, shared)),
  }
}

function lowestOf(heights: readonly bigint[]): bigint | null {
  return heights.reduce<bigint | null>(
    (lowest, height) => (lowest === null || height < lowest ? height : lowest),
    null,
  )
}

/**
 * Six blocks take an hour. A server that is further ahead of all others shows another chain, or an
 * invented one.
 */
const HEAD_LEAD_BLOCKS = 6n

function headOutlier(endpoint: string, height: bigint, agreed: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message:
      "an endpoint shows a newest block far above the others; Ballast ignores it, or the " +
      "others are far behind",
    endpoint,
    height: height.toString(),
    agreed: agreed.toString(),
  }
}

function faultOf(
  head: EndpointAnswer<bigint> | undefined,
  { height, ceiling }: { readonly height: bigint; readonly ceiling: bigint },
): unknown {
  if (head === undefined) return undefined
  if (!head.ok) return head.error
  if (head.value > ceiling)
    return apart("bitcoin.esplora_outlier", head.endpoint, head.value, height)
  return head.value < height
    ? apart("bitcoin.esplora_behind", head.endpoint, head.value, height)
    : undefined
}

function apart(code: string, endpoint: string, head: bigint, height: bigint): AppError {
  return new AppError({
    code,
    disposition: "transient",
    message:
      `${endpoint} is at block ${head}, and the agreed block is ${height}; its answers do not ` +
      "count",
    details: { endpoint, head: head.toString(), height: height.toString() },
  })
}
