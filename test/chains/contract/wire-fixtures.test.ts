import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DEPOSIT_READERS } from "#chains/families.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { createServiceClient } from "#service/client.ts"
import { listen, stopServer } from "../../support/listen.ts"
import type { World } from "./bench.ts"
import { bitcoinBench } from "./bitcoin-bench.ts"
import { evmBench } from "./evm-bench.ts"
import { PAIRS, recordWire, type Worlds } from "./record-wire.ts"
import { solanaBench } from "./solana-bench.ts"
import { starknetWordsBench } from "./starknet-bench.ts"
import { bodyOf, listOf, resultList, resultOf } from "./wire-body.ts"
import { firstWord, kindOf, type Word } from "./wire-labels.ts"
import { READERS } from "./wire-readers.ts"
import type { Exchange } from "./wire-recorder.ts"
import {
  CREATE_REQUEST,
  CREATED,
  type Dialect,
  ERROR_BODY,
  findDifferences,
  LIST,
  orderTable,
  QUOTE,
  SIGNATURE_BODY,
} from "./wire-tables.ts"

type Exchanges = Readonly<Record<string, Exchange>>

const DIALECTS = ["contract", "2026"] as const satisfies readonly Dialect[]
const KINDS = ["quote", "create", "get", "initiate", "list", "error"] as const
/**
 * `RECORD_WIRE=1 npx vitest run test/chains/contract/wire-fixtures.test.ts` writes the fixtures
 * anew.
 */
const RECORDING = process.env["RECORD_WIRE"] === "1"

describe.skipIf(RECORDING).each(DIALECTS)("the recorded wire, dialect %s,", (dialect) => {
  const golden = readGolden(dialect)
  const labelled = (kind: (typeof KINDS)[number]): [string, Exchange][] =>
    Object.entries(golden).filter(([label]) => label.split(" ")[0] === kind)
  const late = dialect === "2026"

  test("has every variant", () => {
    expect(Object.keys(golden).sort()).toEqual([...LABELS].sort())
  })

  test("matches the field tables, field by field, with no extra field", () => {
    const differences = [
      ...labelled("quote").flatMap(([label, { response }]) =>
        resultList(response.body).flatMap((quote) =>
          findDifferences(QUOTE, quote, late, `${label} `),
        ),
      ),
      ...labelled("create").flatMap(([label, { response }]) =>
        findDifferences(
          CREATED[dialect][kindOf(label)],
          resultOf(response.body),
          late,
          `${label} `,
        ),
      ),
      ...labelled("get").flatMap(([label, { response }]) =>
        checkOrder(resultOf(response.body), late, `${label} `),
      ),
      ...labelled("list").flatMap(([label, { response }]) => [
        ...findDifferences(LIST, resultOf(response.body), late, `${label} `),
        ...listOf(response.body).flatMap((order) => checkOrder(order, late, `${label} `)),
      ]),
    ]
    expect(differences).toEqual([])
    for (const kind of ["quote", "create", "get", "initiate", "list"] as const) {
      for (const [label, { response }] of labelled(kind)) {
        expect([label, Object.keys(bodyOf(response.body))]).toEqual([label, ["status", "result"]])
        expect([label, bodyOf(response.body)["status"]]).toEqual([label, "Ok"])
        expect([label, response.status]).toEqual([label, kind === "initiate" && late ? 202 : 200])
      }
    }
  })

  test("shows progress where the document says so", () => {
    for (const { name } of PAIRS) {
      const [created, initiated, completed] = ["created", "initiated", "completed"].map((stage) =>
        resultOf(golden[`get ${name} ${stage}`]?.response.body),
      )
      expect([name, progressOf(created)]).toEqual([name, "waiting"])
      expect([name, progressOf(initiated)]).toEqual([name, "funded"])
      expect([name, progressOf(completed)]).toEqual([name, "complete"])
    }
    expect(progressOf(resultOf(golden["get refunded"]?.response.body))).toBe("refunded")
  })

  test("has errors in the shape of the field notes", () => {
    for (const [label, { response }] of labelled("error")) {
      expect([label, response.status]).toEqual([label, ERROR_STATUS[label]])
      if (typeof response.body === "string") expect(response.body).toMatch(/^<!doctype|^<html/i)
      else expect([label, findDifferences(ERROR_BODY, response.body, false)]).toEqual([label, []])
    }
  })

  test("contains only requests that the tables allow: paths, parameters, headers and bodies", () => {
    for (const [label, { request }] of Object.entries(golden)) {
      if (label.startsWith("error ") || label === "quote none") continue
      const {
        "service-app-id": appId,
        accept,
        "accept-encoding": encoding,
        ...others
      } = request.headers
      expect([label, appId, accept, encoding]).toEqual([
        label,
        "ballast-sandbox",
        "application/json",
        "identity",
      ])
      const written = request.method === "GET" ? {} : { "content-type": "application/json" }
      expect([label, others]).toEqual([label, written])
      expect([label, `${request.method} ${request.path}`]).toEqual([
        label,
        expect.stringMatching(ENDPOINTS[firstWord(label)]),
      ])
      expect([label, request.query]).toEqual([
        label,
        expect.toSatisfy((query) => isAllowed(firstWord(label), query)),
      ])
      expect([label, request.body === null]).toEqual([label, request.method === "GET"])
    }
    for (const [label, { request }] of labelled("create")) {
      const allowed = label !== "create plain"
      expect([label, findDifferences(CREATE_REQUEST, request.body, allowed)]).toEqual([label, []])
    }
    const bitcoin = bodyOf(bodyOf(golden["create bitcoin-to-evm-token"]?.request.body)["source"])
    expect(bitcoin["delegate"]).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys(bodyOf(golden["create plain"]?.request.body))).toEqual([
      "source",
      "destination",
    ])
    const shared = bodyOf(golden["create evm-token-to-bitcoin"]?.request.body)["affiliate_fees"]
    expect(shared).toEqual([
      expect.objectContaining({ fee: 10 }),
      expect.objectContaining({ fee: 20 }),
    ])
    expect(golden["quote evm-token-to-bitcoin"]?.request.query["affiliate_fee"]).toBe("30")
    expect(findDifferences(SIGNATURE_BODY, golden["initiate"]?.request.body, false)).toEqual([])
  })

  test("is parsed by our client to the last unit", async () => {
    const canned = await startCanned()
    try {
      for (const [label, exchange] of Object.entries(golden)) {
        canned.answer(exchange)
        await READERS[firstWord(label)]?.(canned.client, exchange, label)
      }
    } finally {
      await canned.stop()
    }
  })
})

