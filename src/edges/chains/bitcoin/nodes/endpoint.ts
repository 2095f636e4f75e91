import type { Transaction } from "bitcoinjs-lib"
import { z } from "zod"
import { type AppError, transient } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Head } from "#nodes/quorum/judge-heads.ts"
import {
  createRestClient,
  type RestClient,
  type RestDialect,
  type RestOptions,
  type SentAnswer,
} from "#nodes/rest-client.ts"
import { isHex } from "#nodes/scan-json.ts"
import { feesSchema } from "../spend/pick-rate.ts"
import { parseRawTransaction } from "../spend/raw-transaction.ts"
import { findBlockHash, findBlockMs, hashText, readNewest, wholeSchema } from "./read-newest.ts"

/**
 * Creates a client for the few paths of one Esplora server that Ballast needs
 * (github.com/Blockstream/esplora, API.md). The client ignores unknown fields; a missing field is
 * an error.
 *
 * Every failure is transient, because another server may answer correctly:
 * `bitcoin.esplora_unreachable`, `bitcoin.esplora_busy`, `bitcoin.esplora_answer` (not Esplora's
 * form, or another network), `bitcoin.esplora_unsettled` (two answers contradict each other).
 */
export function createEndpoint(options: EndpointOptions) {
  const { genesis, timeoutMs, clock } = options
  // A server of another network would show an empty history for each of our addresses.
  const rest = createRestClient(ESPLORA, options, async (own) => {
    const found = genesis === null ? null : await own.find(FIRST, hashText)
    if (found !== genesis) throw own.invalid(FIRST, `${found}, the genesis of another network`)
  })
  const { host, find } = rest
  const newest = createNewest(rest, clock)

  /**
   * The block of the active chain that contains the transaction; `null` while there is none.
   * `listed`: its place by a list of the same server, which is checked as its answer would be.
   */
  async function findPlace(txid: string, listed: Place | null = null): Promise<Place | null> {
    const place = listed ?? (await find(`/tx/${txid}/status`, placeSchema))
    if (place === null) return null
    // A block that is not at its height in this server's own chain is stale, or the two answers
    // come from different machines.
    const active = newest.has(place) ? place.blockHash : await findBlockHash(rest, place.height)
    if (active !== place.blockHash) throw unsettled(host, txid, place, active)
    return place
  }

  return {
    host,
    checkNetwork: rest.checkNetwork,
    /** Any other path, for instance of a Merkle proof; `null` for 404. */
    find,
    fetchHead: newest.fetchHead,
    /** `listed`: one that the newest blocks have shown a moment ago is not asked for again. */
    findBlockHash: async (height: bigint, { listed = false } = {}) =>
      (listed ? newest.hashAt(height) : null) ?? findBlockHash(rest, height),
    findBlockMs: (height: bigint) => findBlockMs(rest, height),
    findPlace,
    ...createReads(rest, timeoutMs),
  }
}

/** The reads of blocks, transactions and addresses, and the sending. */
function createReads({ find, read, findBytes, send, invalid }: RestClient, timeoutMs: number) {
  return {
    /** The raw block with this hash, as the server gives it: unchecked; `null` for none in time. */
    findBlock: (hash: string): Promise<Uint8Array | null> =>
      findBytes(`/block/${hash}/raw`, {
        timeoutMs: Math.min(timeoutMs, LONGEST_BLOCK_MS),
        mostBytes: MOST_BLOCK_BYTES,
      }),
    /** Its id is recomputed from the bytes; `null` if the server does not know it. */
    findRaw: async (txid: string): Promise<Transaction | null> => {
      const path = `/tx/${txid}/hex`
      const text = await find(path, rawText)
      const transaction = text === null ? null : parseRawTransaction(text, txid)
      if (text !== null && transaction === null) throw invalid(path, text)
      return transaction
    },
    listUtxos: (address: string): Promise<readonly Utxo[]> =>
      read(`/address/${address}/utxo`, z.array(utxoSchema)),
    /** Mempool and the newest confirmed ones; with `lastSeen`, the next page of older ones. */
    listHistory: (address: string, lastSeen?: string): Promise<readonly Listed[]> =>
      read(
        `/address/${address}/txs${lastSeen === undefined ? "" : `/chain/${lastSeen}`}`,
        z.array(listedSchema),
      ),
    /** The id of the transaction that spends this output; `null` if it is unspent or unknown. */
    findSpender: async ({ txid, vout }: Outpoint): Promise<string | null> =>
      (await find(`/tx/${txid}/outspend/${vout}`, outspendSchema))?.txid ?? null,
    /** Satoshi per virtual byte by target in blocks; empty if the node has no estimate. */
    fetchFeeEstimates: async (): Promise<Readonly<Record<string, number>>> =>
      (await find("/fee-estimates", feesSchema)) ?? {},
    /** Never throws: the caller judges the answer. */
    submitTx: (raw: string): Promise<SubmitAnswer> => send("/tx", raw),
  }
}

