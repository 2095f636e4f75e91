import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { stopServer } from "./listen.ts"

/** A proxy before the sandbox that spoils calls of orders. */
export type SpoilingProxy = {
  /** The address of a service with this fault, of `FRESH_CALL_FAULTS`. */
  readonly serviceOf: (at: string) => string
  /** The address of a chain with this fault, of `FRESH_METHOD_FAULTS`; or with none. */
  readonly chainOf: (at: string, url: string) => string
  /** Whether the fault of this place has reached the daemon. */
  readonly hasSpoiled: (at: string) => boolean
  readonly stop: () => Promise<void>
}

/** `pairs`: the only pair that the service with a fault quotes. */
export async function startSpoilingProxy(
  service: string,
  pairs: Readonly<Record<string, readonly [string, string]>>,
): Promise<SpoilingProxy> {
  const chains = new Map<string, string>()
  const spoiled = new Set<string>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, at = "", ...rest] = request.url?.split("/") ?? []
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const note = (): void => void spoiled.add(at)
    const call: ProxyCall = { at, path: `/${rest.join("/")}`, text, request, note }
    const chain = chains.get(at)
    const said =
      chain === undefined
        ? await askService(service, pairs[at] ?? ["", ""], call)
        : await askChain(chain, call)
    if (said === null) return
    const headers = { "content-type": said.type ?? "application/json" }
    response.writeHead(said.status, headers).end(said.body)
  }
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
  // CAST: a server on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  // A limit of requests counts for a host: each name has its own.
  const urls = new Map<string, string>()
  const urlOf = (at: string): string => {
    const url = urls.get(at) ?? `http://127.0.1.${urls.size + 1}:${port}/${at}`
    urls.set(at, url)
    return url
  }
  return {
    serviceOf: urlOf,
    chainOf: (at, chain) => {
      chains.set(at, chain)
      return urlOf(at)
    },
    hasSpoiled: (at) => spoiled.has(at),
    stop: () => stopServer(server),
  }
}

type ProxyCall = {
  readonly at: string
  readonly path: string
  readonly text: string
  readonly request: IncomingMessage
  /** The fault of the call's place is in this answer. */
  readonly note: () => void
}
type Said = { readonly status: number; readonly body: string; readonly type?: string }

async function forward(base: string, { path, text, request }: ProxyCall): Promise<Said> {
  const { host: _host, connection: _connection, ...headers } = request.headers
  delete headers["content-length"]
  delete headers["transfer-encoding"]
  const answer = await fetch(`${base.replace(/\/$/, "")}${path}`, {
    method: request.method ?? "GET",
    // CAST: the headers of a request of our own daemon, each once.
    headers: headers as Record<string, string>,
    ...(text === "" ? {} : { body: text }),
  })
  return { status: answer.status, body: await answer.text() }
}

const PAGE = "<!DOCTYPE html><html><head><title>Sorry</title></head></html>"
const QUOTES: Readonly<Record<string, Said | null>> = {
  quote_status: { status: 500, body: '{"status":"Error","error":"internal error"}' },
  quote_page: { status: 200, body: PAGE, type: "text/html" },
  quote_mute: null,
  quote_limit: { status: 429, body: '{"status":"Error","error":"too many requests"}' },
  quote_words: { status: 200, body: '{"status":"Error","error":"trading is halted"}' },
  quote_unlisted: { status: 400, body: '{"status":"Error","error":"asset not supported"}' },
  quote_login: { status: 401, body: '{"status":"Error","error":"not allowed to quote"}' },
  quote_resultless: { status: 200, body: '{"status":"Ok"}' },
  quote_none: { status: 200, body: '{"status":"Ok","result":[]}' },
  quote_min: {
    status: 400,
    body: '{"status":"Error","error":"amount too small, minimum 0.01"}',
  },
}
const CREATES: Readonly<Record<string, Said | null>> = {
  create_stale: { status: 400, body: '{"status":"Error","error":"quote expired"}' },
  create_null: { status: 200, body: '{"status":"Ok","result":null}' },
  create_mute: null,
  create_conflict: { status: 409, body: '{"status":"Error","error":"duplicate nonce"}' },
  create_blocked: { status: 403, body: '{"status":"Error","error":"address is not eligible"}' },
  create_limit: { status: 429, body: '{"status":"Error","error":"too many new orders"}' },
  create_refused: {
    status: 400,
    body: '{"status":"Error","error":"amount below minimum 50000"}',
  },
  create_dry: {
    status: 422,
    body: '{"status":"Error","error":"insufficient solver liquidity"}',
  },
  create_redirect: { status: 302, body: "" },
  create_busy: { status: 503, body: '{"status":"Error","error":"maintenance of orders"}' },
  create_status: { status: 500, body: '{"status":"Error","error":"internal error"}' },
  create_login: { status: 401, body: '{"status":"Error","error":"unauthorized"}' },
}

