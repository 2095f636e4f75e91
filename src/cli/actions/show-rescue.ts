import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { RefundRecipe } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { formatUnits } from "#domain/amount.ts"
import { chainOf } from "#domain/asset.ts"
import { present } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderData, SeenOnChain } from "#order/data.ts"
import { STATES } from "#order/states.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import type { CommandContext } from "../define-command.ts"
import { findOrderId } from "../find-order-id.ts"
import { openExistingJournal } from "../open-journal.ts"
import { openTreasury } from "../open-treasury.ts"

/**
 * Shows the data that a person needs to recover one order's money without Ballast: the place of the money, the terms of the HTLC, the
 * signed transactions, and the exact refund. It reads only the journal; it needs neither the daemon, nor a node, nor the service, nor a key.
 */
export async function showRescue(context: CommandContext, id: string, asked: string | null): Promise<number> {
  const { dataDir, config } = openTreasury(context, asked)
  const order = readOrder(dataDir, id)
  const rescue = await describeRescue(order, config ?? NO_CONFIG)
  context.print(context.json ? plainJson(rescue, 2) : formatRescue(rescue))
  return EXIT.ok
}

/** Without a configuration the journal alone tells the terms, in smallest units. */
const NO_CONFIG: Known = { chains: [], assets: [], services: [] }

/** The parts of a configuration that the answer uses. */
type Known = Pick<Config, "chains" | "assets"> & { readonly services: readonly Config["service"][] }

function readOrder(dataDir: string, id: string): Order {
  const journal = openExistingJournal({ dataDir })
  try {
    return decodeOrder(present(journal.findOrder(findOrderId(journal, id)), "the order of a found id").snapshot)
  } finally {
    journal.close()
  }
}

type Rescue = {
  readonly order: string
  readonly state: string
  readonly money: string
  readonly service: { readonly url: string; readonly orderId: string | null }
  readonly source: Readonly<Record<string, unknown>>
  readonly destination: Readonly<Record<string, unknown>>
  readonly refund: RefundRecipe | null
  readonly transactions: readonly Readonly<Record<string, unknown>>[]
  readonly gasless: OrderData["gasless"]
}

/** The address of the order's service, or its name where the configuration no longer has it. */
function serviceOf({ service }: OrderData, config: Known): string {
  if (service == null) return config.services[0]?.url ?? "unknown"
  return config.services.find(({ name }) => name === service)?.url ?? `${service} (not configured any more)`
}

async function describeRescue({ state, data }: Order, config: Known): Promise<Rescue> {
  const { request, deposit } = data
  const chain = config.chains.find((candidate) => candidate.chain === chainOf(request.from))
  return {
    order: data.id,
    state,
    money: STATES[state].money,
    service: { url: serviceOf(data, config), orderId: data.created?.orderId ?? null },
    source: describeSource(data, config, chain),
    destination: describeDestination(data, config),
    refund: deposit === null || !chain ? null : await familyOf(chain).describeRefund(deposit, chain, swapIdOf(data)),
    transactions: Object.entries(data.transactions).flatMap(([purpose, { signed, sentAt, mined }]) =>
      signed.map(({ plan, txid, raw }) => ({
        purpose,
        attempt: plan.attempt,
        tx: txid,
        sent: sentAt !== null,
        minedAtHeight: mined?.txid === txid ? mined.height : null,
        uses: plan.resources,
        raw,
      })),
    ),
    gasless: data.gasless,
  }
}

function describeSource(data: OrderData, config: Known, chain: ChainConfig | undefined): Rescue["source"] {
  const { request, deposit } = data
  const asset = config.assets.find(({ id }) => id === request.from)
  return {
    chain: chainOf(request.from),
    family: chain?.family ?? deposit?.family ?? null,
    asset: request.from,
    token: asset?.token ?? null,
    amount: asset ? formatUnits(request.sourceUnits, asset.decimals) : null,
    amountUnits: request.sourceUnits,
    ourAddress: request.sourceOwner,
    ...describeHtlc(deposit),
    ...describeSourceChain(data),
  }
}

function swapIdOf({ serviceOrder }: Pick<OrderData, "serviceOrder">): string | null {
  return serviceOrder?.source.swapId ?? null
}

function describeHtlc(deposit: OrderData["deposit"]): Rescue["source"] {
  return {
    htlc: deposit?.htlc ?? null,
    secretHash: deposit?.secretHash ?? null,
    redeemer: deposit?.redeemer ?? null,
    refundTo: deposit?.refundTo ?? null,
    timelock: deposit?.timelock ?? null,
  }
}

function describeSourceChain({ seen, serviceOrder }: OrderData): Rescue["source"] {
  return {
    serviceSwapId: swapIdOf({ serviceOrder }),
    initiateTx: txOf(seen.sourceInitiated),
    initiateHeight: seen.sourceInitiated?.height ?? null,
    refundableAtHeight: seen.refundableAtHeight,
    lastSeenHeight: seen.sourceHeight,
    redeemTx: txOf(seen.sourceRedeemed),
    refundTx: txOf(seen.sourceRefunded),
  }
}

function describeDestination({ request, terms, serviceOrder, seen }: OrderData, config: Known): Rescue["destination"] {
  const decimals = config.assets.find(({ id }) => id === request.to)?.decimals
  const units = terms?.destinationUnits ?? null
  return {
    chain: chainOf(request.to),
    asset: request.to,
    amount: units === null || decimals === undefined ? null : formatUnits(units, decimals),
    amountUnits: units,
    ourAddress: request.destinationOwner,
    serviceSwapId: serviceOrder?.destination.swapId ?? null,
    initiator: serviceOrder?.destination.initiator ?? null,
    timelock: serviceOrder?.destination.timelock ?? null,
    initiateTx: txOf(seen.destinationInitiated),
    redeemTx: txOf(seen.destinationRedeemed),
    reportedRedeemTx: serviceOrder?.destination.redeemTx ?? null,
  }
}

function txOf(seen: SeenOnChain | null): string | null {
  return seen?.txid ?? null
}

function formatRescue(rescue: Rescue): string {
  const { refund, transactions, gasless, service, source } = rescue
  const isVerified = source["htlc"] !== null
  return [
    `Order ${rescue.order} is ${rescue.state}: ${rescue.money}`,
    `Service ${service.url}, its order ${service.orderId ?? "none"}`,
    "",
    "Source: the deposit, sent or planned",
    ...formatFields(rescue.source),
    "",
    "Destination: the expected payout",
    ...formatFields(rescue.destination),
    "",
    refund !== null
      ? "Refund without Ballast"
      : isVerified
        ? "The configuration of the source chain is missing, so the refund cannot be printed; the terms above are those of the HTLC."
        : "Ballast verified no deposit, so it signed nothing and there is nothing to refund.",
    ...(refund === null ? [] : formatFields(refund)),
    "",
    transactions.length === 0 ? "No transaction was signed." : "Signed transactions, oldest first",
    ...transactions.flatMap((transaction) => [...formatFields(transaction), ""]),
    ...(gasless === null ? [] : ["Gasless signature handed to the service", ...formatFields(gasless)]),
  ].join("\n")
}

function formatFields(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (item, index) =>
        `  ${(index === 0 ? name : "").padEnd(20)} ${typeof item === "object" && item !== null ? plainJson(item) : (item ?? "-")}`,
    ),
  )
}
