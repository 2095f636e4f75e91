import { setTimeout as sleep } from "node:timers/promises"
import { request } from "undici"
import { silentLogger } from "#lib/log.ts"
import {
  type LocalService,
  type ServiceOptions,
  startService,
} from "#sandbox/service/start-service.ts"
import { createMemoryChain, type MemoryChain } from "./memory-chain.ts"

/** A service on chains in memory and a plain HTTP client for it, for the tests of this folder. */
export async function startHarness(options: Partial<ServiceOptions> = {}): Promise<Harness> {
  const bitcoin = createMemoryChain({ name: "bitcoin_testnet", family: "bitcoin" })
  const evm = createMemoryChain({
    name: "base_sepolia",
    family: "evm",
    symbols: ["wbtc", "usdc", "eth"],
  })
  const solana = createMemoryChain({ name: "solana_testnet", family: "solana", symbols: ["sol"] })
  const starknet = createMemoryChain({
    name: "starknet_sepolia",
    family: "starknet",
    symbols: ["wbtc"],
  })
  const chains = options.chains ?? [bitcoin, evm, solana, starknet]
  const service = await startService({
    port: 0,
    prices: { btc: "60000", wbtc: "60000", usdc: "1", eth: "2500.5", sol: "150.25" },
    tickMs: 5,
    repeatAfterMs: 40,
    log: silentLogger,
    ...options,
    chains,
  })
  const call: Harness["call"] = async (method, path, input = {}) => {
    const appId = input.appId === undefined ? "ballast-sandbox" : input.appId
    const answer = await request(`${service.url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(appId === null ? {} : { "service-app-id": appId }),
      },
      ...(input.body === undefined
        ? {}
        : { body: typeof input.body === "string" ? input.body : JSON.stringify(input.body) }),
      headersTimeout: input.timeoutMs ?? 5_000,
    })
    const text = await answer.body.text()
    const isJson = String(answer.headers["content-type"]).startsWith("application/json")
    return { status: answer.statusCode, text, json: isJson ? JSON.parse(text) : null }
  }
  const createOrder: Harness["createOrder"] = async (extra = {}) => {
    const answer = await call("POST", "/v2/orders", { body: { ...BITCOIN_TO_EVM, ...extra } })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.json.result.order_id
  }
  const fetchOrder: Harness["fetchOrder"] = async (id) =>
    (await call("GET", `/v2/orders/${id}`)).json.result
  return { service, bitcoin, evm, solana, starknet, call, createOrder, fetchOrder }
}

/**
 * The destination amount follows from the default prices and fees: 600 usd − 30 bps − 0.10 usd, in
 * wbtc.
 */
export const BITCOIN_TO_EVM = {
  source: { asset: "bitcoin_testnet:btc", owner: "bitcoin_testnet user", amount: "1000000" },
  destination: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "996833" },
}

/** Polls until `check` gives a truthy value, and resolves with it. Fails after `timeoutMs`. */
export async function until<T>(
  check: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  timeoutMs = 3_000,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() > end) throw new Error(`the condition was not met within ${timeoutMs} ms`)
    await sleep(5)
  }
}

/** Makes one method of a chain slow, so that requests overlap. */
export function slowDown(chain: MemoryChain, method: "describeSource" | "fund"): void {
  const quick: (...input: never[]) => Promise<unknown> = chain[method]
  const slow = async (...input: never[]): Promise<unknown> => {
    await sleep(30)
    return quick(...input)
  }
  Object.assign(chain, { [method]: slow })
}

export type Harness = {
  readonly service: LocalService
  readonly bitcoin: MemoryChain
  readonly evm: MemoryChain
  readonly solana: MemoryChain
  readonly starknet: MemoryChain
  /** `appId: null` sends no app id header. */
  call(
    method: "GET" | "POST" | "PATCH",
    path: string,
    input?: { body?: unknown; appId?: string | null; timeoutMs?: number },
  ): Promise<Answer>
  /**
   * Creates an order and resolves with its id. The default is Bitcoin to EVM; `extra` replaces
   * fields of the body.
   */
  createOrder(extra?: Record<string, unknown>): Promise<string>
  fetchOrder(id: string): Promise<Json>
}

export type Answer = { readonly status: number; readonly text: string; readonly json: Json }

/** The untyped result of JSON.parse, so that tests can read every field. */
export type Json = ReturnType<typeof JSON.parse>
