import { AppError, transient } from "#lib/app-error.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import type { JudgedHeads } from "#nodes/quorum/judge-heads.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { StarknetNode, StarknetRpc } from "../rpc.ts"
import type { BlockReader } from "./read-chain.ts"
import { type Block, readHead, readNumbered } from "./read-head.ts"

/** One endpoint's sight of the chain at the reference block. */
export type View = StarknetNode & BlockReader & { readonly block: Block }

/**
 * Finds the reference height, and in `views` each endpoint's block there, or its error. Endpoints
 * may have different blocks at that height.
 */
export async function readReference(rpc: StarknetRpc) {
  const { height, heads, outliers, tips } = await readHeads(rpc)
  const views = await rpc.askAt(heads, async (node, head): Promise<View> => {
    const block = head.height === height ? head : await readBlockAt(node, head, height)
    return { ...node, block, at: { block_hash: block.hash } }
  })
  return { views, outliers, tips }
}

/** Throws an endpoint's error if none answers. */
export async function readHeads(rpc: StarknetRpc): Promise<JudgedHeads<Block>> {
  try {
    return await rpc.readHeads({
      readHead: ({ read }) => readHead(read),
      readTimeMs: async ({ ask }, { height }) => {
        const block = await readNumbered(ask, height)
        return block.height === height ? block.timeMs : null
      },
      kind: "latest",
    })
  } catch (error) {
    throw error instanceof AppError ? passing(error) : error
  }
}

/**
 * An endpoint whose head is lower gets one try: behind a load balancer another backend may have the
 * block.
 */
async function readBlockAt(node: StarknetNode, head: Block, height: bigint): Promise<Block> {
  const block = await readNumbered(head.height > height ? node.read : node.ask, height)
  if (block.height === height) return block
  const why = "The Starknet endpoint answered with another block than the requested one"
  throw transient("starknet.nonsense", why, { host: node.host, height, found: block.height })
}

export function worstOf(answers: readonly EndpointAnswer<unknown>[]): AppError {
  return passing(firstFailure(answers))
}

/**
 * A node's own error may pass too, because a proxy that refuses a method for a moment must not hold
 * an order for a person.
 */
function passing(error: AppError): AppError {
  const { code, message, details } = error
  return code === "starknet.rpc" ? transient(code, message, details) : error
}