type Outpoint = { readonly txid: string; readonly vout: number }

const FIRST = "/block-height/0"

/**
 * The server's newest blocks: its height, and the places in them for the rest of the look.
 * `isFollowing`: the last newest one is among them; else they may be another network's, because
 * behind one address the server may change.
 */
function createNewest(rest: RestClient, clock: Clock) {
  let listsBlocks = true
  let last: string | null = null
  let newest: { readonly atMs: number; readonly hashes: ReadonlyMap<bigint, string> } | null = null
  const hashAt = (height: bigint): string | null => {
    if (newest === null || clock.now() - newest.atMs > NEWEST_MS) return null
    return newest.hashes.get(height) ?? null
  }
  return {
    hashAt,
    has: ({ height, blockHash }: Place): boolean => hashAt(height) === blockHash,
    fetchHead: async (): Promise<Head> => {
      const { height, blocks } = await readNewest(rest, listsBlocks)
      newest = { atMs: clock.now(), hashes: new Map(blocks.map((one) => [one.height, one.id])) }
      listsBlocks = blocks.length > 0
      const names = listsBlocks ? blocks.map(({ id }) => id) : [`${height}`]
      const isFollowing = last === null || names.includes(last)
      last = names[0] ?? null
      return { height, isFollowing }
    },
  }
}

/** `genesis`: the hash of the network's block 0; `null` asks no question. */
type EndpointOptions = RestOptions & { readonly genesis: string | null }

export type Endpoint = ReturnType<typeof createEndpoint>

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
  readonly spends?: readonly Outpoint[] | null
  /** Its outputs with an address; `null` where the list does not name them. */
  readonly pays?: z.infer<typeof outputsSchema> | null
}
export type SubmitAnswer = SentAnswer

const rawText = z.string().refine((text) => text !== "" && text.length % 2 === 0 && isHex(text))

const statusSchema = z
  .object({
    confirmed: z.boolean(),
    block_height: wholeSchema.nullish(),
    block_hash: hashText.nullish().catch(null),
  })
  .transform(({ confirmed, block_height, block_hash: blockHash }, context) => {
    const height = confirmed ? (block_height ?? null) : null
    if (confirmed && height === null)
      context.addIssue({ code: "custom", message: "confirmed without a height" })
    return { height, place: height === null || blockHash == null ? null : { height, blockHash } }
  })

const placeSchema = statusSchema
  .refine(({ height, place }) => height === null || place !== null, "confirmed without a block")
  .transform(({ place }) => place)

const utxoSchema = z
  .object({ txid: hashText, vout: z.int().nonnegative(), value: wholeSchema, status: statusSchema })
  .transform(({ txid, vout, value: units, status: { height } }) => ({ txid, vout, units, height }))

const inputsSchema = z.array(z.object({ txid: hashText, vout: z.int().nonnegative() }))

const outputsSchema = z
  .array(z.object({ scriptpubkey_address: z.string().nullish(), value: wholeSchema }))
  .transform((outputs) =>
    outputs.flatMap(({ scriptpubkey_address: address, value: units }, vout) =>
      address == null ? [] : [{ address, units, vout }],
    ),
  )

const listedSchema = z
  .object({
    txid: hashText,
    status: statusSchema,
    vin: inputsSchema.nullable().default(null).catch(null),
    vout: outputsSchema.nullable().default(null).catch(null),
  })
  .transform(({ txid, status, vin: spends, vout: pays }) => ({ txid, ...status, spends, pays }))

const outspendSchema = z.union([
  z.object({ spent: z.literal(true), txid: hashText }),
  z.object({ spent: z.literal(false) }).transform(() => ({ txid: null })),
])

const ESPLORA: RestDialect = {
  name: "Esplora",
  setting: "chains.*.esplora",
  codes: {
    unreachable: "bitcoin.esplora_unreachable",
    busy: "bitcoin.esplora_busy",
    answer: "bitcoin.esplora_answer",
  },
  mostBytes: (path) => (LARGE.test(path) ? MOST_LARGE_BYTES : MOST_SMALL_BYTES),
}

/** Transactions, of which others make some, and lists of them and of coins. */
const LARGE = /\/(txs|utxo|hex)/
const MOST_LARGE_BYTES = 16 * 1024 * 1024
const MOST_SMALL_BYTES = 1024 * 1024

/** No look takes longer. */
const NEWEST_MS = 10_000

/** No block has more bytes (BIP 141: a weight of 4 million). */
const MOST_BLOCK_BYTES = 4_000_000
/** A question that needs longer is answered without the block. */
const LONGEST_BLOCK_MS = 3_000

function unsettled(endpoint: string, txid: string, place: Place, active: string | null): AppError {
  const shown = "a transaction in a block that is not in its own chain"
  const height = place.height.toString()
  return transient("bitcoin.esplora_unsettled", `${endpoint} shows ${shown}; read it again`, {
    endpoint,
    txid,
    height,
    block: place.blockHash,
    active: active ?? "none",
  })
}
