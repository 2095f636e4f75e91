import { AppError, toAppError, transient } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { HeadTip } from "#ports/chain/balances.ts"
import { rankNow } from "#ports/urgency.ts"
import type { EndpointAnswer } from "./agree-on.ts"
import { createFeeFigures, type FeeFigures } from "./fee-figures.ts"
import { areFarApart, type Head, type JudgedHeads, judgeHeads } from "./judge-heads.ts"

/** The endpoints of one chain, of which enough must give the same answer. */
export type Quorum<N> = {
  /** In the order of the configuration. */
  readonly nodes: readonly N[]
  readonly needed: number
  readonly codes: QuorumCodes
  readonly fees: FeeFigures
  /**
   * Asks every endpoint at the same time. Returns an answer or error for each, in the order of the
   * configuration. Never rejects.
   *
   * Once enough have answered, or all but those that were silent before, an endpoint that is slower
   * by the family's patience counts as silent.
   */
  askEach<T>(ask: (node: N, index: number) => Promise<T>): Promise<readonly EndpointAnswer<T>[]>
  /** Waits for each of them, as what is sent must reach all. Never rejects. */
  askAll<T>(ask: (node: N) => Promise<T>): Promise<readonly EndpointAnswer<T>[]>
  /** As `askEach`, of the endpoints that have a place: the failure of another is its answer. */
  askAt<P, T>(
    places: readonly EndpointAnswer<P>[],
    ask: (node: N, place: P) => Promise<T>,
  ): Promise<readonly EndpointAnswer<T>[]>
  /**
   * Reads the newest block of each endpoint, and chooses the one to ask about. Throws the first
   * failure if no endpoint answers.
   */
  readHeads<H extends Head>(reads: HeadReads<N, H>): Promise<JudgedHeads<H>>
}

/** `readTimeMs`: the time of a head's block, for families whose heads do not name it. */
type HeadReads<N, H> = {
  readonly readHead: (node: N) => Promise<H>
  readonly readTimeMs?: (node: N, head: H) => Promise<number | null>
  /** Rounds of one kind are shared; absent: this one is not. */
  readonly kind?: string
  /** A round below this height is not shared; `null`: none is. */
  readonly least?: bigint | null
}

/** How one family of chains differs from the others. */
type QuorumOptions<N> = {
  readonly nodes: readonly N[]
  readonly needed: number
  readonly clock: Pick<Clock, "now" | "sleep">
  /** See `HeadRules`. */
  readonly lead: bigint
  /** Absent: ten minutes. */
  readonly stalledMs?: number
  /** No two blocks are closer together than this, on average; absent: a lone head has no bound. */
  readonly fastestBlockMs?: number
  /** How much longer than enough others an endpoint may take. */
  readonly patienceMs: number
  /** How much longer than the first one; absent: until its own time-out. */
  readonly longestMs?: number
  /**
   * A round of heads that began at most so long ago, and that every endpoint answered, serves
   * another look too. Absent: each look asks.
   */
  readonly headsForMs?: number
  /** A head tells whether it follows the endpoint's last one. */
  readonly headsShowNetwork?: boolean
  /** No read names a block of the network by its hash, so another network may answer it. */
  readonly readsHideNetwork?: boolean
  readonly codes: QuorumCodes
}

/** `split`: endpoints contradict each other; `short`: too few answer. */
type QuorumCodes = Readonly<Record<"stalled" | "silent" | "split" | "short", string>>

/** The quorums of a family: its rules are the same for all of its chains. */
export function quorumsOf<N extends QuorumNode>(
  rules: Omit<QuorumOptions<N>, "nodes" | "needed" | "clock" | "headsForMs">,
) {
  return (
    nodes: readonly N[],
    needed: number,
    clock: QuorumOptions<N>["clock"],
    headsForMs = 0,
  ): Quorum<N> => createQuorum({ ...rules, nodes, needed, clock, headsForMs })
}

