import { expect } from "vitest"
import { isSolanaRequest } from "#chains/solana/deposit-request.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderRequest, QuoteRequest, ServicePort } from "#ports/service.ts"
import { type Body, bodyOf, listOf, resultList, resultOf } from "./wire-body.ts"
import { kindOf } from "./wire-labels.ts"
import type { Exchange } from "./wire-recorder.ts"

type Reader = (client: ServicePort, exchange: Exchange, label: string) => Promise<void>

/** For each kind of answer: the expected result of our client, derived from the raw body alone. */
export const READERS: Readonly<Record<string, Reader>> = {
  quote: async (client, { request, response }, label) => {
    const { from, to, from_amount, affiliate_fee } = request.query
    // CAST: asset ids as sent.
    const [source, destination] = [from, to] as OrderRequest["affiliateFees"][number]["asset"][]
    const ask = {
      from: mustExist(source, "from"),
      to: mustExist(destination, "to"),
      sourceUnits: BigInt(from_amount ?? 0),
    }
    const quotes = await client.fetchQuotes({ ...ask, affiliateBps: Number(affiliate_fee ?? 0) })
    const raw = resultList(response.body).map((quote) => {
      const paid = bodyOf(bodyOf(quote)["destination"])
      return {
        destinationUnits: BigInt(String(paid["amount"])),
        solverId: bodyOf(quote)["solver_id"],
      }
    })
    const best = raw.sort((a, b) => (a.destinationUnits < b.destinationUnits ? 1 : -1))
    expect([label, quotes]).toMatchObject([
      label,
      best.map((quote) => ({ ...quote, ...ask, sourceUnits: ask.sourceUnits })),
    ])
    expect(quotes.length).toBe(label === "quote none" ? 0 : 2)
    for (const { sourceFiat, destinationFiat } of quotes)
      expect((sourceFiat ?? 0n) > (destinationFiat ?? 0n)).toBe(true)
  },
  create: async (client, { response }, label) => {
    const raw = bodyOf(resultOf(response.body))
    const { orderId, depositRequest } = await client.submitOrder(ANY_ORDER)
    expect(orderId).toBe(raw["order_id"])
    const call = bodyOf(raw["transaction"] ?? raw["initiate_transaction"] ?? {})
    const family = kindOf(label).split(" ")[0]
    expect([label, depositRequest.family]).toEqual([label, family])
    if (depositRequest.family === "bitcoin")
      expect(depositRequest).toEqual({
        family,
        to: raw["to"],
        units: BigInt(String(raw["amount"])),
      })
    if (isSolanaRequest(depositRequest)) {
      const bytes = Buffer.from(depositRequest.transaction, "base64")
      expect([bytes.toString("hex"), bytes.toString("base64")]).toContain(raw["versioned_tx"])
    }
    if (depositRequest.family === "starknet")
      expect(depositRequest).toEqual({ family, transaction: call, typedData: raw["typed_data"] })
    if (depositRequest.family === "evm") {
      const approval = raw["approval_transaction"] ?? null
      expect(depositRequest.transaction).toEqual(toCall(call))
      expect(depositRequest.typedData).toEqual(raw["typed_data"])
      expect(depositRequest.approval).toEqual(approval === null ? null : toCall(bodyOf(approval)))
    }
  },
  get: async (client, { response }, label) => {
    const raw = bodyOf(resultOf(response.body))
    const order = await client.fetchOrder(String(raw["order_id"]))
    expect([label, order]).toEqual([label, toOrder(raw)])
  },
  list: async (client, { request, response }) => {
    const orders = await client.findOrders(request.query["from_owner"] ?? "")
    expect(orders).toEqual(listOf(response.body).map((order) => toOrder(bodyOf(order))))
    expect(orders?.length).toBeGreaterThanOrEqual(2)
  },
  initiate: async (client, { request, response }) => {
    const { signature } = bodyOf(request.body)
    const { answer } = await client.submitSignature("ab".repeat(32), String(signature))
    expect(answer).toBe(resultOf(response.body))
  },
  error: async (client, { request }, label) => {
    const ask =
      request.path === "/v2/quote"
        ? client.fetchQuotes(ANY_QUOTE)
        : client.fetchOrder("ab".repeat(32))
    const error = await ask.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect([label, error]).toMatchObject([label, ERROR_CODES[label] ?? { disposition: "refused" }])
  },
}

