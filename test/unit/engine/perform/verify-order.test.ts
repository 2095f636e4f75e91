import { describe, expect, test } from "vitest"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { verifyOrder } from "#engine/orders/deposit/verify-order.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { mayPrecedeJournal } from "#engine/watches/first-heights.ts"
import type { OrderData, OwnSecret } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { PINNED, sampleData, sampleJob } from "../../../support/sample-job.ts"

const { from, to } = SAMPLE.input.request
const AFFILIATE = { asset: from, address: "x", feeBps: 1 }
const OWN: OwnSecret = {
  nonce: "1",
  hash: SAMPLE.order.source.secretHash,
  status: "unknown",
  revealedAt: null,
  isTold: false,
}

type Scene = {
  readonly over?: Partial<OrderData>
  readonly order?: Partial<ServiceOrder>
  readonly decoded?: Partial<DecodedDeposit>
  readonly source?: Partial<ChainPort>
  readonly destination?: Partial<ChainPort>
  readonly nowMs?: number
  readonly mode?: "own" | "prefer-own" | null
  readonly isHashKnown?: boolean
  readonly fetchOrder?: () => Promise<never>
}

function scene(given: Scene) {
  const { over = {}, order = {}, decoded = {}, nowMs = 0, mode = null, isHashKnown } = given
  const flags = new Map<string, string>()
  const data = sampleData({}, { sendUntilMs: null, ...over })
  const answer = { ...SAMPLE.order, ...order }
  const service = { fetchOrder: given.fetchOrder ?? (async () => answer) }
  const journal = {
    isSecretHashKnown: (hash: string, id: string) =>
      isHashKnown === true && hash === SAMPLE.deposit.secretHash && id === data.id,
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string | null) => void flags.set(key, String(value)),
    raiseAlert: () => undefined,
  }
  const isSame = (a: string, b: string): boolean => a === b
  const both = { sameAddress: isSame, isAddress: () => true, revealWait: () => null }
  const chain = {
    ...both,
    fetchHeight: async () => 11n,
    decodeDeposit: () => ({ ...SAMPLE.deposit, ...decoded }) as DecodedDeposit,
    ...given.source,
  }
  const job: Job = sampleJob(data, { chain, service, journal: journal as never }, { nowMs })
  const paid = job.context.chains.get(to.split(":")[0] as never) ?? {}
  Object.assign(paid, both, { destinationExtras: {} }, { fetchHeight: async () => 22n })
  Object.assign(paid, given.destination)
  const ownSecrets = mode === null ? undefined : { keeper: null, modeOf: () => mode }
  Object.assign(job.context.settings, { ownSecrets })
  // A single service never rests, because no other one could take its place.
  const services = new Map<string, object>([...job.context.services, ["second", {}]])
  Object.assign(job.context, { newNonce: () => "fresh", services })
  const warn = () => undefined
  Object.assign(job.context.log, { warn, error: warn, info: warn })
  return { job, rests: () => flags.get("service/main/rest") ?? null }
}

async function verify(given: Scene) {
  const { job, rests } = scene(given)
  const { event } = await verifyOrder(job)
  const reasons: readonly Reason[] = "reasons" in event ? (event.reasons ?? []) : []
  const codes = reasons.map(({ code }) => code)
  return { event, codes, rests: rests() !== null }
}

describe("an order that is read back", () => {
  test("gets its deposit, the time for it, and both heights", async () => {
    const { job } = scene({})
    expect((await verifyOrder(job)).event).toMatchObject({
      type: "deposit.verified",
      deposit: { units: SAMPLE.deposit.units, htlc: SAMPLE.deposit.htlc },
      serviceOrder: SAMPLE.order,
      fromHeights: { source: 11n, destination: 22n },
      needsApproval: false,
    })
    expect(mayPrecedeJournal(job.context, "bitcoin_testnet" as never, 22n)).toBe(true)
    expect(mayPrecedeJournal(job.context, "bitcoin_testnet" as never, 23n)).toBe(false)
  })

  test.each<[string, Scene, string]>([
    ["another order", { order: { orderId: "bb" } }, "verify.order_id"],
    ["another amount", { decoded: { units: 9_999n } }, "verify.deposit_amount"],
    ["a known hash", { isHashKnown: true }, "verify.secret_hash_reused"],
    [
      "no record of our affiliate",
      { over: { policy: { ...SAMPLE.input.policy, affiliateFees: [AFFILIATE] } } },
      "affiliate.record",
    ],
  ])("is a lie with %s, and the service rests", async (_what, given, code) => {
    const { event, codes, rests } = await verify(given)
    expect(event.type).toBe("order.declined")
    expect(codes.join()).toContain(code)
    expect(rests).toBe(true)
  })

  test("tells all that is wrong at once", async () => {
    const { codes } = await verify({
      order: { orderId: "bb" },
      decoded: { units: 1n },
      destination: { contracts: { checkPayout: async () => [OBSTACLE] } as never },
    })
    expect(codes).toEqual(["verify.deposit_amount", "verify.order_id", "x.unpayable"].sort(byOrder))
  })

  const OBSTACLE = { code: "x.unpayable", message: "no account" }
  test("that cannot be paid to us is no lie", async () => {
    const asked: string[] = []
    const checkPayout = async (asset: string, owner: string) => {
      asked.push(`${asset} ${owner}`)
      return [OBSTACLE]
    }
    expect(await verify({ destination: { contracts: { checkPayout } as never } })).toMatchObject({
      codes: ["x.unpayable"],
      rests: false,
      event: { type: "order.declined" },
    })
    expect(asked).toEqual([`${to} ${SAMPLE.input.request.destinationOwner}`])
  })

  test("with a changed contract is no lie", async () => {
    const contracts = { fetchContractIdentity: async () => ({ code: "0xother" }) }
    const same = { fetchContractIdentity: async () => PINNED }
    expect(await verify({ source: { contracts: contracts as never } })).toMatchObject({
      event: { type: "order.declined" },
      rests: false,
    })
    expect((await verify({ source: { contracts: same as never } })).event.type).toBe(
      "deposit.verified",
    )
  })

  test("of a payout to an address that the chain warns of is refused", async () => {
    const found = { code: "x.dust", message: "dust", expected: "a", found: "b" }
    const outputs = { checkDestination: () => [found] }
    expect((await verify({ destination: { outputs: outputs as never } })).codes).toEqual(["x.dust"])
  })

  test("with too short a lock for our secret is no lie", async () => {
    const revealWait = () => ({ units: 99n })
    expect(await verify({ over: { ownSecret: OWN }, destination: { revealWait } })).toMatchObject({
      codes: ["secret.lock_short"],
      rests: false,
    })
  })
})