export function createQuorum<N extends QuorumNode>(options: QuorumOptions<N>): Quorum<N> {
  const state: State<N> = {
    ...options,
    silent: new Set(),
    last: null,
    seen: new Map(),
    rounds: new Map(),
  }
  const begin: <T>(ask: (node: N, index: number) => Promise<T>) => Promise<EndpointAnswer<T>>[] = (
    ask,
  ) =>
    options.nodes.map((node, index) =>
      answerFrom(node, options.codes.silent, () => ask(node, index)),
    )
  const askEach: Quorum<N>["askEach"] = (ask) => settle(state, begin(ask))
  return {
    nodes: options.nodes,
    needed: options.needed,
    codes: options.codes,
    fees: createFeeFigures(options.clock, options.nodes.length),
    askEach,
    askAll: (ask) => Promise.all(begin(ask)),
    askAt: (places, ask) =>
      askEach(async (node, index) => {
        const place = places[index]
        if (place?.ok) {
          const answer = await ask(node, place.value)
          // Its network may have changed since its head.
          if (options.needed === 1 && options.readsHideNetwork) await node.checkNetwork()
          return answer
        }
        throw place?.error ?? slow(node.host, options.codes.silent)
      }),
    readHeads: (reads) => shareHeads(state, reads, () => readHeads(state, askEach, reads)),
  }
}

/** `checkNetwork`: asks again whether the endpoint is on the configured network; throws if not. */
type QuorumNode = { readonly host: string; readonly checkNetwork: () => Promise<void> }

type State<N> = QuorumOptions<N> & {
  /**
   * Endpoints that did not answer the last time: a read waits for them no longer than for others.
   */
  readonly silent: Set<number>
  /** The last height that enough endpoints had reached. */
  last: { readonly height: bigint; readonly atMs: number } | null
  /** The last head of each endpoint. */
  readonly seen: Map<number, { readonly height: bigint; readonly atMs: number }>
  /** The last round of each kind of heads. */
  readonly rounds: Map<string, Round>
}

type Round = {
  readonly atMs: number
  readonly rank: number
  readonly heads: Promise<JudgedHeads<Head>>
  isOver: boolean
}

/** Orders that look at one chain at the same time look at the same heads. */
async function shareHeads<N, H extends Head>(
  { clock, headsForMs = 0, rounds }: State<N>,
  { kind, least = 0n }: HeadReads<N, H>,
  read: () => Promise<JudgedHeads<H>>,
): Promise<JudgedHeads<H>> {
  if (kind === undefined) return read()
  const known = rounds.get(kind)
  const nowMs = clock.now()
  const rank = rankNow()
  const isNew = known !== undefined && Math.abs(nowMs - known.atMs) < headsForMs
  // An urgent look waits for no other one; one that is over has its answer.
  if (least !== null && isNew && (known.isOver || known.rank <= rank)) {
    const heads = await known.heads.catch(() => null)
    // CAST: heads of one kind have one form.
    if (heads !== null && isWhole(heads) && heads.height >= least) return heads as JudgedHeads<H>
  }
  const round = { atMs: nowMs, rank, heads: read(), isOver: false }
  rounds.set(kind, round)
  const heads = await round.heads
  round.isOver = true
  return heads
}

function isWhole({ heads, outliers }: JudgedHeads<Head>): boolean {
  return outliers.length === 0 && heads.every(({ ok }) => ok)
}

async function readHeads<N extends QuorumNode, H extends Head>(
  state: State<N>,
  askEach: Quorum<N>["askEach"],
  { readHead, readTimeMs }: HeadReads<N, H>,
): Promise<JudgedHeads<H>> {
  const took = new Map<number, number>()
  const startedMs = state.clock.now()
  const found = await askEach(async (node, index) => {
    const [head] = await Promise.all([readHead(node), checkAlone(state, node)])
    took.set(index, state.clock.now() - startedMs)
    await checkJump(state, node, index, head)
    return head
  })
  const { clock, lead, needed, stalledMs = STALLED_MS, codes } = state
  const heads = readTimeMs && areFarApart(found, lead) ? await addTimes(found) : found
  const nowMs = clock.now()
  const judged = judgeHeads(heads, {
    needed,
    lead,
    stalledMs,
    nowMs,
    stalled: codes.stalled,
    reachable: reachable(state, nowMs),
  })
  if (!judged.isShort) state.last = { height: judged.height, atMs: nowMs }
  return { ...judged, tips: judged.heads.map(tipAt) }

  function tipAt(head: EndpointAnswer<H>, index: number): HeadTip | null {
    if (!head.ok) return null
    const { height, timeMs = null } = head.value
    return { endpoint: head.endpoint, height, timeMs, tookMs: took.get(index) ?? 0 }
  }

  async function addTimes(given: readonly EndpointAnswer<H>[]) {
    const times = await askEach(async (node, index) => {
      const head = given[index]
      return head?.ok && readTimeMs ? readTimeMs(node, head.value) : null
    })
    return given.map((head, index): EndpointAnswer<H> => {
      const time = times[index]
      return head.ok
        ? { ...head, value: { ...head.value, timeMs: time?.ok ? time.value : null } }
        : head
    })
  }
}

