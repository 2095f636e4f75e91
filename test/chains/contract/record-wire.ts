import { request } from "undici"
import { DEPOSIT_READERS } from "#chains/families.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderRequest, ServicePort } from "#ports/service.ts"
import { type LocalService, startService } from "#sandbox/service/start-service.ts"
import { createServiceClient, type ServiceClientOptions } from "#service/client.ts"
import type { Variant, Wallet, World } from "./bench.ts"
import { approve, asVerified, land, type Scene } from "./scene.ts"
import { type Exchange, type Recorder, startRecorder } from "./wire-recorder.ts"
import type { Dialect } from "./wire-tables.ts"

/**
 * One recorded order per pair. Together they have each family on either side, with both kinds of
 * EVM asset.
 */
export const PAIRS = [
  { name: "bitcoin-to-evm-token", from: "bitcoin p2wpkh", to: "evm token", units: 400_000n },
  { name: "evm-token-to-bitcoin", from: "evm token", to: "bitcoin p2wpkh", units: 50_000n },
  { name: "evm-native-to-solana", from: "evm native", to: "solana", units: 10n ** 16n },
  { name: "solana-to-starknet", from: "solana", to: "starknet", units: 1_000_000_000n },
  { name: "starknet-to-evm-native", from: "starknet", to: "evm native", units: 50_000n },
] as const satisfies readonly { name: string; from: Variant; to: Variant; units: bigint }[]

export type Worlds = Readonly<Record<Variant, World>>

/**
 * Makes every kind of exchange with the sandbox's service on real chains, through our own client,
 * and returns the recorded exchanges.
 */
export async function recordWire(
  worlds: Worlds,
  dialect: Dialect,
): Promise<Readonly<Record<string, Exchange>>> {
  const chains = [...new Set(Object.values(worlds))].map(({ local }) => local)
  const service = await startService({
    chains,
    port: 0,
    prices: PRICES,
    dialect,
    tickMs: 50,
    repeatAfterMs: 2_000,
    log: silentLogger,
  })
  const recorder = await startRecorder(service.url)
  try {
    const stage: Stage = {
      worlds,
      service,
      recorder,
      client: clientOf(recorder),
      wallets: new Map(),
    }
    await recordErrors(stage)
    for (const pair of PAIRS) await recordOrder(stage, pair)
    await recordGasless(stage)
    await recordRefund(stage)
    const { port } = await walletOf(stage, "evm token")
    await recorder.under("list", () => stage.client.findOrders(port.account))
    return recorder.exchanges
  } finally {
    await recorder.stop()
    await service.stop()
  }
}

type Pair = (typeof PAIRS)[number]
type Stage = {
  readonly worlds: Worlds
  readonly service: LocalService
  readonly recorder: Recorder
  readonly client: ServicePort
  readonly wallets: Map<Variant, Wallet>
}

const PRICES = { btc: "100000", wbtc: "100000", eth: "4000", sol: "200", strk: "0.50", usdc: "1" }

function clientOf(recorder: Recorder, more: Partial<ServiceClientOptions> = {}): ServicePort {
  return createServiceClient({
    baseUrl: recorder.url,
    appId: "ballast-sandbox",
    appIdHeader: "service-app-id",
    pathPrefix: "/v2",
    timeoutMs: 10_000,
    maxRequestsPerSecond: 1_000,
    orderExtras: true,
    depositReaders: DEPOSIT_READERS,
    clock: systemClock,
    ...more,
  })
}

async function walletOf({ worlds, wallets }: Stage, variant: Variant): Promise<Wallet> {
  const known = wallets.get(variant)
  if (known) return known
  const opened = await worlds[variant].openWallet(variant)
  wallets.set(variant, opened)
  return opened
}

async function sceneOf(stage: Stage, variant: Variant): Promise<Scene> {
  return { local: stage.worlds[variant].local, wallet: await walletOf(stage, variant), variant }
}

