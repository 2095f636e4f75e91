import { chainOf } from "#domain/asset.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import {
  createOrderData,
  type OrderData,
  type TransactionPurpose,
  type TransactionTrack,
} from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { ServicePort } from "#ports/service.ts"
import { never } from "./faults.ts"
import { SAMPLE } from "./order-sample.ts"

/** An HTLC of which a node at this height shows nothing. */
export function emptyLeg(height: bigint): LegObservation {
  return {
    height,
    agreed: true,
    initiated: null,
    redeemed: null,
    refunded: null,
    refundableAt: null,
  }
}

/** The sample order with a verified deposit, and with these signed transactions. */
export function sampleData(
  signed: Partial<Record<TransactionPurpose, readonly SignedTransaction[]>> = {},
  over: Partial<OrderData> = {},
): OrderData {
  const fresh = createOrderData(SAMPLE.input)
  const tracks = Object.entries(signed).map(([purpose, transactions]) => {
    const track: TransactionTrack = { plan: null, signed: transactions, sentAt: 0, mined: null }
    return [purpose, track]
  })
  return {
    ...fresh,
    service: "main",
    deposit: SAMPLE.deposit,
    serviceOrder: SAMPLE.order,
    created: SAMPLE.created,
    terms: SAMPLE.terms,
    sendUntilMs: 1_000,
    transactions: { ...fresh.transactions, ...Object.fromEntries(tracks) },
    ...over,
  }
}

/** The contract of the sample's source, where the port can identify it. */
export const PINNED = { code: "0xcode" }

/**
 * A piece of work of an order between the sample's chains. The ports have only the given methods.
 */
export function sampleJob(
  data: OrderData,
  ports: {
    readonly chain?: Partial<ChainPort>
    readonly service?: Partial<ServicePort>
    readonly journal?: Partial<Journal>
  },
  over: Partial<Omit<Job, "context" | "data">> = {},
): Job {
  const { chain, htlc } = SAMPLE.deposit
  const port = { chain, account: "wallet", ...ports.chain }
  const pinned = port.contracts === undefined ? [] : [{ htlc, identity: PINNED }]
  // CAST: a performer uses only these parts of the context.
  const context = {
    chains: new Map<string, Partial<ChainPort>>([
      [chain, port],
      [chainOf(data.request.to), { chain: chainOf(data.request.to) }],
    ]),
    services: new Map([["main", ports.service ?? {}]]),
    journal: {
      isOurs: () => false,
      listEvents: () => [],
      readFlag: () => null,
      writeFlag: () => undefined,
      isPending: () => false,
      findHolder: () => null,
      ...ports.journal,
    },
    settings: {
      mode: "live",
      assets: new Map([[data.request.from, { token: "0xtoken", pinned }]]),
    },
    memory: createMemory(),
    log: { warn: () => undefined, debug: () => undefined },
    clock: { now: () => over.nowMs ?? 0, sleep: never },
  } as unknown as EngineContext
  return {
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: 0,
    ...over,
  }
}
