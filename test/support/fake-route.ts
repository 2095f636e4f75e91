import { createHash } from "node:crypto"
import { withRouteLegs } from "#chains/with-route-legs.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, VerifiedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LegHistory, ReopenedOrder, RouteLeg, RoutePort, RouteRequest } from "#ports/route.ts"
import type { FakeLedger } from "./fake-ledger.ts"
import { ARB, ETH, type StartOptions, type World } from "./fake-world.ts"

/* A route that burns on one chain and mints on another, over the HTLCs of the fake ledgers. */

type Conduct = {
  /** The issuer gives the voucher. */
  attests: boolean
  feeUnits: bigint
  /** The issuer gives no answer. */
  isSilent: boolean
  /** The usual time until the payout. */
  seconds: number
  /** The highest fee of our own redemption. */
  redeemFeeUnits: bigint
  /** What speaks against every deposit now. */
  obstacles: readonly Reason[]
  /** Why it quotes nothing; `null`: it quotes. */
  dropped: readonly Reason[] | null
  /** The highest cost of a deposit; `null`: as that of an HTLC. */
  depositFeeUnits: bigint | null
  /** The destination refuses the payout. */
  faults: readonly Reason[]
  /** No voucher is paid any more. */
  isOver: boolean
  /** Why the voucher takes longer. */
  waits: readonly Reason[]
  /** Faults of vouchers that were told to the route. */
  renewals: number
  /** The voucher that is given is of another deposit. */
  foreign: readonly Reason[]
  /** The deposit pays this party instead of our wallet. */
  payee: string | null
  /** The voucher that every deposit gets; `null`: each its own. */
  nonce: string | null
}

export type FakeRoute = {
  readonly conduct: Conduct
  /** The options with which a daemon takes orders over the route. */
  readonly start: StartOptions
  /** Another party takes the payout of the order with this key. */
  readonly takeForUs: (dealKey: string) => void
  /** Changes what the chain tells of the deposits of orders. */
  readonly reopenAs: (change: (order: ReopenedOrder) => ReopenedOrder) => void
}

export function createFakeRoute(world: World, kind = "cctp"): FakeRoute {
  const conduct: Conduct = {
    attests: true,
    feeUnits: 1n,
    isSilent: false,
    seconds: 20,
    redeemFeeUnits: 1n,
    depositFeeUnits: null,
    dropped: null,
    obstacles: [],
    faults: [],
    isOver: false,
    waits: [],
    renewals: 0,
    foreign: [],
    payee: null,
    nonce: null,
  }
  const vouchers: string[] = []
  const opened = new Map<string, ReopenedOrder>()
  const route: RoutePort = {
    kind,
    fetchQuotes: async ({ from, to, sourceUnits }) =>
      from !== ETH || to !== ARB || conduct.dropped !== null
        ? []
        : [
            {
              from,
              to,
              sourceUnits,
              destinationUnits: sourceUnits - conduct.feeUnits,
              sourceFiat: sourceUnits * 1_000_000n,
              destinationFiat: (sourceUnits - conduct.feeUnits) * 1_000_000n,
              solverId: "issuer",
              estimatedSeconds: conduct.seconds,
              worstSeconds: 1_200,
              kind,
              guarantee: "contract",
            },
          ],
    explainNone: ({ from, to }) => (from === ETH && to === ARB ? (conduct.dropped ?? []) : null),
    open: ({ orderId, ...asked }) => {
      const depositRequest = { family: "evm", ...toRequest(asked, conduct) } as const
      const { quote, dealKey } = asked
      opened.set(dealKey, { quote, depositRequest, dealKey })
      return { orderId, depositRequest }
    },
    reopen: ({ evidence }) => mustExist(opened.get(evidence?.["dealKey"] ?? ""), "the deal"),
    checkDeposit: async () => conduct.obstacles,
    renewVoucher: async (_voucher, faults) => {
      conduct.faults = conduct.faults.filter((fault) => fault.code !== "toy.over")
      conduct.renewals += faults.length
    },
    readVoucher: async ({ secretHash, floorUnits = 0n }) => {
      if (conduct.isSilent)
        throw new AppError({ code: "toy.silent", disposition: "transient", message: "silent" })
      if (!conduct.attests) return { status: "waiting", reasons: conduct.waits }
      const nonce = conduct.nonce ?? secretHash
      if (!vouchers.includes(nonce)) {
        vouchers.push(nonce)
        fund(world.arbitrum, nonce, floorUnits)
      }
      return { status: "ready", voucher: { kind, nonce, fields: {} } }
    },
  }
  return {
    conduct,
    start: {
      adaptPort: (port) =>
        withRouteLegs(port, [{ ...legOf(port, conduct, kind), history: historyOf(port, opened) }]),
      adaptContext: (context) => ({ ...context, routes: new Map([[kind, route]]) }),
    },
    reopenAs: (change) => {
      for (const [dealKey, order] of opened) opened.set(dealKey, change(order))
    },
    takeForUs: (dealKey) => {
      if (!vouchers.includes(dealKey)) fund(world.arbitrum, dealKey, 1_000n - conduct.feeUnits)
      const action = { kind: "redeem", key: keyOf(dealKey), payTo: "wallet" } as const
      world.arbitrum.submit({
        txid: `taken ${dealKey}`,
        fee: 0n,
        resources: [],
        action: { ...action, shortUnits: 0n },
      })
    },
  }
}

