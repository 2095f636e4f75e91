import { describe, expect, it } from "vitest"
import { decideFinality } from "#chains/solana/finality.ts"
import type { NodeView } from "#chains/solana/node.ts"
import { describeSolanaTrust } from "#chains/solana/nodes/describe-trust.ts"
import {
  fetchAgreement,
  readAgreed,
  readAgreedSlot,
  readHeads,
} from "#chains/solana/nodes/endpoints.ts"
import { createPlanningNode } from "#chains/solana/nodes/planning-node.ts"
import { middle } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { describeMissing } from "#nodes/quorum/reasons.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

const at = (slot: bigint, over: PartialNode = {}): PartialNode => ({
  fetchSlot: async () => slot,
  ...over,
})
const dead = at(0n, {
  fetchSlot: () =>
    Promise.reject(
      new AppError({ code: "solana.unreachable", disposition: "transient", message: "no" }),
    ),
})
const hanging = at(0n, { fetchSlot: () => new Promise(() => undefined) })
const slotOf = async (nodes: readonly PartialNode[], needed?: number) =>
  (await readHeads(endpointsOf(nodes, needed), "finalized")).slot

describe("the agreed slot", () => {
  it("is the newest one that enough endpoints have reached", async () => {
    expect(await slotOf([at(100n)])).toBe(100n)
    expect(await slotOf([at(100n), at(104n)])).toBe(100n)
    expect(await slotOf([at(100n), at(104n), at(102n)])).toBe(102n)
    expect(await slotOf([at(100n), at(104n), at(102n)], 3)).toBe(100n)
  })

  it("waits longer than a second for an endpoint that is needed", async () => {
    const sleep = (ms: number) => systemClock.sleep(ms / 50)
    const slow = at(100n, { fetchSlot: () => sleep(1_500).then(() => 100n) })
    const endpoints = endpointsOf([at(100n), slow], 2, { ...systemClock, sleep })
    expect((await readHeads(endpoints, "finalized")).slot).toBe(100n)
  })

  it("never follows a head that is 151 slots above the others", async () => {
    for (const nodes of [
      [at(251n), at(100n), at(99n)],
      [at(10n ** 9n), at(100n), at(99n)],
    ]) {
      const heads = await readHeads(endpointsOf(nodes), "finalized")
      expect(heads.slot).toBe(99n)
      expect(describeMissing(heads.heads, heads.outliers)).toMatchObject([
        { code: "chain.head_outlier", endpoint: "node-1" },
      ])
      expect(heads.heads.map(({ ok }) => ok)).toEqual([false, true, true])
    }
    expect(await slotOf([at(250n), at(100n), at(99n)])).toBe(100n)
    expect(await slotOf([at(251n), at(100n)])).toBeNull()
    // One endpoint would be enough here, and the highest head would agree with itself.
    expect(await slotOf([at(10n ** 9n), at(100n)], 1)).toBe(100n)
  })

  it(
    "leaves out an endpoint that stalled, so that refunds go on with the one that follows the " +
      "chain",
    async () => {
      const aged = (slot: bigint, ageMs: number) =>
        at(slot, { fetchBlockMs: async () => systemClock.now() - ageMs })
      const liveAt = async (...nodes: readonly PartialNode[]) => {
        const heads = await readHeads(endpointsOf(nodes), "finalized")
        return [
          heads.lowest,
          heads.slot,
          ...describeMissing(heads.heads, heads.outliers).map(
            ({ code, endpoint }) => `${code} ${endpoint}`,
          ),
        ]
      }
      const stalled = aged(100n, 3_600_000)
      expect(await liveAt(stalled, aged(9_100n, 2_000))).toEqual([
        9_100n,
        null,
        "chain.agreement_short node-1",
      ])
      expect(await liveAt(stalled, aged(9_100n, 2_000), aged(9_101n, 2_000))).toEqual([
        100n,
        9_100n,
      ])
      // A high head proves nothing against a fresh one, nor if it is old, from the future or of an
      // unknown time.
      for (const high of [aged(9_100n, 700_000), aged(9_100n, -3_600_000), at(9_100n)]) {
        expect(await liveAt(stalled, high)).toEqual([100n, null, "chain.head_outlier node-2"])
      }
      expect(await liveAt(aged(100n, 2_000), aged(9_100n, 2_000))).toEqual([
        100n,
        null,
        "chain.head_outlier node-2",
      ])
    },
  )

  it("is missing while too few endpoints answer", async () => {
    expect(await slotOf([at(100n), dead])).toBeNull()
    expect(await slotOf([at(100n), dead, at(90n)])).toBe(90n)
    const short = readAgreedSlot(endpointsOf([at(100n), dead]), "finalized")
    await expect(short).rejects.toMatchObject({
      code: "solana.agreement_short",
      disposition: "transient",
    })
    await expect(readHeads(endpointsOf([dead, dead]), "finalized")).rejects.toMatchObject({
      code: "solana.unreachable",
    })
  })

  it("does not wait long for an endpoint that hangs", async () => {
    const waits: number[] = []
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms)
      await systemClock.sleep(ms / 100)
    }
    const endpoints = endpointsOf([at(100n), hanging, at(99n)], 2, { ...systemClock, sleep })
    const heads = await readHeads(endpoints, "finalized")
    expect(heads.slot).toBe(99n)
    expect(describeMissing(heads.heads, heads.outliers)).toMatchObject([
      { code: "chain.agreement_short", endpoint: "node-2" },
    ])
    expect(waits).toEqual([5_000, 1_000])
  })

  it("is reported with outliers, laggards and silent endpoints", async () => {
    const report = await fetchAgreement(
      endpointsOf([at(1_000n), at(1_001n), at(500n), at(9_999n), dead]),
      "finalized",
    )
    expect(report).toMatchObject({ endpoints: 5, needed: 2, agreeing: 2 })
    expect(report.reasons.map(({ code, endpoint }) => `${code} ${endpoint}`)).toEqual([
      "chain.head_outlier node-4",
      "chain.agreement_short node-3",
      "chain.agreement_short node-5",
    ])
  })
})