let serial = 0n

async function askFor(
  stage: Stage,
  pair: Pair,
  label: string,
  affiliate: OrderRequest["affiliateFees"],
) {
  const from = await walletOf(stage, pair.from)
  const to = await walletOf(stage, pair.to)
  const affiliateBps = affiliate.reduce((sum, { feeBps }) => sum + feeBps, 0)
  const ask = { from: from.asset, to: to.asset, sourceUnits: pair.units, affiliateBps }
  const [quote] = await stage.recorder.under(`quote ${label}`, () => stage.client.fetchQuotes(ask))
  serial += 1n
  return {
    quote: mustExist(quote, "a quote"),
    sourceOwner: from.port.account,
    destinationOwner: to.port.account,
    sourceExtras: from.port.sourceExtras,
    affiliateFees: affiliate,
    // As new nonces are: 53 bits, sent as a number.
    nonce: (2n ** 52n + serial).toString(),
  }
}

/** From the quote to the redemption, with a read of each stage between. */
async function recordOrder(stage: Stage, pair: Pair): Promise<void> {
  const { recorder, client, service } = stage
  const payee = (await walletOf(stage, "evm token")).port.account
  const fees = pair.name === "evm-token-to-bitcoin" ? affiliateOf(payee) : []
  const asked = await askFor(stage, pair, pair.name, fees)
  const created = await recorder.under(`create ${pair.name}`, () => client.submitOrder(asked))
  const order = await recorder.under(`get ${pair.name} created`, () =>
    client.fetchOrder(created.orderId),
  )
  // The solver waits, so that the stage is the same in every recording.
  service.setFaults({ solverSilent: true })
  const scene = await sceneOf(stage, pair.from)
  const { port } = scene.wallet
  const deposit = asVerified(port.decodeDeposit(created.depositRequest, order, scene.wallet.asset))
  await approve(scene, { deposit })
  await land(scene, { action: "initiate", asset: scene.wallet.asset, deposit })
  await untilShown(
    stage,
    `get ${pair.name} initiated`,
    created.orderId,
    ({ source_swap }) => source_swap.initiate_timestamp,
  )
  service.setFaults([])
  await untilShown(stage, `get ${pair.name} completed`, created.orderId, isComplete)
}

function affiliateOf(address: string): OrderRequest["affiliateFees"] {
  // CAST: asset ids written out.
  const [usdc, cbbtc] = [
    "base_sepolia:usdc",
    "base_sepolia:cbbtc",
  ] as OrderRequest["affiliateFees"][number]["asset"][]
  return [
    { asset: mustExist(usdc, "usdc"), address, feeBps: 10 },
    { asset: mustExist(cbbtc, "cbbtc"), address, feeBps: 20 },
  ]
}

async function recordGasless(stage: Stage): Promise<void> {
  const { recorder, client } = stage
  const [, pair] = PAIRS
  const asked = await askFor(stage, pair, "gasless", [])
  const created = await recorder.under("create gasless", () => client.submitOrder(asked))
  const order = await recorder.under("get gasless", () => client.fetchOrder(created.orderId))
  const scene = await sceneOf(stage, pair.from)
  const { port, asset } = scene.wallet
  const deposit = asVerified(port.decodeDeposit(created.depositRequest, order, asset))
  await approve(scene, { deposit })
  const { signature } = await port.signTypedData(deposit)
  await recorder.under("initiate", () => client.submitSignature(created.orderId, signature))
  await untilShown(stage, "get gasless completed", created.orderId, isComplete)
}

/**
 * Without our additions to the body, and refunded because the solver does nothing. Starknet's lock
 * is the quickest to wait for.
 */
