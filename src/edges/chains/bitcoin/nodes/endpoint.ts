import type { Transaction } from "bitcoinjs-lib"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"
import { type Address, hideSecrets, hostOf, under } from "#nodes/address.ts"
import { describeFailure, exchange, type HttpAnswer } from "#nodes/exchange.ts"
import { createNetworkCheck } from "#nodes/network-check.ts"
import { isLimited, type Pace } from "#nodes/pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { firstIssues } from "#nodes/rpc-answer.ts"
import { GiantJson, parseScanned } from "#nodes/scan-json.ts"
import { feesSchema } from "../spend/pick-rate.ts"
import { parseRawTransaction } from "../spend/raw-transaction.ts"

/**
 * Creates a client for the few paths of one Esplora server that Ballast needs
 * (github.com/Blockstream/esplora, API.md). The client ignores unknown fields; a missing field is
 * an error.
 *
 * Every failure is transient, because another server may answer correctly:
 * `bitcoin.esplora_unreachable`, `bitcoin.esplora_busy`, `bitcoin.esplora_answer` (not Esplora's
 * form, or another network), `bitcoin.esplora_unsettled` (two answers contradict each other).
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { url: base, timeoutMs, paces = createPaces(options.clock) } = options
  const host = hostOf(base)
  const wire = { base, timeoutMs, pace: paces(base, timeoutMs) }
  const ask = createAsk(options, wire.pace, host)
  // A server of another network would show an empty history for each of our addresses.
  const network = createNetworkCheck(async () => {
    if (options.genesis === null) return
    const found = await ask("/block-height/0", hashText)
    if (found !== options.genesis)
      throw invalidAnswer(host, "/block-height/0", `${found}, the genesis of another network`)
  })

  async function find<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    await network.first()
    return ask(path, schema)
  }

  async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const found = await find(path, schema)
    if (found === null) throw invalidAnswer(host, path, "404 for a path that always has an answer")
    return found
  }

  const newest = createNewest({ find, read, clock: options.clock, checkNetwork: network.again })
  async function findPlace(txid: string, listed: Place | null = null): Promise<Place | null> {
    const place = listed ?? (await find(`/tx/${txid}/status`, placeSchema))
    if (place === null) return null
    // A block that is not at its height in this server's own chain is stale, or the two answers
    // come from different machines.
    const active = newest.has(place)
      ? place.blockHash
      : await find(`/block-height/${place.height}`, hashText)
    if (active !== place.blockHash) throw unsettled(host, txid, place, active)
    return place
  }

  return {
    host,
    checkNetwork: network.again,
    find,
    fetchHead: newest.fetchHead,
    findBlockMs: async (height) => {
      const hash = await find(`/block-height/${height}`, hashText)
      return hash === null ? null : find(`/block/${hash}`, blockTimeSchema)
    },
    findBlockHash: (height) => find(`/block-height/${height}`, hashText),
    findBlock: (hash) => findBlock(wire, hash),
    findRaw: async (txid) => {
      const path = `/tx/${txid}/hex`
      const text = await find(path, rawText)
      if (text === null) return null
      const transaction = parseRawTransaction(text, txid)
      if (transaction === null) throw invalidAnswer(host, path, text)
      return transaction
    },
    findPlace,
    listUtxos: (address) => read(`/address/${address}/utxo`, z.array(utxoSchema)),
    listHistory: (address, lastSeen) =>
      read(
        `/address/${address}/txs${lastSeen === undefined ? "" : `/chain/${lastSeen}`}`,
        z.array(listedSchema),
      ),
    findSpender: async (coin) =>
      (await find(`/tx/${coin.txid}/outspend/${coin.vout}`, outspendSchema))?.txid ?? null,
    fetchFeeEstimates: async () => (await find("/fee-estimates", feesSchema)) ?? {},
    submitTx: (raw) => submit(wire, raw),
  }
}

type Reads = Pick<Endpoint, "find"> & {
  readonly read: <T>(path: string, schema: z.ZodType<T>) => Promise<T>
  readonly clock: Clock
  readonly checkNetwork: () => Promise<void>
}

/**
 * The server's newest blocks: its height, and the places in them for the rest of the look. Behind
 * one address the server may change: blocks without the last newest one may be another network's.
 */
