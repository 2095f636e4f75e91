import { request } from "undici"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"

/**
 * Creates a client for the few endpoints of an Esplora server that Ballast needs (github.com/Blockstream/esplora,
 * API.md). Amounts are JSON integers in satoshi. The client ignores unknown fields; a missing field is an error.
 *
 * If an endpoint fails, a read tries the next one, for at most three rounds (two with several endpoints). It throws
 * `bitcoin.esplora_unreachable` or `bitcoin.esplora_busy` (transient), or `bitcoin.esplora_answer` (hold) if every
 * endpoint answers something that is not Esplora.
 */
export function createEsplora(options: EsploraOptions): Esplora {
  const bases = options.endpoints.map((endpoint) => endpoint.replace(/\/+$/, ""))
  /** The client asks the endpoint that answered last first, so that a dead one costs its time-out only once. */
  let preferred = 0

  async function find<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    return retryRead(() => tryEndpoints(path, schema), { clock: options.clock, attempts: bases.length > 1 ? 2 : 3 })
  }

  async function tryEndpoints<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    let failure: unknown
    for (const [turn] of bases.entries()) {
      const index = (preferred + turn) % bases.length
      const base = bases[index] ?? ""
      try {
        const found = readAnswer(await exchange(base, path, options.timeoutMs), schema)
        preferred = index
        return found
      } catch (error) {
        // Prefer a transient failure, because a retry may help. Report an invalid answer only if no endpoint failed
        // transiently.
        if (failure === undefined || isTransient(error)) failure = error
      }
    }
    throw failure
  }

  async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const found = await find(path, schema)
    if (found === null) throw invalidAnswer(path, "404 for a path that always has an answer")
    return found
  }

  return {
    fetchHeight: () => read("/blocks/tip/height", heightSchema),
    listUtxos: (address) => read(`/address/${address}/utxo`, z.array(utxoSchema)),
    listTxs: (address) => read(`/address/${address}/txs`, z.array(txSchema)),
    findTx: async (txid) => {
      const tx = await find(`/tx/${txid}`, txSchema)
      if (tx !== null && tx.txid !== txid) throw invalidAnswer(`/tx/${txid}`, `transaction ${tx.txid}`)
      return tx
    },
    findSpender: async (coin) => (await find(`/tx/${coin.txid}/outspend/${coin.vout}`, outspendSchema)) ?? null,
    fetchFeeEstimates: async () => (await find("/fee-estimates", feesSchema)) ?? {},
    submitTx: (raw) => Promise.all(bases.map((base) => submit(base, raw, options.timeoutMs))),
  }
}

export type EsploraOptions = {
  /** Base URLs, such as `https://host/api`; at least one. */
  readonly endpoints: readonly string[]
  readonly timeoutMs: number
  readonly clock: Clock
}

export type Esplora = {
  fetchHeight(): Promise<bigint>
  listUtxos(address: string): Promise<readonly Utxo[]>
  /** Mempool and the newest confirmed transactions of an address; a server may cut the list. */
  listTxs(address: string): Promise<readonly Tx[]>
  findTx(txid: string): Promise<Tx | null>
  /** The transaction that spends this output; `null` if it is unspent or the server does not know it. */
  findSpender(coin: { readonly txid: string; readonly vout: number }): Promise<Spender | null>
  /** Satoshi per virtual byte by target in blocks; empty if the node has no estimate. */
  fetchFeeEstimates(): Promise<Readonly<Record<string, number>>>
  /** Returns the answer of each endpoint. Never throws: the caller judges the answers. */
  submitTx(raw: string): Promise<readonly SubmitAnswer[]>
}

/** `height` is `null` while unconfirmed. */
export type Utxo = z.infer<typeof utxoSchema>
export type Tx = z.infer<typeof txSchema>
export type Spender = { readonly txid: string; readonly height: bigint | null }
/** `status` is `null` when no answer came. */
export type SubmitAnswer = { readonly status: number | null; readonly text: string }

const txidSchema = z.string().regex(/^[0-9a-f]{64}$/)
const unitsSchema = z.int().nonnegative().transform(BigInt)
const heightSchema = z.int().nonnegative().transform(BigInt)