async function askService(
  service: string,
  [from, to]: readonly [string, string],
  call: ProxyCall,
): Promise<Said | null> {
  const { at, path, request } = call
  if (/^\/v2\/quote/.test(path)) {
    const isOwn = path.includes(encodeURIComponent(from)) || path.includes(`from=${from}`)
    const isOwnTo = path.includes(`to=${encodeURIComponent(to)}`) || path.includes(`to=${to}`)
    if (!isOwn || !isOwnTo) return { status: 200, body: '{"status":"Ok","result":[]}' }
    const quoted = QUOTES[at]
    if (quoted !== undefined) return noted(call, quoted)
    const said = await forward(service, call)
    if (at === "quote_late") await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    if (at === "quote_late") call.note()
    return noted(call, said, spoilQuote(at, said.body))
  }
  if (request.method === "POST" && CREATES[at] !== undefined) return noted(call, CREATES[at])
  const said = await forward(service, call)
  if (request.method === "POST" && at === "create_unready")
    return noted(call, said, withoutTransactions(said.body))
  if (request.method === "POST" && at === "create_contract")
    return { ...said, body: said.body.replaceAll(/"0x43302c99\w{32}"/gi, `"0x${"66".repeat(20)}"`) }
  const isRead = request.method === "GET" && /^\/v2\/orders\/./.test(path)
  if (isRead && at === "order_page") return { status: 200, body: PAGE, type: "text/html" }
  if (isRead && SPOILED_ORDERS.test(at)) return noted(call, said, spoilOrder(at, said.body))
  if (isRead && at === "order_list") {
    call.note()
    return { status: 200, body: '{"status":"Ok","result":[]}' }
  }
  if (isRead && at === "order_lost")
    return { status: 404, body: '{"status":"Error","error":"order not found"}' }
  const isDeposited = /"initiate_tx_hash":"[^"]+"/.test(said.body)
  const isLookup = isRead && isDeposited
  if (isLookup && at === "order_gone")
    return { status: 404, body: '{"status":"Error","error":"order not found"}' }
  if (isLookup && at === "order_status")
    return { status: 500, body: '{"status":"Error","error":"internal error"}' }
  return said
}

const LATE_MS = 7_000
const SPOILED_ORDERS =
  /^(create_(double|refund|payee|hash|lock|amount|expired|unready|token)|order_other)$/

/** Remembers that the answer is not the one of the sandbox. */
function noted(call: ProxyCall, said: Said | null, body = said?.body): Said | null {
  const isChanged = said === null || body !== said.body
  if (isChanged || QUOTES[call.at] === said || CREATES[call.at] === said) call.note()
  return said === null || body === undefined ? said : { ...said, body }
}

/** The answer to a new order names no transaction and no typed data. */
function withoutTransactions(body: string): string {
  const answer = JSON.parse(body)
  for (const key of Object.keys(answer.result ?? {}))
    if (/transaction|typed_data|versioned_tx/.test(key)) answer.result[key] = null
  return JSON.stringify(answer)
}

const OTHER_TOKEN = "base_sepolia:cbbtc"

function spoilOrder(at: string, body: string): string {
  const order = JSON.parse(body)
  const swap = order.result?.source_swap
  if (swap !== undefined && at === "create_double") swap.amount = String(BigInt(swap.amount) * 2n)
  if (swap !== undefined && at === "create_refund") swap.initiator = `0x${"77".repeat(20)}`
  const payout = order.result?.destination_swap
  if (swap !== undefined && at === "create_token") swap.asset = OTHER_TOKEN
  if (order.result && at === "order_other") order.result.order_id = "77".repeat(32)
  if (payout !== undefined && at === "create_payee") payout.redeemer = `0x${"77".repeat(20)}`
  if (payout !== undefined && at === "create_hash") payout.secret_hash = "77".repeat(32)
  if (swap !== undefined && at === "create_lock") swap.timelock = 1
  if (swap !== undefined && at === "create_unready") swap.swap_id = ""
  if (payout !== undefined && at === "create_amount")
    payout.amount = String((BigInt(payout.amount) * 95n) / 100n)
  if (order.result && at === "create_expired")
    order.result.deadline = Math.floor(Date.now() / 1_000) - 60
  return JSON.stringify(order)
}

