import { agreedHead, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Esplora } from "./esplora.ts"

/**
 * Reads the block height that all facts of one observation refer to: the newest that `needed` endpoints have reached. With fewer
 * endpoints, the lowest of those that answered. Throws the first endpoint's error if none answers.
 */
export async function readReference(esplora: Esplora): Promise<Reference> {
  const heads = await esplora.askEach((endpoint) => endpoint.fetchHead())
  const { height, ceiling, outliers } = judgeHeads(heads, esplora.needed)
  if (height === null) throw heads.find((head) => !head.ok)?.error
  return { height, ceiling, heads, outliers }
}

/** `heads` are in the order of the endpoints. A head above `ceiling` is an outlier. */
export type Reference = {
  readonly height: bigint
  readonly ceiling: bigint
  readonly heads: readonly EndpointAnswer<bigint>[]
  readonly outliers: readonly Reason[]
}

/**
 * Asks every endpoint that has reached the reference. An endpoint behind it, and one with an impossible head, counts as no answer: its
 * view is of another time.
 */
export async function askAt<T>(
  esplora: Esplora,
  { height, ceiling, heads }: Pick<Reference, "height" | "ceiling" | "heads">,
  read: (endpoint: Endpoint) => Promise<T>,
): Promise<EndpointAnswer<T>[]> {
  const faults = new Map(
    esplora.endpoints.map((endpoint, index) => [endpoint, faultOf(heads[index], { height, ceiling })]),
  )
  return esplora.askEach((endpoint) => {
    const fault = faults.get(endpoint)
    return fault ? Promise.reject(fault) : read(endpoint)
  })
}

/**
 * The agreed height, and the heads that are too far above it to be true. `height` is `null` if no endpoint answered. Pure.
 */
export function judgeHeads(
  heads: readonly EndpointAnswer<bigint>[],
  needed: number,
): { height: bigint | null; ceiling: bigint; outliers: readonly Reason[] } {
  const given = heads.flatMap((head) => (head.ok ? [{ endpoint: head.endpoint, height: head.value }] : []))
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
  return heights.reduce<bigint | null>((lowest, height) => (lowest === null || height < lowest ? height : lowest), null)
}

/** Six blocks take an hour. A server that is further ahead of all others shows another chain, or an invented one. */
export const HEAD_LEAD_BLOCKS = 6n

function headOutlier(endpoint: string, height: bigint, agreed: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message:
      "an endpoint unproven a newest block far above the others; Ballast ignores it, or the others are far behind",
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
  if (head.value > ceiling) return apart("bitcoin.esplora_outlier", head.endpoint, head.value, height)
  return head.value < height ? apart("bitcoin.esplora_behind", head.endpoint, head.value, height) : undefined
}

function apart(code: string, endpoint: string, head: bigint, height: bigint): AppError {
  return new AppError({
    code,
    disposition: "transient",
    message: `${endpoint} is at block ${head}, and the agreed block is ${height}; its answers do not count`,
    details: { endpoint, head: head.toString(), height: height.toString() },
  })
}