describe("the wire of today", () => {
  let worlds: Worlds
  let stop: () => Promise<void>

  // The first start on a machine may download bitcoind.
  beforeAll(async () => {
    const [bitcoin, evm, solana, starknet] = await Promise.all(
      // The service interface describes the typed data of Starknet's older contracts, whose hash
      // has eight words.
      [bitcoinBench, evmBench, solanaBench, starknetWordsBench].map((bench) => bench.start()),
    )
    const all = [bitcoin, evm, solana, starknet].map((world) => mustExist(world, "a world"))
    const [b, e, s, k] = all as [World, World, World, World] // CAST: four benches, four worlds.
    worlds = {
      "bitcoin p2wpkh": b,
      "bitcoin p2tr": b,
      "evm token": e,
      "evm native": e,
      solana: s,
      "solana token": s,
      starknet: k,
      "starknet words": k,
    }
    const stopBlocks = keepMining(all)
    stop = async () => {
      await stopBlocks()
      await Promise.all(all.map((world) => world.stop()))
    }
  }, 120_000)
  afterAll(() => stop?.())

  test.each(DIALECTS)(
    "has the shape of the recorded one, dialect %s",
    { timeout: 60_000 },
    async (dialect) => {
      const fresh = await recordWire(worlds, dialect)
      if (RECORDING) writeGolden(dialect, fresh)
      const golden = readGolden(dialect)
      for (const [label, exchange] of Object.entries(fresh)) {
        expect([label, shapeOf(exchange)]).toEqual([label, shapeOf(golden[label])])
      }
      expect(Object.keys(fresh).sort()).toEqual(Object.keys(golden).sort())
    },
  )
})

const ERROR_STATUS: Readonly<Record<string, number>> = {
  "error no app id": 401,
  "error wrong app id": 401,
  "error unknown order": 404,
  "error no pair": 400,
  "error out of bounds": 400,
  "error bad amount": 400,
  "error bad body": 400,
  "error no json": 400,
  "error unknown path": 404,
  "error html": 502,
  "error too many": 429,
}

const LABELS: readonly string[] = [
  ...PAIRS.flatMap(({ name }) => [
    `quote ${name}`,
    `create ${name}`,
    ...["created", "initiated", "completed"].map((stage) => `get ${name} ${stage}`),
  ]),
  "quote gasless",
  "create gasless",
  "get gasless",
  "get gasless completed",
  "initiate",
  "quote refund",
  "create plain",
  "get refund",
  "get refunded",
  "quote none",
  "list",
  ...Object.keys(ERROR_STATUS),
]

const ENDPOINTS: Readonly<Record<Word, RegExp>> = {
  quote: /^GET \/v2\/quote$/,
  create: /^POST \/v2\/orders$/,
  get: /^GET \/v2\/orders\/[0-9a-f]{64}$/,
  initiate: /^PATCH \/v2\/orders\/[0-9a-f]{64}$/,
  list: /^GET \/v2\/orders$/,
}

