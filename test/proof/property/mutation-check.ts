import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DEPOSIT_READERS } from "#chains/families.ts"
import { demoConfig } from "../../../src/app/cli/demo/demo-config.ts"
import type { Config } from "../../../src/app/config/config.ts"
import { loadConfig } from "../../../src/app/config/load.ts"
import { openChains } from "../../../src/app/daemon/compose.ts"
import { toSettings } from "../../../src/app/daemon/start/settings.ts"
import { chainOf, parseAssetId } from "../../../src/core/domain/asset.ts"
import type { VerifiedDeposit } from "../../../src/core/domain/deposit.ts"
import type { Quote } from "../../../src/core/domain/quote.ts"
import type { Reason } from "../../../src/core/domain/reason.ts"
import { toAppError } from "../../../src/core/lib/app-error.ts"
import { systemClock } from "../../../src/core/lib/clock.ts"
import { createLogger } from "../../../src/core/lib/log.ts"
import { createOrderData } from "../../../src/core/order/data.ts"
import { createServiceClient } from "../../../src/edges/service/client.ts"
import { parseCreatedOrder, parseOrder, type Read } from "../../../src/edges/service/to-domain.ts"
import { parseWireJson } from "../../../src/edges/service/wire-json.ts"
import type { EngineContext } from "../../../src/engine/context.ts"
import { createMemory } from "../../../src/engine/memory.ts"
import { verifyOrder } from "../../../src/engine/orders/deposit/verify-order.ts"
import { startService } from "../../../src/lab/sandbox/service/start-service.ts"
import { type ChainName, startSandbox } from "../../../src/lab/sandbox/start-sandbox.ts"

/** The two answers that a deposit depends on, as received. */
export type Answers = {
  readonly create: Record<string, unknown>
  readonly order: Record<string, unknown>
}

export type Verdict =
  | { readonly ok: true; readonly deposit: VerifiedDeposit }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/**
 * One order of the sandbox: its unchanged answers, and the production code from the received text
 * to the verdict.
 */
export type HonestOrder = {
  readonly from: string
  readonly to: string
  readonly dialect: "contract" | "2026"
  readonly answers: Answers
  readonly verify: (answers: { create: unknown; order: unknown }) => Promise<Verdict>
}

export type MutationCheck = {
  readonly open: (
    from: string,
    to: string,
    dialect: "contract" | "2026",
    units: bigint,
  ) => Promise<HonestOrder>
  readonly stop: () => Promise<void>
}

const CHAINS: readonly ChainName[] = [
  "bitcoin_testnet",
  "base_sepolia",
  "solana_testnet",
  "starknet_sepolia",
]
const PRICES = { btc: "100000", wbtc: "100000", eth: "4000", sol: "200", strk: "0.50", usdc: "1" }

/**
 * Starts real local chains and two services, one for each dialect, and opens chains and settings as
 * the daemon does.
 */
export async function openMutationCheck(): Promise<MutationCheck> {
  const dir = mkdtempSync(join(tmpdir(), "ballast-mutants-"))
  const log = createLogger({ level: "silent", pretty: false, destination: 2 })
  const sandbox = await startSandbox({
    port: 0,
    chains: CHAINS,
    dir,
    dialect: "contract",
    fund: false,
    log,
  })
  if (sandbox.missing.length > 0) throw new Error(JSON.stringify(sandbox.missing))
  const newer = await startService({
    chains: sandbox.chains,
    port: 0,
    prices: PRICES,
    dialect: "2026",
    log,
  })
  const config = writeConfig(dir, {
    service: sandbox.service.url,
    chains: sandbox.chains,
    missing: [],
  })
  const chains = await openChains(config, systemClock)
  const context = { chains, settings: toSettings(config, chains) }
  return {
    open: (from, to, dialect, units) =>
      openHonestOrder({
        from,
        to,
        dialect,
        units,
        url: dialect === "2026" ? newer.url : sandbox.service.url,
        config,
        context,
      }),
    stop: async () => {
      await newer.stop()
      await sandbox.stop()
    },
  }
}

function writeConfig(dir: string, summary: Parameters<typeof demoConfig>[0]): Config {
  const file = join(dir, "ballast.yaml")
  writeFileSync(
    file,
    JSON.stringify(demoConfig(summary, { dataDir: dir, routes: [], deposit: "auto" })),
  )
  return loadConfig(file, { BALLAST_OPS_TOKEN: "x".repeat(16) }).config
}