describe("an agreed read", () => {
  const balance = (...units: readonly bigint[]): PartialNode => {
    const left = [...units]
    return at(100n, { fetchBalance: async () => (left.length > 1 ? left.shift() : left[0]) ?? 0n })
  }
  const read = (nodes: readonly PartialNode[], needed?: number) =>
    readAgreed(endpointsOf(nodes, needed), "finalized", (node) => node.fetchBalance("address"))

  it("is repeated while a value changes, and is an error with both hosts if it stays different", async () => {
    expect(await read([balance(5n), balance(4n, 5n)])).toBe(5n)
    await expect(read([balance(5n), balance(4n)])).rejects.toMatchObject({
      code: "solana.disagreement",
      disposition: "transient",
      details: { answers: 'node-1: "5" | node-2: "4"' },
    })
    await expect(read([balance(5n), balance(4n), balance(5n), balance(4n)])).rejects.toMatchObject({
      code: "solana.disagreement",
    })
  })

  it("asks no endpoint about an earlier slot than the agreed one", async () => {
    const asked: (bigint | null | undefined)[] = []
    const nodeAt = (slot: bigint) => (view: NodeView) =>
      at(slot, {
        fetchBalance: async () => {
          asked.push(view.minSlot)
          return 5n
        },
      })
    const endpoints = endpointsOf([nodeAt(104n), nodeAt(100n), nodeAt(102n)])
    expect(await readAgreed(endpoints, "finalized", (node) => node.fetchBalance("address"))).toBe(
      5n,
    )
    expect(asked).toEqual([102n, 102n, 102n])
  })

  it("is an error if an endpoint answers about its head only", async () => {
    const broken = at(100n, { fetchBalance: () => Promise.reject(new Error("no")) })
    const missing = expect.stringContaining("node-2")
    await expect(read([balance(5n), broken])).rejects.toMatchObject({
      code: "solana.agreement_short",
      details: { answered: 1, needed: 2, missing },
    })
  })
})

