import type { Transaction } from "bitcoinjs-lib"
import { createKeptLast } from "#lib/kept-last.ts"
import type { Address } from "#nodes/address.ts"
import { type AskOptions, createPaces } from "#nodes/paces.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { answerFrom, type Quorum, quorumsOf } from "#nodes/quorum/create-quorum.ts"
import { createEndpoint, type Endpoint, type SubmitAnswer } from "./nodes/endpoint.ts"
import { parseRawTransaction } from "./spend/raw-transaction.ts"

/**
 * Creates the client of all Esplora servers of a chain. `askEach` asks every server: a failure of
 * one is its answer, and concerns no other.
 */
export function createEsplora(options: EsploraOptions): Esplora {
  const { endpoints, needed, clock, headsForMs, ...shared } = options
  const isAlone = endpoints.length === 1
  const tries = { attempts: isAlone ? 3 : 2, restMs: isAlone ? 0 : REST_MS }
  const paces = shared.paces ?? createPaces(clock)
  const nodes = endpoints.map((url) => createEndpoint({ ...shared, ...tries, url, clock, paces }))
  const raws = createKeptLast<Transaction>(MOST_RAWS)
  const onTheWay = new Map<string, Promise<Transaction | null>>()
  const quorum = createEsploraQuorum(nodes, needed, clock, headsForMs)

  /** Bytes prove themselves, so one endpoint's are enough for all that ask at the same time. */
  async function findRaw(txid: string, first?: Endpoint): Promise<Transaction | null> {
    const other = onTheWay.get(txid)?.catch(() => null)
    if (other !== undefined) await Promise.race([other, clock.sleep(BYTES_WAIT_MS)])
    const known = raws.find(txid)
    if (known !== null) return known
    const asked = askRaw(txid, first)
    onTheWay.set(txid, asked)
    try {
      return await asked
    } finally {
      if (onTheWay.get(txid) === asked) onTheWay.delete(txid)
    }
  }

  async function askRaw(txid: string, first?: Endpoint): Promise<Transaction | null> {
    const others = nodes.filter((endpoint) => endpoint !== first)
    const answers: EndpointAnswer<Transaction | null>[] = []
    for (const endpoint of first === undefined ? others : [first, ...others]) {
      const answer = await answerFrom(endpoint, RULES.codes.silent, () => endpoint.findRaw(txid))
      answers.push(answer)
      if (!answer.ok || answer.value === null) continue
      raws.keep(txid, answer.value, 0)
      return answer.value
    }
    const failed = (first === undefined ? answers : answers.slice(0, 1)).find(({ ok }) => !ok)
    if (failed?.ok === false) throw failed.error
    return null
  }

  return {
    ...quorum,
    findRaw,
    submitTx: ({ raw, txid }) => {
      const ours = parseRawTransaction(raw, txid)
      if (ours !== null) raws.keep(txid, ours, 0)
      return Promise.all(nodes.map((endpoint) => endpoint.submitTx(raw)))
    },
  }
}

const RULES = {
  /**
   * Six blocks take an hour. A server that is further ahead of all others shows another chain, or
   * an invented one.
   */
  lead: 6n,
  /**
   * More than an hour and a half without a block is rare, and seven blocks more at another endpoint
   * besides rule it out.
   */
  stalledMs: 90 * 60_000,
  /** Servers read histories from a disk, and differ more than nodes. */
  patienceMs: 5_000,
  headsShowNetwork: true,
  codes: {
    stalled: "bitcoin.esplora_stalled",
    silent: "bitcoin.esplora_unreachable",
    split: "bitcoin.disagreement",
    short: "bitcoin.agreement_short",
  },
}

export const createEsploraQuorum = quorumsOf<Endpoint>(RULES)

type EsploraOptions = AskOptions & {
  /** Base URLs, such as `https://host/api`; at least one. */
  readonly endpoints: readonly Address[]
  /** How many endpoints must give the same answer. */
  readonly needed: number
  readonly genesis: string | null
  readonly headsForMs?: number
}

export type Esplora = Quorum<Endpoint> & {
  /**
   * The transaction with this id from any endpoint that has it: its bytes prove themselves. `null`
   * if every endpoint answers that it has none. With `first`, that endpoint is asked first, and its
   * own word for an absence is enough.
   */
  findRaw(txid: string, first?: Endpoint): Promise<Transaction | null>
  /** Returns the answer of each endpoint. Never throws: the caller judges the answers. */
  submitTx(ours: { readonly raw: string; readonly txid: string }): Promise<readonly SubmitAnswer[]>
}

const REST_MS = 10_000
/** For the bytes that another endpoint is asked for. */
const BYTES_WAIT_MS = 500

/** Enough for the transactions of all open orders; the oldest leaves first. */
const MOST_RAWS = 500