function historyOf(port: ChainPort, opened: ReadonlyMap<string, ReopenedOrder>): LegHistory {
  const none = { htlc: null, redeemer: null, timelock: null, initiator: "", fromHeight: 0n }
  const hints = { initiateTx: null, redeemTx: null, refundTx: null }
  return {
    heightBefore: async () => 0n,
    findDeposits: async () => {
      const found = [...opened.values()].map(async ({ quote, dealKey }) => {
        const terms = { asset: ETH, units: quote.sourceUnits, owner: port.account, hints }
        const leg = { ...none, ...terms, side: "source", secretHash: dealKey } as const
        const { initiated } = await port.observeLeg(leg)
        return initiated === null
          ? []
          : [{ asset: ETH, txid: initiated.txid, evidence: { dealKey } }]
      })
      return port.chain === chainOf(ETH) ? (await Promise.all(found)).flat() : []
    },
  }
}

function legOf(port: ChainPort, conduct: Conduct, kind: string): RouteLeg {
  return {
    kind,
    decodeDeposit: (request, asset) => ({ kind, ...decode(port, request, asset) }),
    checkDeposit: async () => [],
    checkVoucher: async () => conduct.foreign,
    isOver: async () => conduct.isOver,
    checkPayout: async (_payout, voucher) => (voucher === null ? [] : conduct.faults),
    observeLeg: async ({ route, ...query }) => {
      if (query.side === "source") return port.observeLeg({ ...query, initiator: "" })
      const nonce = route?.voucher?.nonce ?? route?.deposit.secretHash
      if (nonce === undefined) return { ...NOTHING, height: await port.fetchHeight() }
      const leg = { ...query, secretHash: hashOf(secretOf(nonce)), initiator: "issuer" }
      return { ...(await port.observeLeg(leg)), initiated: null, refundableAt: null }
    },
    proveUnfunded: ({ route: _, ...query }) => port.proveUnfunded({ ...query, initiator: "" }),
    estimateDepositFee: async () =>
      conduct.depositFeeUnits ?? (await port.estimateFees(ETH)).depositUnits,
    estimateRedeemFee: async () => conduct.redeemFeeUnits,
    planDeposit: ({ deposit, ...request }, reserved, options) => {
      const { kind: _, ...plain } = deposit
      // CAST: the same verified deposit, which the fake ledger takes as one of an HTLC.
      const initiate = { ...request, deposit: plain as VerifiedDeposit }
      return port.planTransaction(initiate, reserved, options)
    },
    planRedemption: ({ asset, owner }, { nonce }, reserved, options) => {
      const secret = secretOf(nonce)
      const payout = { asset, owner, secretHash: hashOf(secret), initiator: "issuer", htlc: null }
      const terms = { units: 0n, redeemer: "", delegate: null, timelock: 0n, swapId: "" }
      const request = { action: "redeem", asset, payout: { ...payout, ...terms }, secret } as const
      return port.planTransaction(request, reserved, options)
    },
  }
}

const NOTHING: LegObservation = {
  height: 0n,
  agreed: true,
  initiated: null,
  redeemed: null,
  refunded: null,
  refundableAt: null,
}

function toRequest(
  { dealKey, terms }: Pick<RouteRequest, "dealKey" | "terms">,
  { payee }: Conduct,
): Record<string, unknown> {
  const { sourceUnits: units, destinationUnits: floorUnits, destinationOwner } = terms
  return { dealKey, units, floorUnits, payee: payee ?? destinationOwner }
}

function decode(port: ChainPort, request: DepositRequest, asset: AssetId): DecodedDeposit {
  return {
    chain: port.chain,
    family: port.family,
    htlc: "messenger",
    htlcKind: "contract",
    isRefundableByUs: false,
    hasTypedData: false,
    asset,
    units: BigInt(String(request["units"])),
    floorUnits: BigInt(String(request["floorUnits"])),
    redeemer: String(request["payee"]),
    refundTo: "",
    secretHash: String(request["dealKey"]),
    timelock: 0n,
    extras: {},
    findings: [],
  }
}

function fund(ledger: FakeLedger, nonce: string, units: bigint): void {
  const secretHash = hashOf(secretOf(nonce))
  const swap = { key: keyOf(nonce), asset: ARB, units, secretHash, timelock: 1_000_000n }
  ledger.submit({
    txid: `attested ${nonce}`,
    fee: 0n,
    resources: [],
    action: { kind: "initiate", payer: "solver", swap: { ...swap, token: false } },
  })
}

function keyOf(nonce: string): string {
  return `${hashOf(secretOf(nonce))}/issuer`
}

function secretOf(nonce: string): string {
  return createHash("sha256").update(nonce).digest("hex")
}

function hashOf(secret: string): string {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
}
