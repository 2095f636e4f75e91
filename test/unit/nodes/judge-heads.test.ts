import fc from "fast-check"
import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { type Head, judgeHeads } from "#nodes/quorum/judge-heads.ts"

const dead = new AppError({
  code: "evm.unreachable",
  disposition: "transient",
  message: "no answer",
})

/** `null` is an endpoint that does not answer. */
function headsOf(...heights: readonly (bigint | null)[]): readonly EndpointAnswer<Head>[] {
  return heights.map((height, index): EndpointAnswer<Head> => {
    const endpoint = `node${index}`
    if (height === null) return { endpoint, ok: false, error: dead }
    return { endpoint, ok: true, value: { height, timeMs: null } }
  })
}

const LEAD = 300n
const rules = {
  needed: 2,
  lead: LEAD,
  stalledMs: 600_000,
  reachable: null,
  nowMs: 0,
  stalled: "family.stalled",
}

test("the reference is the k-th highest head, so that fewer than k endpoints cannot raise it", () => {
  expect(judgeHeads(headsOf(100n, 101n, 102n), rules)).toMatchObject({
    height: 101n,
    isShort: false,
    outliers: [],
  })
  expect(judgeHeads(headsOf(100n, 10n ** 9n, 102n), rules)).toMatchObject({
    height: 100n,
    credible: 2,
    outliers: [
      { code: "chain.head_outlier", endpoint: "node1", head: "1000000000", agreed: "102" },
    ],
  })
  expect(judgeHeads(headsOf(2n ** 47n, 2n ** 47n, 100n), { ...rules, needed: 3 })).toMatchObject({
    height: 100n,
  })
  expect(judgeHeads(headsOf(100n), { ...rules, needed: 1 })).toMatchObject({
    height: 100n,
    isShort: false,
  })
})

test("a head is an outlier from one block more than the lead above the reference on", () => {
  const outliers = (head: bigint) => judgeHeads(headsOf(100n, 100n, head), rules).outliers.length
  expect([outliers(100n + LEAD), outliers(101n + LEAD)]).toEqual([0, 1])
  const kept = judgeHeads(headsOf(100n, 100n, 101n + LEAD), rules).heads.map(({ ok }) => ok)
  expect(kept).toEqual([true, true, false])
  // A chain with one endpoint has nothing to compare.
  expect(judgeHeads(headsOf(10n ** 9n), { ...rules, needed: 1 }).outliers).toEqual([])
})

test("with too few heads the reference is no higher than the chain can have reached", () => {
  const reachable = 160n
  expect(judgeHeads(headsOf(10n ** 9n, null), rules)).toMatchObject({
    height: 10n ** 9n,
    isShort: true,
  })
  const bounded = judgeHeads(headsOf(10n ** 9n, null), { ...rules, reachable })
  expect(bounded).toMatchObject({
    height: 160n,
    isShort: true,
    outliers: [{ code: "chain.head_outlier" }],
  })
  expect(judgeHeads(headsOf(150n, null), { ...rules, reachable })).toMatchObject({
    height: 150n,
    outliers: [],
  })
  expect(() => judgeHeads(headsOf(null, null), rules)).toThrow("no answer")
})

test("no minority of endpoints moves the reference outside the heads of the honest ones", () => {
  const height = fc.bigInt(0n, 2n ** 60n)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(height, { maxLength: 3 }),
      fc.bigInt(50n, 60n),
      (k, lies, honest) => {
        const liars = lies.slice(0, k - 1)
        const heads = [...liars, ...Array.from({ length: k }, (_, index) => honest + BigInt(index))]
        const chosen = judgeHeads(headsOf(...heads), { ...rules, needed: k })
        expect(chosen.height >= honest && chosen.height < honest + BigInt(k)).toBe(true)
      },
    ),
  )
})

test("one endpoint of several cannot choose the height, even if one answer is enough", () => {
  const alone = { ...rules, needed: 1 }
  expect(judgeHeads(headsOf(100n, 10n ** 9n), alone)).toMatchObject({
    height: 100n,
    isShort: false,
    outliers: [{ endpoint: "node1", head: "1000000000" }],
  })
  expect(judgeHeads(headsOf(100n, 103n), alone)).toMatchObject({ height: 103n, outliers: [] })
  expect(judgeHeads(headsOf(null, 103n), alone)).toMatchObject({ height: 103n, outliers: [] })
})

test("an endpoint that stalled is left out, so that reads go on with the one that follows the chain", () => {
  const nowMs = 10 ** 9
  const at = (height: bigint, ageMs: number) => ({ height, timeMs: nowMs - ageMs })
  const choose = (...blocks: readonly { height: bigint; timeMs: number }[]) => {
    const heads = headsOf(...blocks.map(({ height }) => height)).map((head, index) =>
      head.ok ? { ...head, value: { ...head.value, timeMs: blocks[index]?.timeMs ?? null } } : head,
    )
    const { height, isShort, heads: kept, outliers } = judgeHeads(heads, { ...rules, nowMs })
    return {
      height,
      isShort,
      failed: kept.map((head) => (head.ok ? null : head.error.code)),
      outliers,
    }
  }
  expect(choose(at(100n, 3_600_000), at(3_700n, 2_000))).toEqual({
    height: 3_700n,
    isShort: true,
    failed: ["family.stalled", null],
    outliers: [],
  })
  // A head from the future, and an old one, prove nothing against a fresh one.
  const ahead = at(3_700n, -3_600_000)
  const old = at(3_700n, 700_000)
  expect(choose(at(100n, 3_600_000), ahead).failed).toEqual([null, "chain.head_outlier"])
  expect(choose(at(100n, 3_600_000), old).failed).toEqual([null, "chain.head_outlier"])
  expect(choose(at(100n, 2_000), at(3_700n, 2_000)).failed).toEqual([null, "chain.head_outlier"])
  expect(choose(at(100n, 3_600_000), at(3_700n, 2_000), at(3_701n, 2_000))).toMatchObject({
    height: 3_700n,
    isShort: false,
  })
})