async function recordRefund(stage: Stage): Promise<void> {
  const { recorder, service } = stage
  const pair = PAIRS[4]
  const plain = clientOf(recorder, { orderExtras: false })
  const asked = await askFor(stage, pair, "refund", [])
  const created = await recorder.under("create plain", () => plain.submitOrder(asked))
  service.setFaults({ solverSilent: true, orderId: created.orderId })
  const order = await recorder.under("get refund", () => plain.fetchOrder(created.orderId))
  const scene = await sceneOf(stage, pair.from)
  const deposit = asVerified(
    scene.wallet.port.decodeDeposit(created.depositRequest, order, scene.wallet.asset),
  )
  await land(scene, { action: "initiate", asset: scene.wallet.asset, deposit })
  await scene.local.advance(Number(deposit.timelock) + 2)
  await untilShown(
    stage,
    "get refunded",
    created.orderId,
    ({ source_swap }) => source_swap.refund_timestamp,
  )
}

type WireLeg = Readonly<Record<string, string | null>>
type WireOrder = { readonly source_swap: WireLeg; readonly destination_swap: WireLeg }

/** Waits until the order shows all its fields; before that, its shape depends on the moment. */
function isComplete({ source_swap, destination_swap }: WireOrder): boolean {
  return [source_swap, destination_swap].every(
    (leg) => leg["initiate_timestamp"] !== null && leg["redeem_timestamp"] !== null,
  )
}

async function untilShown(
  { recorder, client }: Stage,
  label: string,
  orderId: string,
  shown: (order: WireOrder) => unknown,
): Promise<ServiceOrder> {
  for (let tries = 0; tries < 400; tries++) {
    const order = await recorder.under(label, () => client.fetchOrder(orderId))
    // CAST: the recorder's own copy of the answer that the client just parsed.
    const { result } = mustExist(recorder.exchanges[label], label).response.body as {
      result: WireOrder
    }
    if (shown(result)) return order
    await systemClock.sleep(50)
  }
  throw new Error(
    `${label} never came; the order is ${JSON.stringify(recorder.exchanges[label]?.response.body)}`,
  )
}

/** Failing requests, most of them written by hand, because our client would not send them. */
async function recordErrors({ recorder, service }: Stage): Promise<void> {
  const appId = { "service-app-id": "ballast-sandbox" }
  const json = { ...appId, "content-type": "application/json" }
  const quote = "/v2/quote?from=base_sepolia:wbtc&to=bitcoin_testnet:btc&from_amount="
  const send = (
    label: string,
    method: "GET" | "POST" | "PATCH",
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) =>
    recorder.under(`error ${label}`, async () => {
      const answer = await request(`${recorder.url}${path}`, {
        method,
        headers,
        body: body ?? null,
      })
      await answer.body.dump()
    })
  await send("no app id", "GET", `/v2/orders/${"ab".repeat(32)}`, {})
  await send("wrong app id", "GET", `/v2/orders/${"ab".repeat(32)}`, { "service-app-id": "nobody" })
  await send("unknown order", "GET", `/v2/orders/${"ab".repeat(32)}`, appId)
  await send(
    "no pair",
    "GET",
    "/v2/quote?from=base_sepolia:wbtc&to=base_sepolia:eth&from_amount=50000",
    appId,
  )
  await send("out of bounds", "GET", `${quote}1`, appId)
  await send("bad amount", "GET", `${quote}-5`, appId)
  await send("bad body", "POST", "/v2/orders", json, "{}")
  await send("no json", "POST", "/v2/orders", json, "hello")
  await send("unknown path", "GET", "/v2/nothing", appId)
  service.setFaults({ html: true, endpoint: "quote" })
  await send("html", "GET", `${quote}50000`, appId)
  service.setFaults({ status: 429, endpoint: "quote" })
  await send("too many", "GET", `${quote}50000`, appId)
  service.setFaults({ emptyQuotes: true })
  await recorder.under("quote none", () =>
    request(`${recorder.url}${quote}50000`, { headers: appId }).then(({ body }) => body.dump()),
  )
  service.setFaults([])
}