/**
 * Behind one address the node may change at any time, and another network may be at the same
 * height. Where an answer needs a second endpoint, this one never decides alone.
 */
async function checkAlone<N extends QuorumNode>(
  { needed, headsShowNetwork = false }: State<N>,
  node: N,
): Promise<void> {
  if (needed === 1 && !headsShowNetwork) await node.checkNetwork()
}

/**
 * A head far from the endpoint's last one may be that of another network.
 */
async function checkJump<N extends QuorumNode>(
  { clock, seen, lead }: State<N>,
  node: N,
  index: number,
  { height, isFollowing = true }: Head,
): Promise<void> {
  const atMs = clock.now()
  const last = seen.get(index)
  const waitedMs = BigInt(Math.max(0, Math.floor(atMs - (last?.atMs ?? atMs))))
  const most = (last?.height ?? height) + lead + (lead * waitedMs) / JUMP_MS
  const isNear = height <= most && height >= (last?.height ?? height) - lead
  if (!isNear || !isFollowing) await node.checkNetwork()
  seen.set(index, { height, atMs })
}

const STALLED_MS = 10 * 60_000

/** No chain makes the blocks of `lead` in so short a time. */
const JUMP_MS = 30_000n

function reachable({ last, fastestBlockMs }: State<unknown>, nowMs: number): bigint | null {
  if (last === null || fastestBlockMs === undefined) return null
  return last.height + BigInt(Math.ceil(Math.max(0, nowMs - last.atMs) / fastestBlockMs))
}

/**
 * Any failure is the answer of its endpoint: data of one endpoint that no parser expects must not
 * stop the others. A mistake of Ballast meets all endpoints, and shows then.
 */
export async function answerFrom<T>(
  { host }: { readonly host: string },
  code: string,
  ask: () => Promise<T>,
): Promise<EndpointAnswer<T>> {
  try {
    return { endpoint: host, ok: true, value: await ask() }
  } catch (error) {
    return { endpoint: host, ok: false, error: toAppError(error, { code, disposition: "bug" }) }
  }
}

/**
 * The answer of the first node that gives one. A failure without `goesOn` ends the search; of the
 * others a passing one is thrown first, because a retry may help then.
 */
export async function askInTurn<N, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
  goesOn: (error: unknown) => boolean = isPassing,
): Promise<T> {
  const failures: unknown[] = []
  for (const node of nodes) {
    try {
      return await ask(node)
    } catch (error) {
      if (!goesOn(error)) throw error
      failures.push(error)
    }
  }
  throw failures.findLast(isPassing) ?? failures[0]
}

function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.disposition === "transient"
}

async function settle<N extends { readonly host: string }, T>(
  { nodes, needed, clock, silent, patienceMs, longestMs, codes }: State<N>,
  asked: readonly Promise<EndpointAnswer<T>>[],
): Promise<readonly EndpointAnswer<T>[]> {
  const given: (EndpointAnswer<T> | undefined)[] = asked.map(() => undefined)
  const done = new AbortController()
  const late = Promise.withResolvers<void>()
  const waits = new Set<number>()
  const giveUpAfter = (ms: number): void => {
    if (waits.has(ms)) return
    waits.add(ms)
    void clock.sleep(ms, done.signal).then(late.resolve)
  }
  const note = (answer: EndpointAnswer<T>, index: number): void => {
    given[index] = answer
    if (given.every((each) => each !== undefined)) return
    const answered = given.filter((each) => each?.ok).length
    if (answered > 0 && longestMs !== undefined) giveUpAfter(longestMs)
    const isRest = given.every((each, at) => each !== undefined || silent.has(at))
    if (answered >= needed || isRest) giveUpAfter(patienceMs)
  }
  const all = Promise.all(asked.map((each, index) => each.then((answer) => note(answer, index))))
  try {
    await Promise.race([all, late.promise])
  } finally {
    done.abort("answered")
  }
  return nodes.map(({ host }, index) => {
    const answer = given[index] ?? { endpoint: host, ok: false, error: slow(host, codes.silent) }
    if (!answer.ok && answer.error.code === codes.silent) silent.add(index)
    else silent.delete(index)
    return answer
  })
}

function slow(host: string, code: string): AppError {
  const why = "The endpoint is much slower than the others; Ballast goes on without it"
  return transient(code, why, { host })
}
