import type { Clock } from "#lib/clock.ts"
import { agreeOn } from "#nodes/quorum/agree-on.ts"
import type { TouchedLegs, TouchReader, WaitingLeg } from "#ports/chain/capabilities.ts"
import { scriptOf } from "../address.ts"
import type { Esplora } from "../esplora.ts"
import { headerOf, merkleRootOfAll, readTransactions } from "../nodes/read-block.ts"
import { fetchAgreedHeight } from "../nodes/reference.ts"
import { fromDisplay } from "../proof/block-header.ts"
import type { Wallet } from "../wallet.ts"
import { txidsIn } from "./hints.ts"

/**
 * With fewer waiting legs a new block makes all their orders due: that takes fewer bytes than a
 * block, and two requests for each leg (ADR 39).
 */
export const LEAST_LEGS = 16
/** After more new blocks than that all orders are observed. */
const MOST_BLOCKS = 6n
/** No further block is read after this time, so that the answer comes in time. */
const LONGEST_MS = 4_000
/** The transactions that are read in one turn of the event loop. */
const IN_ONE_TURN = 100
/** Ten minutes, by the protocol. */
const BLOCK_MS = 600_000

/**
 * Creates the question for the waiting legs that the new blocks touched: each block is read once
 * for all of them. A leg is touched when an output pays its address, an input spends the
 * transaction that funded it, or a witness shows a script with its secret hash.
 *
 * The endpoints must agree about the block of each height, and no other one may contradict. The
 * bytes of a block prove themselves: they hash to the block's hash, and its Merkle root covers
 * every transaction, so one endpoint is enough to read it and cannot leave a transaction out. In
 * doubt all waiting legs count as touched: after a reorganisation, a long gap, a contradiction, and
 * when no endpoint gives the block in time.
 *
 * Throws `bitcoin.agreement_short` (transient), and the first endpoint's error if none answers.
 */
export function createTouchedLegs(
  esplora: Esplora,
  wallet: Pick<Wallet, "network">,
  clock: Clock,
): TouchReader["listTouchedLegs"] {
  let scripts: Scripts = new Map()
  let last: Place | null = null
  return async (since, waiting) => {
    const height = await fetchAgreedHeight(esplora)
    scripts = new Map(
      waiting.map(({ query: { htlc } }) => [htlc, scripts.get(htlc) ?? findScript(htlc, wallet)]),
    )
    const unasked = waiting.filter(({ query }) => scripts.get(query.htlc) === null).map(hashOf)
    const common = { height, unasked, blockMs: BLOCK_MS }
    if (since === null || height <= since) return { ...common, secretHashes: [] }
    const first = last?.height === since ? last : null
    last = null
    const hashes = waiting.length < LEAST_LEGS ? null : await listHashes(esplora, since, height)
    const newest = hashes?.at(-1)
    if (newest !== undefined) last = { height, hash: newest }
    if (hashes === null || first === null || hashes[0] !== first.hash)
      return { ...common, secretHashes: all(waiting) }
    const touched = await scanBlocks(esplora, clock, hashes, targetsOf(waiting, scripts))
    return touched === null
      ? { ...common, secretHashes: all(waiting) }
      : ({ ...common, secretHashes: [...touched], isWhole: true } satisfies TouchedLegs)
  }
}

type Place = { readonly height: bigint; readonly hash: string }
/** By address. `null`: the leg has none, or one of another network. */
type Scripts = ReadonlyMap<string | null, Uint8Array | null>

function findScript(htlc: string | null, { network }: Pick<Wallet, "network">): Uint8Array | null {
  return htlc === null ? null : scriptOf(htlc, network)
}

function hashOf({ query }: WaitingLeg): string {
  return query.secretHash
}

function all(waiting: readonly WaitingLeg[]): string[] {
  return [...new Set(waiting.map(hashOf))]
}

/**
 * The hashes of the blocks from `since` to `height`; `null` when the endpoints do not agree, and
 * after a long gap.
 */
async function listHashes(
  esplora: Esplora,
  since: bigint,
  height: bigint,
): Promise<readonly string[] | null> {
  if (height - since > MOST_BLOCKS) return null
  const heights = Array.from(
    { length: Number(height - since) + 1 },
    (_, index) => since + BigInt(index),
  )
  const hashes = await Promise.all(
    heights.map(async (each) => {
      const answers = await esplora.askEach((endpoint) => endpoint.findBlockHash(each))
      const given = answers.filter((answer) => !answer.ok || answer.value !== null)
      const agreement = agreeOn(given, esplora.needed)
      return agreement.status === "agreed" && agreement.dissent.length === 0
        ? agreement.value
        : null
    }),
  )
  return hashes.every((hash) => hash !== null) ? hashes : null
}