const ERROR_CODES: Readonly<Record<string, { code: string; disposition: string }>> = {
  "error no app id": { code: "service.app_id", disposition: "hold" },
  "error wrong app id": { code: "service.app_id", disposition: "hold" },
  "error unknown order": { code: "service.not_found", disposition: "refused" },
  "error no pair": { code: "service.no_pair", disposition: "refused" },
  "error out of bounds": { code: "service.amount_bounds", disposition: "refused" },
  "error html": { code: "service.unavailable", disposition: "transient" },
  "error too many": { code: "service.rate_limited", disposition: "transient" },
}

function toCall(call: Body): unknown {
  return {
    to: call["to"],
    valueUnits: BigInt(String(call["value"])),
    data: call["data"],
    gasLimit: BigInt(String(call["gas_limit"])),
    chainId: BigInt(String(call["chain_id"])),
  }
}

function affiliatesOf(raw: Body): readonly unknown[] {
  const list = raw["affiliate_fees"]
  if (!Array.isArray(list)) throw new Error("affiliate_fees is no list")
  return list
}

function toOrder(raw: Body): unknown {
  return {
    orderId: raw["order_id"],
    nonce: raw["nonce"],
    version: raw["version"],
    source: toLeg(bodyOf(raw["source_swap"])),
    destination: toLeg(bodyOf(raw["destination_swap"])),
    deadlineMs: raw["deadline"] === undefined ? null : Number(raw["deadline"]) * 1_000,
    affiliateFees: affiliatesOf(raw).map((entry) => {
      const { asset, address, fee, amount } = bodyOf(entry)
      return { asset, address, feeBps: fee, units: BigInt(String(amount)) }
    }),
  }
}

function toLeg(raw: Body): Record<keyof ReportedLeg, unknown> {
  // Hashes are hex without prefix in lower case; Solana's signatures and Bitcoin's `txid:height`
  // stay as they are.
  const plain = (name: string): unknown => {
    const value = String(raw[name] ?? "")
    return value === ""
      ? null
      : /^0x[0-9a-fA-F]+$/.test(value)
        ? value.slice(2).toLowerCase()
        : value
  }
  return {
    swapId: raw["swap_id"],
    chain: raw["chain"],
    asset: raw["asset"],
    initiator: raw["initiator"],
    redeemer: raw["redeemer"],
    delegate: plain("delegate"),
    timelock: BigInt(String(raw["timelock"])),
    units: BigInt(String(raw["amount"])),
    filledUnits: BigInt(String(raw["filled_amount"])),
    secretHash: raw["secret_hash"],
    secret: plain("secret"),
    initiateTx: plain("initiate_tx_hash"),
    redeemTx: plain("redeem_tx_hash"),
    refundTx: plain("refund_tx_hash"),
    instantRefundTx: plain("instant_refund_tx"),
    requiredConfirmations: raw["required_confirmations"],
    currentConfirmations: raw["current_confirmations"],
  }
}

// CAST: asset ids written out.
const ANY_QUOTE = {
  from: "base_sepolia:wbtc",
  to: "bitcoin_testnet:btc",
  sourceUnits: 50_000n,
  affiliateBps: 0,
} as QuoteRequest
const ANY_ORDER: OrderRequest = {
  quote: {
    ...ANY_QUOTE,
    destinationUnits: 1n,
    sourceFiat: null,
    destinationFiat: null,
    solverId: "",
    estimatedSeconds: null,
  },
  sourceOwner: "anybody",
  destinationOwner: "anybody",
  sourceExtras: {},
  affiliateFees: [],
  nonce: "1",
}