type HonestOrderOptions = {
  readonly from: string
  readonly to: string
  readonly dialect: "contract" | "2026"
  readonly units: bigint
  readonly url: string
  readonly config: Config
  readonly context: Pick<EngineContext, "chains" | "settings">
}

async function openHonestOrder(options: HonestOrderOptions): Promise<HonestOrder> {
  const { url, config, context, dialect } = options
  const from = parseAssetId(options.from)
  const to = parseAssetId(options.to)
  const source = context.chains.get(chainOf(from))
  const destination = context.chains.get(chainOf(to))
  if (!source || !destination) throw new Error("no such chain")
  const client = createServiceClient({
    ...config.service,
    baseUrl: url,
    depositReaders: DEPOSIT_READERS,
    clock: systemClock,
  })
  const [quote] = await client.fetchQuotes({
    from,
    to,
    sourceUnits: options.units,
    affiliateBps: 0,
  })
  if (!quote) throw new Error("no quote")
  const headers = { "service-app-id": "ballast-sandbox", "content-type": "application/json" }
  const body = JSON.stringify({
    source: {
      asset: from,
      owner: source.account,
      amount: quote.sourceUnits.toString(),
      ...source.sourceExtras,
    },
    destination: {
      asset: to,
      owner: destination.account,
      amount: quote.destinationUnits.toString(),
    },
  })
  const create = await resultOf(fetch(`${url}/v2/orders`, { method: "POST", headers, body }))
  const order = await resultOf(fetch(`${url}/v2/orders/${String(create["order_id"])}`, { headers }))
  const owners = { sourceOwner: source.account, destinationOwner: destination.account }
  return {
    from,
    to,
    dialect,
    answers: { create, order },
    verify: (answers) => verify(context, quote, owners, answers),
  }
}

async function resultOf(answer: Promise<Response>): Promise<Record<string, unknown>> {
  const { status, result } = (await (await answer).json()) as {
    status: string
    result: Record<string, unknown>
  }
  if (status !== "Ok") throw new Error(`the sandbox answered ${status}`)
  return result
}

/**
 * Runs the received text through the client's parser, the family's decoder and the engine's own
 * verification.
 */
async function verify(
  { chains, settings }: Pick<EngineContext, "chains" | "settings">,
  quote: Quote,
  owners: { sourceOwner: string; destinationOwner: string },
  answers: { create: unknown; order: unknown },
): Promise<Verdict> {
  const { from, to, sourceUnits, destinationUnits } = quote
  const created = read((answer) => parseCreatedOrder(answer, DEPOSIT_READERS), answers.create)
  const order = read(parseOrder, answers.order)
  if (!created.ok) return malformed("create", created.why)
  if (!order.ok) return malformed("order", order.why)
  const steadyChains = new Map(
    [...chains].map(([id, port]) => [id, { ...port, fetchHeight: async () => 100n }] as const),
  )
  const data = createOrderData({
    id: "mutant",
    rule: "manual",
    occurrence: null,
    request: { from, to, sourceUnits, ...owners },
    policy: settings.policyFor(from, to),
    createdAt: Date.now(),
    nonce: "1",
  })
  const context = {
    chains: steadyChains,
    settings,
    services: new Map([["main", { fetchOrder: async () => order.value }]]),
    journal: { isSecretHashKnown: () => false },
    memory: createMemory(),
  } as unknown as EngineContext
  try {
    const { event } = await verifyOrder({
      context,
      data: {
        ...data,
        service: "main",
        quote,
        created: created.value,
        terms: { from, to, sourceUnits, destinationUnits, ...owners },
      },
      repeated: false,
      begin: () => Promise.resolve(),
      nowMs: Date.now(),
    })
    if (event.type === "deposit.verified") return { ok: true, deposit: event.deposit }
    return { ok: false, reasons: event.type === "order.declined" ? event.reasons : [] }
  } catch (error) {
    // A crash of a decoder is not a coded refusal, so it fails the test.
    throw toAppError(error, { code: "test.crash", disposition: "bug" })
  }
}

function read<T>(parse: (value: unknown) => Read<T>, value: unknown): Read<T> {
  return parse(parseWireJson(JSON.stringify(value)))
}

function malformed(what: string, why: string): Verdict {
  return { ok: false, reasons: [{ code: "service.malformed", message: `${what}: ${why}` }] }
}