const statusSchema = z
  .object({ confirmed: z.boolean(), block_height: heightSchema.nullish() })
  .refine((status) => !status.confirmed || typeof status.block_height === "bigint", "confirmed without a height")
  .transform((status) => (status.confirmed ? (status.block_height ?? null) : null))

const utxoSchema = z
  .object({ txid: txidSchema, vout: z.int().nonnegative(), value: unitsSchema, status: statusSchema })
  .transform(({ txid, vout, value, status }) => ({ txid, vout, units: value, height: status }))

const inputSchema = z
  .object({ txid: z.string(), vout: z.int().nonnegative(), witness: z.array(z.string()).nullish() })
  .transform(({ txid, vout, witness }) => ({ txid, vout, witness: witness ?? [] }))

/** Outputs without an address (OP_RETURN, bare scripts) have `null`. */
const outputSchema = z
  .object({ scriptpubkey_address: z.string().nullish(), value: unitsSchema })
  .transform(({ scriptpubkey_address, value }) => ({ address: scriptpubkey_address ?? null, units: value }))

const txSchema = z
  .object({ txid: txidSchema, vin: z.array(inputSchema), vout: z.array(outputSchema), status: statusSchema })
  .transform(({ txid, vin, vout, status }) => ({ txid, height: status, inputs: vin, outputs: vout }))

const outspendSchema = z
  .union([
    z.object({ spent: z.literal(true), txid: txidSchema, status: statusSchema }),
    z.object({ spent: z.literal(false) }),
  ])
  .transform((outspend): Spender | null => (outspend.spent ? { txid: outspend.txid, height: outspend.status } : null))

const feesSchema = z.record(z.string(), z.number())

type Answer = { readonly path: string; readonly status: number; readonly retryAfter: unknown; readonly text: string }

async function exchange(base: string, path: string, timeoutMs: number, body?: string): Promise<Answer> {
  try {
    const response = await request(`${base}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { method: "POST", body, headers: { "content-type": "text/plain" } }),
    })
    const text = await response.body.text()
    return { path, status: response.statusCode, retryAfter: response.headers["retry-after"], text }
  } catch (cause) {
    throw new AppError({
      code: "bitcoin.esplora_unreachable",
      disposition: "transient",
      message: `no answer from ${base} within ${timeoutMs} ms; check chains.*.esplora and the server`,
      details: { endpoint: base, path, timeoutMs },
      cause,
    })
  }
}

function readAnswer<T>(answer: Answer, schema: z.ZodType<T>): T | null {
  const { path, status, text } = answer
  if (status === 429 || status >= 500) throw busy(answer)
  // An HTML page of a proxy or a wrong base URL must not count as "unknown transaction", even with status 404.
  if (text.trimStart().startsWith("<")) throw invalidAnswer(path, text)
  if (status === 404) return null
  if (status !== 200) throw invalidAnswer(path, `${status} ${text}`)
  const parsed = schema.safeParse(parseJson(path, text))
  if (!parsed.success) throw invalidAnswer(path, `${text.slice(0, 120)} (${z.prettifyError(parsed.error)})`)
  return parsed.data
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidAnswer(path, text)
  }
}

async function submit(base: string, raw: string, timeoutMs: number): Promise<SubmitAnswer> {
  try {
    const { status, text } = await exchange(base, "/tx", timeoutMs, raw)
    return { status, text: text.trim().slice(0, 500) }
  } catch (error) {
    return { status: null, text: error instanceof Error ? error.message : String(error) }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof AppError && error.disposition === "transient"
}

function busy(answer: Answer): AppError {
  const seconds = Number(answer.retryAfter)
  return new AppError({
    code: "bitcoin.esplora_busy",
    disposition: "transient",
    message: `the Esplora server answered ${answer.status}; try again later or add another endpoint`,
    details: {
      path: answer.path,
      status: answer.status,
      ...(Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {}),
    },
  })
}

function invalidAnswer(path: string, found: string): AppError {
  return new AppError({
    code: "bitcoin.esplora_answer",
    disposition: "hold",
    message: `the answer to ${path} is not an Esplora answer; check chains.*.esplora (base URL, proxy)`,
    details: { path, found: found.slice(0, 300) },
  })
}