function byOrder(a: string, b: string): number {
  const order = ["verify.order_id", "verify.deposit_amount", "x.unpayable"]
  return order.indexOf(a) - order.indexOf(b)
}

describe("a deadline that has passed", () => {
  const late = (waitedMs: number) =>
    verify({ nowMs: 700_000, over: { stateSince: 700_000 - waitedMs, patienceSince: 700_000 } })

  test("is the service's fault for a minute, and then our own pause", async () => {
    expect(await late(60_000)).toMatchObject({ codes: ["verify.deadline"], rests: true })
    expect(await late(60_001)).toMatchObject({ codes: ["verify.deadline"], rests: false })
  })

  test("excuses no other lie", async () => {
    const given = { nowMs: 700_000, order: { orderId: "bb" } }
    const { codes, rests } = await verify({
      ...given,
      over: { stateSince: 0, patienceSince: 700_000 },
    })
    expect(codes).toContain("verify.deadline")
    expect(rests).toBe(true)
  })
})

describe("an order with another secret hash than ours", () => {
  const other = { ...OWN, hash: "cd".repeat(32) }
  test("is left for one with the service's secret, where that is allowed", async () => {
    const { event } = await verify({ over: { ownSecret: other }, mode: "prefer-own" })
    expect(event).toMatchObject({
      type: "quote.outdated",
      reasons: [{ code: "secret.not_taken", service: "main" }],
      nonce: "fresh",
      serviceChoosesSecret: true,
    })
  })

  test.each(["own", null] as const)("is a lie where only ours may be used (%s)", async (mode) => {
    expect(await verify({ over: { ownSecret: other }, mode })).toMatchObject({
      codes: ["verify.secret_hash_own"],
      rests: true,
    })
  })

  test("is one of ours where the hash is ours, or where ours was not asked for", async () => {
    const mode = "prefer-own"
    expect((await verify({ over: { ownSecret: OWN }, mode })).event.type).toBe("deposit.verified")
    expect((await verify({ over: { ownSecret: null }, mode })).event.type).toBe("deposit.verified")
  })

  test("must also have our key, where the chain's leaf names it", async () => {
    const destination = { destinationExtras: { delegate: "cd".repeat(32) } }
    const delegate = { destination: { ...SAMPLE.order.destination, delegate: "ef".repeat(32) } }
    const over = { ownSecret: OWN }
    expect((await verify({ over, destination, order: delegate })).codes).toEqual([
      "verify.destination_delegate",
    ])
  })
})

describe("an order that the service does not know yet", () => {
  const missing = failure("refused", "service.not_found")
  const read = (tries: number, error: Error) =>
    verify({ over: { tries }, fetchOrder: () => Promise.reject(error) })

  test("is asked for eight times", async () => {
    await expect(read(7, missing)).rejects.toMatchObject({
      code: "service.not_found",
      disposition: "transient",
    })
    await expect(read(8, missing)).rejects.toBe(missing)
  })

  test("is not asked for again after another error", async () => {
    for (const error of [failure("refused", "service.gone"), new Error("a mistake of ours")])
      await expect(read(0, error)).rejects.toBe(error)
  })

  test("is given up after the order's patience", async () => {
    const { patienceMs } = SAMPLE.input.policy
    const waited = async (nowMs: number) => (await verify({ nowMs })).codes
    expect(await waited(patienceMs + 1)).toEqual(["order.patience"])
    expect(await waited(patienceMs)).not.toContain("order.patience")
  })
})

test("an order that was approved is judged by its present price", async () => {
  await expect(verify({ over: { approvedBy: "operator" } })).rejects.toThrow()
  expect((await verify({ over: { approvedBy: null } })).event.type).toBe("deposit.verified")
})