/**
 * The secret hashes that the blocks after the first one touch; `null` when a block is not read, or
 * does not follow the one before it.
 */
async function scanBlocks(
  esplora: Esplora,
  clock: Clock,
  hashes: readonly string[],
  targets: Targets,
): Promise<ReadonlySet<string> | null> {
  const startMs = clock.now()
  const touched = new Set<string>()
  for (const [index, hash] of hashes.entries()) {
    const previous = hashes[index - 1]
    if (previous === undefined) continue
    if (Math.abs(clock.now() - startMs) > LONGEST_MS) return null
    const found = await scanBlock(esplora, clock, { hash, previous }, targets)
    if (found === null) return null
    for (const secretHash of found) touched.add(secretHash)
  }
  return touched
}

/** Tries a second endpoint when the first one does not give the block. */
async function scanBlock(
  { nodes }: Esplora,
  clock: Clock,
  { hash, previous }: { readonly hash: string; readonly previous: string },
  targets: Targets,
): Promise<ReadonlySet<string> | null> {
  for (const endpoint of nodes.slice(0, 2)) {
    const block = await endpoint.findBlock(hash)
    const header = block === null ? null : headerOf(block)
    if (block === null || header?.hash !== hash || header.previous !== previous) continue
    const { touched, root } = await scanTransactions(block, clock, targets)
    if (root === header.merkleRoot) return touched
  }
  return null
}

async function scanTransactions(block: Uint8Array, clock: Clock, targets: Targets) {
  const touched = new Set<string>()
  const ids: Uint8Array[] = []
  try {
    for (const transaction of readTransactions(block)) {
      ids.push(transaction.id)
      if (ids.length % IN_ONE_TURN === 0) await clock.turn?.()
      const found = [
        ...transaction.scripts.flatMap((script) => targets.scripts.get(keyOf(script)) ?? []),
        ...transaction.spentIds.flatMap((id) => targets.fundings.get(keyOf(id)) ?? []),
        ...transaction.witness.flatMap(
          (item) => targets.secretHashes.get(shownHash(item) ?? "") ?? [],
        ),
      ]
      for (const secretHash of found) touched.add(secretHash)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { touched, root: null }
  }
  return { touched, root: merkleRootOfAll(ids) }
}

/** Secret hashes by the bytes that touch their legs. */
type Targets = {
  readonly scripts: ReadonlyMap<string, readonly string[]>
  /** By the id of a transaction that funded the leg. */
  readonly fundings: ReadonlyMap<string, readonly string[]>
  readonly secretHashes: ReadonlyMap<string, readonly string[]>
}

function targetsOf(waiting: readonly WaitingLeg[], scripts: Scripts): Targets {
  const byScript = new Map<string, string[]>()
  const byFunding = new Map<string, string[]>()
  const bySecret = new Map<string, string[]>()
  const add = (to: Map<string, string[]>, key: string, secretHash: string): void => {
    const known = to.get(key)
    if (known === undefined) to.set(key, [secretHash])
    else known.push(secretHash)
  }
  for (const { query, openedBy = null } of waiting) {
    const script = scripts.get(query.htlc) ?? null
    if (script !== null) add(byScript, keyOf(script), query.secretHash)
    for (const txid of new Set([...txidsIn(openedBy), ...txidsIn(query.hints.initiateTx)]))
      add(byFunding, keyOf(fromDisplay(txid)), query.secretHash)
    add(bySecret, query.secretHash, query.secretHash)
  }
  return { scripts: byScript, fundings: byFunding, secretHashes: bySecret }
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
}

const OP_SHA256 = 0xa8
const PUSH_32 = 0x20

/**
 * The secret hash in a redeem leaf, which begins with `OP_SHA256 <hash>`; `null` for any other
 * item.
 */
function shownHash(item: Uint8Array): string | null {
  if (item[0] !== OP_SHA256 || item[1] !== PUSH_32 || item.length < 34) return null
  return Buffer.from(item.subarray(2, 34)).toString("hex")
}
