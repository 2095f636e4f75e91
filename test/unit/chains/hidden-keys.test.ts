import { createServer, type Server } from "node:http"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { z } from "zod"
import { createEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import { broadcastEvmTransaction } from "#chains/evm/spend/broadcast.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { broadcast as broadcastSolana } from "#chains/solana/spend/broadcast.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { broadcastStarknetTransaction } from "#chains/starknet/spend/broadcast.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { hideSecrets } from "#nodes/address.ts"
import { postCall } from "#nodes/json-rpc.ts"
import { listen, stopServer } from "../../support/listen.ts"

const KEY = "kQ7-very-secret-key"
let server: Server
let url: string
let reply: (path: string, asked: string) => { readonly status: number; readonly body: string }

beforeEach(async () => {
  server = createServer(async (incoming, response) => {
    const { status, body } = reply(incoming.url ?? "", await text(incoming))
    response.writeHead(status).end(body)
  })
  url = `${(await listen(server)).url}/v2/${KEY}`
})
afterEach(() => stopServer(server))

const shared = { timeoutMs: 2_000, clock: systemClock }
const FAMILIES: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    "bitcoin",
    () => createEndpoint({ url, ...shared, attempts: 1, restMs: 0, genesis: null }).fetchHead(),
  ],
  [
    "evm",
    () =>
      postCall(evmDialect, { address: url, timeoutMs: 2_000, method: "eth_chainId", params: [] }),
  ],
  ["solana", () => createSolanaRpc({ urls: [url], ...shared }).read("getSlot", [], z.int())],
  [
    "starknet",
    async () =>
      createStarknetRpc({ urls: [url], chainId: "SN_MAIN", ...shared }).nodes[0]?.ask(
        "x",
        [],
        z.int(),
      ),
  ],
]

describe.each([
  [
    "a page of a web server",
    (path: string) => ({ status: 404, body: `<pre>Cannot POST ${path}</pre>` }),
  ],
  ["a refusal in text", (path: string) => ({ status: 403, body: `no access to ${path}` })],
  [
    "an error of the node",
    (path: string) => ({
      status: 200,
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32_000, message: `bad ${path}`, data: path },
      }),
    }),
  ],
])("%s that repeats the path", (_name, answer) => {
  test.each(FAMILIES)("does not show the access key in an error of %s", async (_family, read) => {
    reply = answer
    const error = await read().then(
      () => null,
      (failure: unknown) => failure,
    )
    if (!(error instanceof AppError)) throw new Error("no coded error")
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain(KEY)
  })
})

test("hides keys in paths, queries and passwords, and keeps names", () => {
  const text = "user:p%40ss at /testnet4/api with key=0123456789abcdef"
  expect(hideKeys("https://user:p%40ss@x.example/testnet4/api?key=0123456789abcdef", text)).toBe(
    "***:*** at /testnet4/api with key=***",
  )
})

test("hides the values of headers, and short passwords, in the answers of their own peer", () => {
  const address = {
    url: "https://someone:amount@x.example/",
    headers: { "x-token": "hunter22" },
    maxRequestsPerSecond: null,
  }
  expect(hideSecrets(address, "refused: x-token hunter22 of someone, amount")).toBe(
    "refused: x-token *** of ***, ***",
  )
})

// CAST: no broadcast reads the plan.
const PLAN = {} as SignedTransaction["plan"]
const SENT: SignedTransaction = { plan: PLAN, raw: "{}", txid: `0x${"ab".repeat(32)}` }

test.each([
  [
    "evm",
    { code: -32_000, message: "already known" },
    "already",
    "arrived",
    (urls: string[]) =>
      broadcastEvmTransaction(
        {
          rpc: createEvmRpc({ urls, needed: 1, chainId: 1, fastestBlockMs: 1_000, ...shared }),
        },
        SENT,
      ),
  ],
  [
    "solana",
    { code: -32_002, message: "failed", data: { err: "AlreadyProcessed" } },
    "Processed",
    "arrived",
    (urls: string[]) => broadcastSolana(SENT, createSolanaRpc({ urls, ...shared }), "confirmed"),
  ],
  [
    "solana",
    { code: -32_002, message: "This transaction has already been processed" },
    "already",
    "arrived",
    (urls: string[]) => broadcastSolana(SENT, createSolanaRpc({ urls, ...shared }), "confirmed"),
  ],
  [
    "starknet",
    { code: 55, message: "Account validation failed", data: "Invalid transaction nonce" },
    "nonce",
    "uncertain",
    (urls: string[]) =>
      broadcastStarknetTransaction(
        createStarknetRpc({ urls, chainId: "SN_MAIN", ...shared }),
        SENT,
      ),
  ],
])(
  "a %s broadcast is judged by %j, though a word of it is the endpoint's password",
  async (family, error, password, expected, send) => {
    const network = family === "evm" ? "0x1" : `0x${Buffer.from("SN_MAIN").toString("hex")}`
    reply = (_path, asked) => ({
      status: 200,
      body: /chainId/i.test(asked)
        ? JSON.stringify({ jsonrpc: "2.0", id: 1, result: network })
        : JSON.stringify({ jsonrpc: "2.0", id: 1, error }),
    })
    const found = await send([url.replace("//", `//user:${password}@`)]).then(
      () => "arrived",
      (failure: AppError) => failure.disposition,
    )
    expect(found).toBe(expected)
  },
)
