import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { leaveOnlyIf, type MayLeave } from "#domain/may-leave.ts"
import { submitSignature } from "#engine/orders/deposit/submit-signature.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { failure } from "../../../support/faults.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const NOW = 50_000_000
const INITIATED = { txid: "x", height: 5n, final: false, seen: true }

type Scene = {
  readonly repeated?: boolean
  readonly submissions?: number
  /** The end of the time for depositing, from now on. */
  readonly leftMs?: number
  readonly isInitiated?: boolean
  /** The relay's error. */
  readonly error?: unknown
  readonly isPaused?: boolean
  /** A pause begins, or the process stands still, while the try is recorded. */
  readonly meanwhile?: "pause" | "stands still"
}

async function submit(scene: Scene) {
  const done: string[] = []
  let { isPaused = false } = scene
  let nowMs = NOW
  const gasless = { signature: "0xsigned", submissions: scene.submissions ?? 0 }
  const over = {
    sendUntilMs: NOW + (scene.leftMs ?? 60_000),
    // CAST: nothing else of a signature is read.
    gasless: gasless as unknown as OrderData["gasless"],
  }
  const chain = {
    observeLeg: async () => {
      done.push("read")
      const initiated = scene.isInitiated === true ? INITIATED : null
      // CAST: only the initiation counts.
      return { ...emptyLeg(9n), initiated } as unknown as LegObservation
    },
  }
  const service = {
    submitSignature: async (orderId: string, signature: string, mayLeave?: MayLeave) => {
      leaveOnlyIf(mayLeave)
      done.push(`send ${orderId} ${signature}`)
      if (scene.error !== undefined) throw scene.error
      return { answer: "taken" }
    },
  }
  const flag = `pause/chain/${chainOf(SAMPLE.input.request.from)}`
  const journal = { readFlag: (name: string) => (isPaused && name === flag ? "now" : null) }
  // CAST: the ports have only these methods.
  const ports = { chain, service, journal } as Parameters<typeof sampleJob>[1]
  const job = sampleJob(sampleData({}, over), ports, {
    nowMs: NOW,
    repeated: scene.repeated === true,
    begin: async () => {
      done.push("begin")
      if (scene.meanwhile === "pause") isPaused = true
      if (scene.meanwhile === "stands still") nowMs = NOW + 120_000
    },
  })
  const clock = { ...job.context.clock, now: () => nowMs }
  const { event } = await submitSignature({ ...job, context: { ...job.context, clock } })
  return { event, done }
}

const SENT = "send aa 0xsigned"

describe("a gasless signature", () => {
  test.each<[string, Scene, readonly string[], object]>([
    [
      "goes to the relay",
      {},
      ["begin", SENT],
      {
        type: "gasless.submitted",
        answer: "taken",
        refused: false,
      },
    ],
    [
      "goes again once the chain shows nothing",
      { repeated: true },
      ["read", "begin", SENT],
      {
        answer: "taken",
      },
    ],
    [
      "goes again after a submission",
      { submissions: 1 },
      ["read", "begin", SENT],
      {
        answer: "taken",
      },
    ],
    [
      "is used where the chain shows it",
      { repeated: true, isInitiated: true },
      ["read"],
      {
        type: "gasless.initiated",
        ...INITIATED,
      },
    ],
    ["stays away while its order is paused", { isPaused: true }, [], { type: "work.deferred" }],
    [
      "stays away after its time",
      { leftMs: -1 },
      [],
      {
        type: "order.declined",
        reasons: [{ code: "deposit.too_late" }],
      },
    ],
    [
      "is in doubt after its time",
      { leftMs: -1, submissions: 1 },
      ["read"],
      {
        type: "gasless.submitted",
        refused: false,
      },
    ],
    [
      "stays here where a pause came while it was recorded",
      { meanwhile: "pause" },
      ["begin"],
      {
        type: "work.deferred",
        reasons: [{ code: "paused" }],
      },
    ],
    [
      "stays here where its time ended meanwhile",
      { meanwhile: "stands still" },
      ["begin"],
      {
        type: "work.deferred",
      },
    ],
    [
      "that the relay refuses may be with it",
      { error: failure("refused", "relay.no") },
      ["begin", SENT],
      { type: "gasless.submitted", refused: true, answer: expect.stringContaining("relay.no: ") },
    ],
    [
      "without an answer may be with it",
      { error: failure("uncertain", "relay.silent") },
      ["begin", SENT],
      { refused: false, answer: expect.stringContaining("relay.silent: ") },
    ],
    [
      "that meets a bug may be with it",
      { error: new TypeError("a bug") },
      ["begin", SENT],
      {
        refused: false,
        answer: "TypeError: a bug",
      },
    ],
  ])("%s", async (_name, scene, done, event) => {
    const found = await submit(scene)
    expect(found.done).toEqual(done)
    expect(found.event).toMatchObject(event)
  })

  test("has its chain read before it goes again, and no other answer", async () => {
    const error = new AppError({ code: "x", disposition: "refused", message: "no" })
    const { event } = await submit({ error, submissions: 2, isInitiated: true })
    expect(event.type).toBe("gasless.initiated")
  })
})