describe("a plan's life", () => {
  const node = (over: PartialNode): PartialNode =>
    at(1_000n, {
      fetchBlockHeight: async () => 900n,
      fetchBlockhash: async () => ({ blockhash: "hash", lastValidBlockHeight: 1_050n }),
      fetchRecentFees: async () => [10n],
      ...over,
    })
  const lifeOf = (nodes: readonly PartialNode[], action: "initiate" | "refund" = "initiate") => {
    // CAST: the values of a plan's life come from the endpoints alone.
    const own = {} as Parameters<typeof createPlanningNode>[0]
    return createPlanningNode(own, endpointsOf(nodes), "finalized").fetchLife(action)
  }
  const lying = (lastValidBlockHeight: bigint) =>
    node({ fetchBlockhash: async () => ({ blockhash: "lie", lastValidBlockHeight }) })

  it("takes no last valid height that no blockhash can have", async () => {
    expect(await lifeOf([node({})])).toEqual({
      fromHeight: 1_000n,
      blockhash: "hash",
      lastValidBlockHeight: 1_050n,
    })
    for (const height of [0n, 900n, 1_201n, 10n ** 9n])
      expect(await lifeOf([lying(height), node({})])).toMatchObject({ blockhash: "hash" })
    expect(await lifeOf([lying(1_200n), node({})])).toMatchObject({ blockhash: "lie" })
    await expect(lifeOf([lying(10n ** 9n)])).rejects.toMatchObject({ code: "solana.nonsense" })
  })

  it("starts at an agreed slot, and for a refund at the lowest one", async () => {
    const ahead = node({ fetchSlot: async () => 10n ** 9n })
    expect(await lifeOf([ahead, node({}), node({})])).toMatchObject({ fromHeight: 1_000n })
    await expect(lifeOf([node({}), dead])).rejects.toMatchObject({ code: "solana.agreement_short" })
    expect(await lifeOf([node({}), dead], "refund")).toMatchObject({ fromHeight: 1_000n })
  })

  it("has the lower median of the endpoints' prices", async () => {
    const priceOf = async (...prices: readonly (bigint | null)[]) => {
      const nodes = prices.map((price) =>
        node({ fetchRecentFees: async () => (price === null ? [] : [price]) }),
      )
      // CAST: see above.
      const own = {} as Parameters<typeof createPlanningNode>[0]
      const planning = createPlanningNode(own, endpointsOf(nodes), "finalized")
      return middle(await planning.fetchPrices(10n ** 12n, "address"))
    }
    expect(await priceOf(7n)).toBe(7n)
    expect(await priceOf(10n ** 9n, 7n)).toBe(7n)
    expect(await priceOf(10n ** 9n, 7n, 8n)).toBe(8n)
    expect(await priceOf(null, 7n, null)).toBe(7n)
    expect(await priceOf(null, null)).toBeNull()
  })
})

describe("the depths", () => {
  const usual = { commitment: "confirmed", confirmations: null, finality: null } as const
  const confirmed = { commitment: "confirmed", slots: 1 }
  const finalized = { commitment: "finalized", slots: 1 }

  it("are confirmed to go on and finalized to end, unless the configuration says otherwise", () => {
    expect(decideFinality(usual)).toEqual({ seen: confirmed, reveal: finalized, ending: finalized })
    expect(decideFinality({ ...usual, commitment: "finalized" }).seen).toEqual(finalized)
    const deep = { commitment: "confirmed", slots: 64 }
    expect(decideFinality({ ...usual, finality: { ending: 64 } })).toEqual({
      seen: confirmed,
      reveal: finalized,
      ending: deep,
    })
    const all = decideFinality({ ...usual, confirmations: 3, finality: { ending: 64 } })
    expect(
      new Set(Object.values(all).map(({ slots, commitment }) => `${commitment} ${slots}`)),
    ).toEqual(new Set(["confirmed 3"]))
  })

  it("and the trust in endpoints are told in words", () => {
    const trustIn = (rpc: readonly string[], agree: number | null = null) =>
      // CAST: the description reads these fields only.
      describeSolanaTrust({ ...usual, rpc, agree } as unknown as Parameters<
        typeof describeSolanaTrust
      >[0])
    expect(trustIn(["a"])).toMatchObject({
      endpoints: 1,
      agree: 1,
      finality: { seen: "confirmed", reveal: "finalized", ending: "finalized" },
    })
    expect(trustIn(["a"]).worst).toContain("one lying endpoint can end an order")
    expect(trustIn(["a", "b"]).worst).toContain("stops new deposits and endings")
    expect(trustIn(["a", "b", "c"]).worst).toContain("at most delay")
    expect(trustIn(["a", "b", "c"], 1).worst).toContain("one lying endpoint can end an order")
  })
})
