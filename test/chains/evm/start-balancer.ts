import { numberToHex } from "viem"
import { type NodeProxy, type ProxyAnswer, startProxy } from "./start-proxy.ts"

/**
 * For tests: a load balancer with several backends in front of one real node. A backend that lags
 * shows the node's own past, as geth does: a block, state or receipt that it lacks is an error or
 * `null`, and a search for events ends silently at its head.
 */
export async function startBalancer(behind: string, options: BalancerOptions): Promise<NodeProxy> {
  const passed = createPasser(behind)
  let turn = 0
  return startProxy(null, async (method, params) => {
    const backend =
      options.backends[options.choose?.(turn++) ?? turn++ % options.backends.length] ?? {}
    const head = BigInt(String(await passed("eth_blockNumber", [])))
    return answerAt({ ...backend, node: passed, head: head - (backend.lag ?? 0n) }, method, params)
  })
}

export type BalancerOptions = {
  readonly backends: readonly Backend[]
  /** The index of the backend that answers the `turn`-th request; without it they take turns. */
  readonly choose?: (turn: number) => number
}

/**
 * `lag`: blocks behind the node. `keeps`: the number of states; older ones are pruned. `pretends`:
 * the head that it shows instead of its own.
 */
export type Backend = { readonly lag?: bigint; readonly keeps?: bigint; readonly pretends?: bigint }

type Node = (method: string, params: readonly unknown[]) => Promise<unknown>
type View = Backend & { readonly node: Node; readonly head: bigint }

/** The place of the block among the parameters. */
const STATE_METHODS: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
}

async function answerAt(
  view: View,
  method: string,
  params: readonly unknown[],
): Promise<ProxyAnswer> {
  const { node, head, pretends } = view
  if (method === "eth_blockNumber") return { result: numberToHex(pretends ?? head) }
  if (method === "eth_getBlockByNumber") return { result: await blockAt(view, params) }
  const place = STATE_METHODS[method]
  if (place !== undefined) return stateAt(view, method, params, place)
  if (method === "eth_getLogs") {
    const [filter] = params as [{ fromBlock: string; toBlock: string }] // CAST: our own request.
    if (BigInt(filter.fromBlock) > head) return { result: [] }
    const toBlock = BigInt(filter.toBlock) > head ? numberToHex(head) : filter.toBlock
    return { result: await node(method, [{ ...filter, toBlock }]) }
  }
  const result = await node(method, params)
  // CAST: a receipt or a transaction, else undefined.
  const isLater = (result as { blockNumber?: string } | null)?.blockNumber
  const known = method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash"
  return { result: known && isLater && BigInt(isLater) > head ? null : result }
}

async function blockAt(
  { node, head, pretends }: View,
  [name, full]: readonly unknown[],
): Promise<unknown> {
  const isTag = name === "safe" || name === "finalized"
  const wanted = name === "latest" ? head : isTag ? null : BigInt(String(name))
  if (wanted !== null && wanted > head) return null
  const block = (await node("eth_getBlockByNumber", [
    wanted === null ? name : numberToHex(wanted),
    full,
  ])) as object // CAST: a block.
  return name === "latest" && pretends !== undefined
    ? { ...block, number: numberToHex(pretends) }
    : block
}

async function stateAt(
  view: View,
  method: string,
  params: readonly unknown[],
  place: number,
): Promise<ProxyAnswer> {
  const { node, head, keeps } = view
  const name = await numberOf(view, params[place] ?? "latest")
  if (name === null) return { error: { code: -32_000, message: "hash is not currently canonical" } }
  const wanted = name === "latest" || name === "pending" ? head : BigInt(String(name))
  if (wanted > head) return { error: { code: -32_000, message: "header not found" } }
  if (keeps !== undefined && wanted <= head - keeps)
    return { error: { code: -32_000, message: "missing trie node" } }
  try {
    return { result: await node(method, params.with(place, numberToHex(wanted))) }
  } catch (error) {
    return {
      error: JSON.parse(String((error as Error).message)) as { code: number; message: string },
    } // CAST: thrown below.
  }
}

/**
 * A block by its hash (EIP-1898) as the number of it; `null` where the backend does not have it.
 */
async function numberOf(view: View, name: unknown): Promise<unknown> {
  if (typeof name === "string") return name
  const { blockHash } = name as { blockHash: string } // CAST: our own request.
  const block = (await view.node("eth_getBlockByHash", [blockHash, false])) as {
    number: string
  } | null // CAST: a block.
  return block === null || BigInt(block.number) > view.head ? null : block.number
}

/** Throws the node's error as JSON. */
function createPasser(url: string): Node {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    // CAST: a real node.
    const { result, error } = (await answer.json()) as { result: unknown; error?: unknown }
    if (error !== undefined) throw new Error(JSON.stringify(error))
    return result
  }
}
