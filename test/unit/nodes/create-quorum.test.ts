import { describe, expect, test } from "vitest"
import { createQuorum } from "#nodes/quorum/create-quorum.ts"
import { withUrgency } from "#ports/urgency.ts"
import { createManualClock } from "../../support/manual-clock.ts"
import { createJumpingClock } from "../../support/request-limit.ts"

const CODES = { stalled: "x.stalled", silent: "x.silent", split: "x.split", short: "x.short" }
const never = new Promise<never>(() => undefined)

type Node = {
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  height: bigint
  asked: number
  isDead?: boolean
}

/** Time passes in waits; where heads are shared, the test alone lets it pass. */
function scene(needed = 2, over: { headsForMs?: number } = {}) {
  const manual = createManualClock(1_000_000)
  const clock = over.headsForMs === undefined ? createJumpingClock() : manual
  const checked: string[] = []
  const elsewhere = new Set<string>()
  const nodes: Node[] = ["a", "b", "c"].map((host) => ({
    host,
    height: 100n,
    asked: 0,
    checkNetwork: async () => {
      checked.push(host)
      if (elsewhere.has(host)) throw new Error("another network")
    },
  }))
  const shared = { lead: 10n, stalledMs: 600_000, fastestBlockMs: 1_000, patienceMs: 1_500 }
  const quorum = createQuorum({ nodes, needed, clock, codes: CODES, ...shared, ...over })
  const readHead = async (node: Node) => {
    node.asked += 1
    if (node.isDead) throw new Error("dead")
    return { height: node.height }
  }
  const asked = (): number => nodes.reduce((sum, node) => sum + node.asked, 0)
  const advance = (ms: number): void => manual.set(manual.now() + ms)
  return { clock, advance, nodes, quorum, readHead, asked, checked, elsewhere }
}

describe("asking every endpoint", () => {
  test("each answer and each failure has the place of its endpoint, and nothing rejects", async () => {
    const { quorum } = scene()
    const answers = await quorum.askEach(async ({ host }) => {
      if (host === "b") throw new Error("broken")
      return host
    })
    expect(answers.map(({ endpoint, ok }) => [endpoint, ok])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ])
  })

  test("one that is slower than enough others by the patience is silent, and only that one", async () => {
    const { quorum, clock } = scene()
    const startMs = clock.now()
    const answers = await quorum.askEach(({ host }) => (host === "c" ? never : Promise.resolve(1)))
    expect(clock.now() - startMs).toBe(1_500)
    expect(answers[2]).toMatchObject({ ok: false, error: { code: "x.silent" } })
    expect(answers.slice(0, 2).every(({ ok }) => ok)).toBe(true)
  })

  test("one that was silent before is waited for no longer than the patience, though too few answer", async () => {
    const { quorum, clock } = scene(3)
    const ask = ({ host }: Node) => (host === "c" ? never : Promise.resolve(1))
    const first = quorum.askEach(ask)
    const isWaiting = await Promise.race([first.then(() => false), clock.turn?.().then(() => true)])
    expect(isWaiting).toBe(true)
    const { quorum: other } = scene(3)
    await other.askEach(async ({ host }) => {
      if (host === "c") throw Object.assign(new Error("late"), { code: "x.silent" })
      return 1
    })
    expect((await other.askEach(ask)).map(({ ok }) => ok)).toEqual([true, true, false])
  })

  test("the failure of an endpoint's place is its answer, and it is not asked", async () => {
    const { quorum, nodes } = scene()
    const places = await quorum.askEach(async ({ host }) => {
      if (host === "a") throw new Error("no place")
      return host
    })
    const asked: string[] = []
    await quorum.askAt(places, async ({ host }, place) => {
      expect(place).toBe(host)
      asked.push(host)
    })
    expect(asked).toEqual(nodes.slice(1).map(({ host }) => host))
  })
})

describe("a round of heads", () => {
  const within = { headsForMs: 500 }

  test("an urgent look takes the heads of a round that is over, and waits for no other", async () => {
    const { quorum, readHead, asked, advance } = scene(1, within)
    const read = () => quorum.readHeads({ readHead, kind: "latest" })
    await withUrgency("background", read)
    await withUrgency("effect", read)
    expect(asked()).toBe(3)
    advance(500)
    const other = withUrgency("background", read)
    await withUrgency("effect", read)
    await other
    expect(asked()).toBe(9)
  })

  test("serves every look of the next moment, also while it is on its way", async () => {
    const { quorum, readHead, asked, advance, nodes } = scene(2, within)
    const reads = { kind: "latest", readHead }
    await Promise.all([quorum.readHeads(reads), quorum.readHeads(reads)])
    expect((await quorum.readHeads(reads)).height).toBe(100n)
    expect(asked()).toBe(3)
    for (const node of nodes) node.height = 101n
    advance(500)
    expect((await quorum.readHeads(reads)).height).toBe(101n)
    expect(asked()).toBe(6)
  })

  test.each([
    ["of another kind", { kind: "finalized" }, {}],
    ["without a kind", {}, {}],
    ["that needs a later block", { kind: "latest", least: 101n }, {}],
    ["that must be its own", { kind: "latest", least: null }, {}],
    ["after a failed answer", { kind: "latest" }, { isDead: true }],
    ["after an outlier", { kind: "latest" }, { height: 10_000n }],
  ])("does not serve a look %s", async (_name, how, node) => {
    const { quorum, readHead, asked, nodes } = scene(2, within)
    Object.assign(nodes[0] ?? {}, node)
    await quorum.readHeads({ kind: "latest", readHead })
    await quorum.readHeads({ readHead, ...how })
    expect(asked()).toBe(6)
  })

  test("is not shared where the chain does not say so", async () => {
    const { quorum, readHead, asked } = scene()
    await quorum.readHeads({ kind: "latest", readHead })
    await quorum.readHeads({ kind: "latest", readHead })
    expect(asked()).toBe(6)
  })
})

describe("a head far from the endpoint's last one", () => {
  test.each([
    ["above", 1_000n],
    ["below", 20n],
  ])(
    "%s it makes the endpoint prove its network, and no answer of another one counts",
    async (_where, height) => {
      const { quorum, readHead, nodes, checked, elsewhere } = scene(2)
      const [, b] = nodes
      await quorum.readHeads({ readHead })
      for (const node of nodes) node.height += 11n
      await quorum.readHeads({ readHead })
      expect(checked).toEqual(["a", "b", "c"])
      if (b) Object.assign(b, { height })
      elsewhere.add("b")
      for (let round = 1; round <= 2; round++) {
        const { heads } = await quorum.readHeads({ readHead })
        expect(heads.map(({ ok }) => ok)).toEqual([true, false, true])
      }
      expect(checked.slice(3)).toEqual(["b", "b"])
    },
  )

  test("is usual after a time in which the chain may have made so many blocks", async () => {
    const { quorum, readHead, nodes, clock, checked } = scene(2)
    await quorum.readHeads({ readHead })
    await clock.sleep(60_000)
    for (const node of nodes) node.height += 30n
    await quorum.readHeads({ readHead })
    expect(checked).toEqual([])
  })
})