function createNewest({ find, read, clock, checkNetwork }: Reads) {
  let listsBlocks = true
  let last: string | null = null
  async function follow(tip: string, shown: readonly string[]): Promise<void> {
    if (last !== null && !shown.includes(last)) await checkNetwork()
    last = tip
  }
  let newest: { readonly atMs: number; readonly blocks: readonly Place[] } | null = null
  return {
    has: ({ height, blockHash }: Place): boolean => {
      if (newest === null || clock.now() - newest.atMs > NEWEST_MS) return false
      return newest.blocks.some((block) => block.height === height && block.blockHash === blockHash)
    },
    fetchHead: async (): Promise<bigint> => {
      if (listsBlocks) {
        const blocks = await find("/blocks", newestSchema).catch(ignoreForm)
        newest = { atMs: clock.now(), blocks: blocks ?? [] }
        const [tip] = newest.blocks
        if (tip !== undefined) {
          await follow(
            tip.blockHash,
            newest.blocks.map(({ blockHash }) => blockHash),
          )
          return tip.height
        }
      }
      const height = await read("/blocks/tip/height", heightSchema)
      listsBlocks = false
      await follow(`${height}`, [`${height}`])
      return height
    },
  }
}

type EndpointOptions = {
  readonly url: Address
  readonly timeoutMs: number
  readonly clock: Clock
  readonly paces?: Paces
  /** How often a read is tried. */
  readonly attempts: number
  /**
   * After a time-out the endpoint fails at once for this long, so that one dead server does not
   * slow every read down.
   */
  readonly restMs: number
  /** The hash of the network's block 0; `null` asks no question. */
  readonly genesis: string | null
}

export type Endpoint = {
  /** Without path and keys: fit for a log. */
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  /**
   * Any other path, for instance of a Merkle proof; `null` for 404. A text that is no JSON reaches
   * the schema as text.
   */
  find<T>(path: string, schema: z.ZodType<T>): Promise<T | null>
  fetchHead(): Promise<bigint>
  findBlockHash(height: bigint): Promise<string | null>
  /** The time of the block at this height, in milliseconds, as its miner wrote it. */
  findBlockMs(height: bigint): Promise<number | null>
  /**
   * The raw block with this hash, as the server gives it: unchecked. `null` if it gives none in
   * time, or more than a block can have. Never throws.
   */
  findBlock(hash: string): Promise<Uint8Array | null>
  /**
   * The transaction with this id, which is recomputed from the bytes; `null` if the server does not
   * know it.
   */
  findRaw(txid: string): Promise<Transaction | null>
  /**
   * The block of the active chain that contains the transaction; `null` while there is none.
   * `listed`: its place by a list of the same server, which is checked as its answer would be.
   */
  findPlace(txid: string, listed?: Place | null): Promise<Place | null>
  listUtxos(address: string): Promise<readonly Utxo[]>
  /**
   * Mempool and the newest confirmed transactions of an address; with `lastSeen`, the next page of
   * older confirmed ones.
   */
  listHistory(address: string, lastSeen?: string): Promise<readonly Listed[]>
  /**
   * The id of the transaction that spends this output, by this server's word; `null` if it is
   * unspent or unknown.
   */
  findSpender(coin: { readonly txid: string; readonly vout: number }): Promise<string | null>
  /** Satoshi per virtual byte by target in blocks; empty if the node has no estimate. */
  fetchFeeEstimates(): Promise<Readonly<Record<string, number>>>
  /** Never throws: the caller judges the answer. */
  submitTx(raw: string): Promise<SubmitAnswer>
}

export type Place = { readonly height: bigint; readonly blockHash: string }
/** `height` is `null` while unconfirmed. */
export type Utxo = z.infer<typeof utxoSchema>
/**
 * `height` is `null` while unconfirmed, and `place` also where the list names no block. `spends`:
 * its inputs; `null` where the list does not name them.
 */
export type Listed = {
  readonly txid: string
  readonly height: bigint | null
  readonly place?: Place | null
  readonly spends?: readonly { readonly txid: string; readonly vout: number }[] | null
  /** Its outputs with an address; `null` where the list does not name them. */
  readonly pays?: readonly { readonly address: string; readonly units: bigint }[] | null
}
/** `status` is `null` when no answer came. */
export type SubmitAnswer = { readonly status: number | null; readonly text: string }

const hashText = z.string().regex(/^[0-9a-f]{64}$/)
const rawText = z.string().refine((text) => text !== "" && text.length % 2 === 0 && isHex(text))
const unitsSchema = z.int().nonnegative().transform(BigInt)
const heightSchema = z.int().nonnegative().transform(BigInt)

const blockTimeSchema = z
  .object({ timestamp: z.int() })
  .transform(({ timestamp }) => timestamp * 1_000)