/**
 * Query parameters: required ones first; `?` may be left out. The listing's are the field notes'.
 */
const PARAMETERS: Readonly<Record<Word, Readonly<Record<string, RegExp>>>> = {
  quote: {
    from: /^\w+:\w+$/,
    to: /^\w+:\w+$/,
    from_amount: /^[1-9]\d*$/,
    "affiliate_fee?": /^[1-9]\d*$/,
  },
  create: {},
  get: {},
  initiate: { action: /^initiate$/ },
  list: { from_owner: /./, page: /^1$/, per_page: /^100$/ },
}

function isAllowed(word: Word, query: Readonly<Record<string, string>>): boolean {
  const table = Object.entries(PARAMETERS[word]).map(([name, form]) => ({
    name: name.replace("?", ""),
    optional: name.endsWith("?"),
    form,
  }))
  const known = Object.keys(query).every((name) => table.some((row) => row.name === name))
  return (
    known &&
    table.every(
      ({ name, optional, form }) =>
        form.test(query[name] ?? "") || (optional && query[name] === undefined),
    )
  )
}

function checkOrder(order: unknown, late: boolean, path: string): string[] {
  const assetIn = (leg: string): string => String(bodyOf(bodyOf(order)[leg])["asset"])
  return findDifferences(
    orderTable(assetIn("source_swap"), assetIn("destination_swap")),
    order,
    late,
    path,
  )
}

/** Service interface §3, "Observable progress". */
function progressOf(order: unknown): string {
  const source = bodyOf(bodyOf(order)["source_swap"])
  const destination = bodyOf(bodyOf(order)["destination_swap"])
  expect(source["secret_hash"]).toBe(destination["secret_hash"])
  const known = destination["redeem_tx_hash"] === "" ? "" : expect.stringMatching(/^[0-9a-f]{64}$/)
  expect([source["secret"], destination["secret"]]).toEqual([known, known])
  if (destination["redeem_tx_hash"] !== "") return "complete"
  if (source["refund_tx_hash"] !== "") return "refunded"
  const funded = source["initiate_tx_hash"] !== ""
  expect([source["filled_amount"], source["initiate_timestamp"] === null]).toEqual([
    funded ? source["amount"] : "0",
    !funded,
  ])
  return funded ? "funded" : "waiting"
}

/** Keys and types; lists by their first element, where there is one. */
function shapeOf(value: unknown): unknown {
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== "object") return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
}

function goldenUrl(dialect: Dialect, kind: string): URL {
  return new URL(`../../fixtures/wire/${dialect}-${kind}.json`, import.meta.url)
}

function readGolden(dialect: Dialect): Exchanges {
  if (RECORDING && !existsSync(goldenUrl(dialect, "quote"))) return {}
  const parts = KINDS.map(
    (kind): Exchanges => JSON.parse(readFileSync(goldenUrl(dialect, kind), "utf8")),
  )
  return Object.assign({}, ...parts)
}

function writeGolden(dialect: Dialect, exchanges: Exchanges): void {
  for (const kind of KINDS) {
    const part = Object.entries(exchanges).filter(([label]) => label.split(" ")[0] === kind)
    writeFileSync(
      goldenUrl(dialect, kind),
      `${JSON.stringify(Object.fromEntries(part), null, 2)}\n`,
    )
  }
}

/** A server that gives one recorded answer to every request. */
async function startCanned() {
  const state: { exchange: Exchange | null } = { exchange: null }
  const server = createServer((_request, answer) => {
    const { status, body } = mustExist(state.exchange, "an exchange").response
    const isText = typeof body === "string"
    answer.writeHead(status, { "content-type": isText ? "text/html" : "application/json" })
    answer.end(isText ? body : JSON.stringify(body))
  })
  const baseUrl = (await listen(server)).url
  const client = createServiceClient({
    baseUrl,
    appId: "any",
    appIdHeader: "service-app-id",
    pathPrefix: "/v2",
    timeoutMs: 5_000,
    maxRequestsPerSecond: 10_000,
    orderExtras: true,
    depositReaders: DEPOSIT_READERS,
    clock: {
      now: systemClock.now,
      sleep: (ms, signal) => systemClock.sleep(signal ? ms : 0, signal),
    },
  })
  return {
    client,
    answer: (exchange: Exchange): void => {
      state.exchange = exchange
    },
    stop: () => stopServer(server),
  }
}

/** Makes blocks for the chains that make none alone. */
function keepMining(worlds: readonly World[]): () => Promise<void> {
  const state = { on: true }
  const idle = worlds.filter(({ local }) => local.family !== "solana")
  const mining = idle.map(async ({ local }) => {
    while (state.on) {
      await local.advance(1)
      await systemClock.sleep(150)
    }
  })
  return async () => {
    state.on = false
    await Promise.all(mining)
  }
}
