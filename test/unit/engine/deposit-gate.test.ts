import { describe, expect, test } from "vitest"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { createRounds } from "#engine/watches/watch.ts"
import { createWatches } from "#engine/watches/watch-table.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import type { Work } from "#order/work.ts"
import type { ChainPort } from "#ports/chain.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const OTHER = parseAssetId("arbitrum_sepolia:eth")
const PURPOSES = ["approve", "deposit", "void", "refund", "revoke"] as const
const MINUTE_MS = 60_000
const NOW = 1_000_000
const PATIENCE = sampleData().policy.patienceMs

/** Everything that brings a new deposit nearer to its signature. */
const NEW: readonly Work[] = [
  ...(["fetchQuote", "checkAllowance", "signTypedData"] as const).map((kind) => ({ kind })),
  { kind: "planTransaction", purpose: "deposit" },
  { kind: "signTransaction", purpose: "approve" },
  { kind: "signTransaction", purpose: "deposit" },
]
/** Watching, refunds, voids, and everything that concerns a signature that exists. */
const GOING_ON: readonly Work[] = [
  ...(
    [
      "createOrder",
      "verifyOrder",
      "expireApproval",
      "submitSignature",
      "observeInitiation",
      "observeOrder",
    ] as const
  ).map((kind) => ({ kind })),
  { kind: "proveUnfunded" },
  ...(["void", "refund", "revoke"] as const).flatMap((purpose): Work[] => [
    { kind: "planTransaction", purpose },
    { kind: "signTransaction", purpose },
  ]),
  ...PURPOSES.flatMap((purpose): Work[] => [
    { kind: "broadcastTransaction", purpose },
    { kind: "observeTransaction", purpose },
    { kind: "bumpTransaction", purpose },
  ]),
]

describe("while too few endpoints agree, the gate", () => {
  test.each(NEW)("holds $kind $purpose", async (work) => {
    expect(await findReasons(work, { short: SAMPLE.input.request.from })).toEqual([
      "chain.agreement_short",
    ])
    expect(await findReasons(work, { short: SAMPLE.input.request.to })).toEqual([
      "chain.agreement_short",
    ])
  })

  test.each(NEW)("of a third chain lets pass $kind $purpose", async (work) => {
    expect(await findReasons(work, { short: OTHER })).toEqual([])
  })

  test.each(GOING_ON)("lets pass $kind $purpose", async (work) => {
    expect(await findReasons(work, { short: SAMPLE.input.request.from, confirmedMs: 0 })).toEqual(
      [],
    )
  })

  test("lets pass the fee bump of a signed transaction", async () => {
    for (const purpose of ["approve", "deposit"] as const) {
      const data = sampleData(
        { [purpose]: [sampleTransaction(samplePlan(purpose, 0))] },
        { sendUntilMs: null },
      )
      const work: Work = { kind: "signTransaction", purpose }
      expect(await findReasons(work, { short: SAMPLE.input.request.from }, data)).toEqual([])
    }
  })

  test("lets an order end when its time is over", async () => {
    const late = sampleData({}, { sendUntilMs: NOW })
    expect(
      await findReasons({ kind: "signTypedData" }, { short: SAMPLE.input.request.from }, late),
    ).toEqual([])
    // A first signature is refused by its own work, and until then the gate holds it.
    const sign: Work = { kind: "signTransaction", purpose: "deposit" }
    expect(await findReasons(sign, { short: SAMPLE.input.request.from }, late)).toHaveLength(1)
  })
})

test.each(NEW)("a clock that no chain confirms holds $kind $purpose", async (work) => {
  expect(await findReasons(work, { confirmedMs: NOW - 5 * MINUTE_MS })).toEqual([])
  expect(await findReasons(work, { confirmedMs: NOW - 5 * MINUTE_MS - 1 })).toEqual(["clock.jump"])
})

test.each<readonly [string, Work, Partial<OrderData>, boolean]>([
  ["a quote in its last moment", { kind: "fetchQuote" }, { patienceSince: NOW - PATIENCE }, true],
  [
    "a quote that comes too late",
    { kind: "fetchQuote" },
    { patienceSince: NOW - PATIENCE - 1 },
    false,
  ],
  ["a signature in its last moment", { kind: "signTypedData" }, { sendUntilMs: NOW + 1 }, true],
  ["a signature that comes too late", { kind: "signTypedData" }, { sendUntilMs: NOW }, false],
  ["a late quote of a new window", { kind: "fetchQuote" }, { sendUntilMs: NOW }, true],
])("while the log is silent, the gate holds %s: %s", async (_what, work, over, isHeld) => {
  const data = sampleData({}, { sendUntilMs: null, patienceSince: NOW, ...over })
  const silence = { code: "cluster.log_silent", message: "no answer" }
  expect(await findReasons(work, { silence }, data)).toEqual(isHeld ? [silence.code] : [])
})

/**
 * `short`: an asset of the chain on which too few endpoints agree. `confirmedMs`: the time that the
 * chains confirmed last.
 */
type Scene = {
  readonly short?: AssetId
  readonly confirmedMs?: number
  readonly silence?: Reason
}

async function findReasons(
  work: Work,
  { short, confirmedMs = NOW, silence }: Scene,
  data: OrderData = sampleData({}, { sendUntilMs: null, patienceSince: NOW }),
): Promise<readonly string[]> {
  const chains = [data.request.from, data.request.to, OTHER].map((asset) => {
    const chain = chainOf(asset)
    const agreeing = short !== undefined && chain === chainOf(short) ? 1 : 2
    const port: Partial<ChainPort> = {
      chain,
      fetchAgreement: async () => ({ endpoints: 2, needed: 2, agreeing, reasons: [] }),
    }
    return [chain, port] as const
  })
  const clock = encodeJson({ ms: confirmedMs, byOperator: false, alarmed: false })
  const none = (): void => undefined
  // CAST: the gate uses only this part of the context.
  const context = {
    settings: { assets: new Map() },
    chains: new Map(chains),
    journal: {
      readFlag: (name: string) => (name === "limits/clock" ? clock : null),
      writeFlag: none,
      raiseAlert: none,
      countInFlight: () => 0,
    },
    clock: { now: () => NOW, sleep: () => new Promise(() => undefined) },
    log: { error: none, debug: none, info: none },
    memory: createMemory(),
    findLogSilence: () => silence ?? null,
  } as unknown as EngineContext
  const { gate, agreement } = createWatches(context)
  const rounds = createRounds(context, [agreement.watch], none)
  rounds.poll()
  await rounds.idle()
  return gate.findReasons(work, data).map(({ code }) => code)
}