/** The newest blocks, highest first; `null` for any other answer. */
const newestSchema = z
  .array(
    z
      .object({ id: hashText, height: heightSchema })
      .transform(({ id, height }): Place => ({ height, blockHash: id })),
  )
  .refine((blocks) => blocks.every(({ height }, at) => blocks[0]?.height === height + BigInt(at)))
  .nullable()
  .catch(null)

const statusSchema = z
  .object({ confirmed: z.boolean(), block_height: heightSchema.nullish() })
  .refine(
    (status) => !status.confirmed || typeof status.block_height === "bigint",
    "confirmed without a height",
  )
  .transform((status) => (status.confirmed ? (status.block_height ?? null) : null))

const placeSchema = z
  .union([
    z.object({ confirmed: z.literal(true), block_height: heightSchema, block_hash: hashText }),
    z.object({ confirmed: z.literal(false) }),
  ])
  .transform((status): Place | null =>
    status.confirmed ? { height: status.block_height, blockHash: status.block_hash } : null,
  )

const utxoSchema = z
  .object({ txid: hashText, vout: z.int().nonnegative(), value: unitsSchema, status: statusSchema })
  .transform(({ txid, vout, value, status }) => ({ txid, vout, units: value, height: status }))

const inputsSchema = z
  .array(z.object({ txid: hashText, vout: z.int().nonnegative() }))
  .nullable()
  .default(null)
  .catch(null)

const outputsSchema = z
  .array(z.object({ scriptpubkey_address: z.string().nullish(), value: unitsSchema }))
  .transform((outputs) =>
    outputs.flatMap(({ scriptpubkey_address: address, value: units }) =>
      address == null ? [] : [{ address, units }],
    ),
  )
  .nullable()
  .default(null)
  .catch(null)

const listedSchema = z
  .object({
    txid: hashText,
    status: z.union([placeSchema, statusSchema]),
    vin: inputsSchema,
    vout: outputsSchema,
  })
  .transform(({ txid, status, vin: spends, vout: pays }) =>
    typeof status === "bigint"
      ? { txid, height: status, place: null, spends, pays }
      : { txid, height: status?.height ?? null, place: status, spends, pays },
  )

const outspendSchema = z.union([
  z.object({ spent: z.literal(true), txid: hashText }),
  z.object({ spent: z.literal(false) }).transform(() => ({ txid: null })),
])

function createAsk(
  options: EndpointOptions,
  pace: Pace,
  host: string,
): <T>(path: string, schema: z.ZodType<T>) => Promise<T | null> {
  const { url, clock, timeoutMs, attempts, restMs } = options
  const hide = (text: string): string => hideSecrets(url, text)
  let restsUntilMs = 0
  async function once(path: string): Promise<HttpAnswer> {
    if (clock.now() < restsUntilMs)
      throw unreachable(host, path, timeoutMs, "it did not answer a moment ago")
    try {
      const mostBytes = LARGE.test(path) ? MOST_LARGE_BYTES : MOST_SMALL_BYTES
      const answer = await exchange({ address: under(url, path), timeoutMs, mostBytes })
      if (answer.status === 429 || answer.status >= 500) throw busy(host, path, answer)
      return answer
    } catch (error) {
      if (error instanceof AppError) throw error
      if (error instanceof GiantJson) throw invalidAnswer(host, path, error.message)
      restsUntilMs = clock.now() + restMs
      throw unreachable(host, path, timeoutMs, hide(describeFailure(error)), error)
    }
  }
  // The wait for a limit is over when its refusal comes.
  const triesFor = (error: AppError): number => (isLimited(error) ? 1 : attempts)
  return (path, schema) =>
    retryRead(
      async () => {
        const answer = await pace.send(() => once(path), path)
        return readAnswer(host, path, answer, schema, hide)
      },
      { clock, attempts: triesFor },
    )
}

/** Transactions, of which others make some, and lists of them and of coins. */
const LARGE = /\/(txs|utxo|hex)/
const MOST_LARGE_BYTES = 16 * 1024 * 1024
const MOST_SMALL_BYTES = 1024 * 1024

function readAnswer<T>(
  host: string,
  path: string,
  answer: HttpAnswer,
  schema: z.ZodType<T>,
  hide: (text: string) => string,
): T | null {
  const { status, text } = answer
  // An HTML page of a proxy or a wrong base URL must not count as "unknown transaction", even with
  // status 404.
  if (text.trimStart().startsWith("<")) throw invalidAnswer(host, path, hide(text))
  if (status === 404) return null
  if (status !== 200) throw invalidAnswer(host, path, `${status} ${hide(text)}`)
  const parsed = schema.safeParse(parseBody(text))
  if (!parsed.success)
    throw invalidAnswer(host, path, `${hide(text).slice(0, 120)} (${firstIssues(parsed.error)})`)
  return parsed.data
}