function spoilQuote(at: string, body: string): string {
  const amount = /("destination":\{"asset":"[^"]+","amount":)"(\d+)"/g
  const sold = /("source":\{"asset":"[^"]+","amount":)"(\d+)"/g
  if (at === "quote_more")
    return body.replaceAll(sold, (_all, head, units) => `${head}"${BigInt(units) * 2n}"`)
  if (at === "quote_less")
    return body.replaceAll(sold, (_all, head, units) => `${head}"${BigInt(units) / 2n}"`)
  if (at === "quote_fraction") return body.replaceAll(amount, '$1"$2.5"')
  if (at === "quote_zero") return body.replaceAll(amount, '$1"0"')
  if (at === "quote_half") return halveQuotes(body)
  if (at === "quote_other")
    return body.replaceAll(/("destination":\{"asset":")[^"]+/g, "$1bitcoin_testnet:btc")
  if (at === "quote_null") return body.replaceAll(/"amount":"\d+"/g, '"amount":null')
  return at === "quote_high" ? body.replaceAll(amount, '$1"$20"') : body
}

/** The amount and its value, as the service says it. */
function halveQuotes(body: string): string {
  const answer = JSON.parse(body)
  for (const { destination } of answer.result ?? []) {
    destination.amount = String(BigInt(destination.amount) / 2n)
    destination.value = String(Number(destination.value) / 2)
  }
  return JSON.stringify(answer)
}

const REVERT = "execution reverted: Blacklistable: account is blacklisted"
const word = Buffer.from("Blacklistable: account is blacklisted").toString("hex").padEnd(128, "0")
const REVERT_DATA = `0x08c379a0${"20".padStart(64, "0")}${"25".padStart(64, "0")}${word}`

/** The error of a spoiled method. */
const METHODS: Readonly<Record<string, readonly [RegExp, object | null]>> = {
  frozen_base_sepolia: [/^eth_estimateGas$/, { code: 3, message: REVERT, data: REVERT_DATA }],
  nonce_ethereum_sepolia: [
    /^eth_getTransactionCount$/,
    { code: -32_601, message: "method is disabled" },
  ],
  blockhash_solana_testnet: [
    /^(sendTransaction|simulateTransaction)$/,
    { code: -32_002, message: "Transaction simulation failed: Blockhash not found" },
  ],
  estimate_starknet_sepolia: [
    /^starknet_(estimateFee|simulateTransactions)$/,
    { code: -32_603, message: "unexpected error" },
  ],
  receipt_base_sepolia: [/^eth_getTransactionReceipt$/, null],
  feehistory_ethereum_sepolia: [
    /^eth_(feeHistory|gasPrice|maxPriorityFeePerGas)$/,
    { code: -32_601, message: "the method does not exist" },
  ],
  latest_solana_testnet: [
    /^getLatestBlockhash$/,
    { code: -32_005, message: "Node is behind by 200 slots" },
  ],
  nonce_starknet_sepolia: [/^starknet_getNonce$/, { code: -32_603, message: "Internal error" }],
}

const SIGNATURE = "Account validation failed"
const RENT = "Transaction results in an account (1) with insufficient funds for rent"
const FROZEN = "Error processing Instruction 1: custom program error: 0x11"
const ICY = "Error: Account is frozen"
const PROGRAM = "Error processing Instruction 1: custom program error: 0x1"
const SPOILED: Readonly<Record<string, readonly [RegExp, object | null]>> = {
  ...METHODS,
  underpriced_ethereum_sepolia: [
    /^eth_sendRawTransaction$/,
    { code: -32_000, message: "replacement transaction underpriced" },
  ],
  funds_base_sepolia: [
    /^eth_(sendRawTransaction|estimateGas)$/,
    { code: -32_000, message: "insufficient funds for gas * price + value" },
  ],
  custom_solana_testnet: [
    /^(sendTransaction|simulateTransaction)$/,
    { code: -32_002, message: `Transaction simulation failed: ${PROGRAM}` },
  ],
  oldnonce_starknet_sepolia: [/^starknet_add/, { code: 52, message: "Invalid transaction nonce" }],
  validate_starknet_sepolia: [
    /^starknet_add/,
    { code: 55, message: SIGNATURE, data: "invalid signature" },
  ],
  rent_solana_testnet: [
    /^(sendTransaction|simulateTransaction)$/,
    { code: -32_002, message: `Transaction simulation failed: ${RENT}` },
  ],
  basefee_base_sepolia: [
    /^eth_sendRawTransaction$/,
    { code: -32_000, message: "max fee per gas less than block base fee" },
  ],
  receipt_starknet_sepolia: [
    /^starknet_getTransaction(Receipt|Status|ByHash)$/,
    { code: 29, message: "Transaction hash not found" },
  ],
  type_ethereum_sepolia: [
    /^eth_sendRawTransaction$/,
    { code: -32_000, message: "transaction type not supported" },
  ],
  tier_solana_testnet: [
    /^sendTransaction$/,
    { code: -32_601, message: "sendTransaction is not available on the free tier" },
  ],
  poor_starknet_sepolia: [
    /^starknet_add/,
    { code: 54, message: "Account balance is smaller than the transaction's maximal fee" },
  ],
  known_base_sepolia: [/^eth_sendRawTransaction$/, { code: -32_000, message: "already known" }],
  signer_ethereum_sepolia: [
    /^eth_sendRawTransaction$/,
    { code: -32_000, message: "invalid chain id for signer: have 1 want 11155111" },
  ],
  icy_solana_testnet: [
    /^(sendTransaction|simulateTransaction)$/,
    {
      code: -32_002,
      message: `Transaction simulation failed: ${FROZEN}`,
      data: { err: { InstructionError: [1, { Custom: 17 }] }, logs: [`Program log: ${ICY}`] },
    },
  ],
  policy_ethereum_sepolia: [
    /^eth_sendRawTransaction$/,
    { code: -32_000, message: "sender is blocked by policy" },
  ],
  gas_starknet_sepolia: [
    /^starknet_add/,
    { code: 53, message: "The transaction's resources don't cover validation" },
  ],
  callslow_ethereum_sepolia: [
    /^eth_call$/,
    { code: -32_000, message: "execution aborted (timeout = 5s)" },
  ],
  logs_base_sepolia: [
    /^eth_getLogs$/,
    { code: -32_005, message: "query returned more than 10000 results" },
  ],
  history_solana_testnet: [
    /^get(SignaturesForAddress|Transaction)$/,
    { code: -32_011, message: "Transaction history is not available from this node" },
  ],
  events_starknet_sepolia: [
    /^starknet_getEvents$/,
    { code: -32_603, message: "Cannot find events" },
  ],
  code_ethereum_sepolia: [
    /^eth_getCode$/,
    { code: -32_000, message: "execution aborted (timeout = 5s)" },
  ],
}

/** The answers of Bitcoin Core to a broadcast. */
const BROADCASTS: Readonly<Record<string, string>> = {
  conflict_bitcoin_testnet: '{"code":-26,"message":"txn-mempool-conflict"}',
  dust_bitcoin_testnet: '{"code":-26,"message":"dust"}',
  spent_bitcoin_testnet: '{"code":-25,"message":"bad-txns-inputs-missingorspent"}',
  relay_bitcoin_testnet: '{"code":-26,"message":"min relay fee not met, 100 < 200"}',
  ancestors_bitcoin_testnet:
    '{"code":-26,"message":"too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]"}',
}

type Rpc = { readonly id: number; readonly method: string }

async function askChain(chain: string, call: ProxyCall): Promise<Said | null> {
  const { at, path, text, request } = call
  if (at === "sendmute_base_sepolia" && text.includes("eth_sendRawTransaction")) return null
  if (at === "estmute_base_sepolia" && text.includes("eth_estimateGas")) return null
  if (at === "nobroadcast_bitcoin_testnet" && request.method === "POST")
    return { status: 404, body: "Not Found" }
  const refusal = request.method === "POST" ? BROADCASTS[at] : undefined
  if (refusal !== undefined) call.note()
  if (refusal !== undefined)
    return { status: 400, body: `sendrawtransaction RPC error: ${refusal}` }
  if (at === "outspend_bitcoin_testnet" && path.includes("/outspend")) {
    call.note()
    return { status: 500, body: "Internal Server Error" }
  }
  if (at === "utxo_bitcoin_testnet" && /^\/(address|scripthash)/.test(path))
    return { status: 500, body: "Internal Server Error" }
  const [pattern, error] = SPOILED[at] ?? [null, null]
  if (pattern === null || text === "") return forward(chain, call)
  // CAST: requests of JSON-RPC, from our own daemon.
  const asked = JSON.parse(text) as Rpc | Rpc[]
  const calls = Array.isArray(asked) ? asked : [asked]
  const answers = await Promise.all(
    calls.map(async (one) => {
      const spoiled = error === null ? { result: null } : { error }
      if (pattern.test(one.method)) call.note()
      if (pattern.test(one.method)) return { jsonrpc: "2.0", id: one.id, ...spoiled }
      const said = await forward(chain, { ...call, text: JSON.stringify(one) })
      return JSON.parse(said.body)
    }),
  )
  return { status: 200, body: JSON.stringify(Array.isArray(asked) ? answers : answers[0]) }
}