/** No look takes longer. */
const NEWEST_MS = 10_000

/** Some servers have no such list, and say so in many ways. */
function ignoreForm(error: unknown): null {
  if (error instanceof AppError && error.code === "bitcoin.esplora_answer") return null
  throw error
}

/** A pattern that must match a whole text of millions of digits overflows the stack. */
function isHex(text: string): boolean {
  return !/[^0-9a-f]/i.test(text)
}

/**
 * Esplora answers with JSON, and with bare text for a hash or a raw transaction. All-digit hex
 * stays text: it is longer than any number.
 */
function parseBody(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed.length >= 32 && isHex(trimmed)) return trimmed
  try {
    return parseScanned(trimmed)
  } catch {
    return trimmed
  }
}

/** No block has more bytes (BIP 141: a weight of 4 million). */
const MOST_BLOCK_BYTES = 4_000_000
/** A question that needs longer is answered without the block. */
const LONGEST_BLOCK_MS = 3_000

/**
 * One try, and a failure does not make the endpoint rest: a server that has no raw blocks may
 * answer everything else.
 */
async function findBlock(wire: Wire, hash: string): Promise<Uint8Array | null> {
  const path = `/block/${hash}/raw`
  const timeoutMs = Math.min(wire.timeoutMs, LONGEST_BLOCK_MS)
  const limits = { timeoutMs, mostBytes: MOST_BLOCK_BYTES, mostValues: null }
  try {
    const { status, bytes } = await wire.pace.sendOnce(() => exchangeAt(wire, path, limits))
    return status === 200 ? bytes : null
  } catch {
    return null
  }
}

async function submit(wire: Wire, body: string): Promise<SubmitAnswer> {
  const { base, timeoutMs, pace } = wire
  const hide = (text: string): string => hideSecrets(base, text)
  const question = { body, headers: { "content-type": "text/plain" }, timeoutMs }
  try {
    const { status, text } = await pace.sendWrite(() => exchangeAt(wire, "/tx", question))
    return { status, text: hide(text).trim().slice(0, 500) }
  } catch (error) {
    if (isLimited(error)) return { status: 429, text: error.message }
    return { status: null, text: `${hostOf(base)}: ${hide(describeFailure(error))}` }
  }
}

type Wire = { readonly base: Address; readonly timeoutMs: number; readonly pace: Pace }

/** Throws the refusal of a limit, from which the pace learns. */
async function exchangeAt(
  { base }: Wire,
  path: string,
  call: Omit<Parameters<typeof exchange>[0], "address">,
): Promise<HttpAnswer> {
  const answer = await exchange({ address: under(base, path), ...call })
  if (answer.status === 429) throw busy(hostOf(base), path, answer)
  return answer
}

function unreachable(
  endpoint: string,
  path: string,
  timeoutMs: number,
  why: string,
  cause?: unknown,
): AppError {
  return new AppError({
    code: "bitcoin.esplora_unreachable",
    disposition: "transient",
    message:
      `no answer from ${endpoint} within ${timeoutMs} ms (${why}); check chains.*.esplora and ` +
      "the server",
    details: { endpoint, path, timeoutMs, found: why },
    cause,
  })
}

function busy(endpoint: string, path: string, { status, retryAfterMs }: HttpAnswer): AppError {
  return new AppError({
    code: "bitcoin.esplora_busy",
    disposition: "transient",
    message:
      `the Esplora server ${endpoint} answered ${status}; try again later or add another ` +
      "endpoint",
    details: { endpoint, path, status, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  })
}

/** Transient: the page of a proxy passes, and another endpoint may answer correctly now. */
function invalidAnswer(endpoint: string, path: string, found: string): AppError {
  return new AppError({
    code: "bitcoin.esplora_answer",
    disposition: "transient",
    message:
      `the answer of ${endpoint} to ${path} is not an Esplora answer; check chains.*.esplora ` +
      "(base URL, proxy)",
    details: { endpoint, path, found: found.slice(0, 300) },
  })
}

function unsettled(endpoint: string, txid: string, place: Place, active: string | null): AppError {
  const shown = "a transaction in a block that is not in its own chain"
  return new AppError({
    code: "bitcoin.esplora_unsettled",
    disposition: "transient",
    message: `${endpoint} shows ${shown}; read it again`,
    details: {
      endpoint,
      txid,
      height: place.height.toString(),
      block: place.blockHash,
      active: active ?? "none",
    },
  })
}
