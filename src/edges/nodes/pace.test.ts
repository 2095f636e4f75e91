import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { URGENCIES, withUrgency } from "#ports/urgency.ts"
import { createPace, HELD_MS } from "./pace.ts"

/** A clock with sleeps that end at once and move its time. */
function jumpingClock(startMs = 1_000_000): Clock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
  }
}

function limited(retryAfterMs?: number): AppError {
  return new AppError({
    code: "chain.test",
    disposition: "transient",
    message: "limit",
    details: { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  })
}

/** An endpoint that answers so many requests a second. */
function createLimitedEndpoint(clock: Clock, perSecond: number) {
  const sent: string[] = []
  let second = -1
  let left = 0
  const ask = async (name: string): Promise<string> => {
    const now = Math.floor(clock.now() / 1_000)
    if (now !== second) left = perSecond
    second = now
    sent.push(name)
    left -= 1
    if (left < 0) throw limited()
    return name
  }
  return { ask, sent }
}

test("answers every read of a burst, asks none again that was answered, and stays near the limit", async () => {
  const clock = jumpingClock()
  const { ask, sent } = createLimitedEndpoint(clock, 5)
  const { send, reads } = createPace({ clock, patienceMs: 30_000 })
  const names = Array.from({ length: 60 }, (_, index) => `read ${index}`)
  expect(await Promise.all(names.map((name) => send(() => ask(name))))).toEqual(names)
  // The first burst is refused once; then at most a few of each second.
  expect(sent.length).toBeLessThan(60 + 55 + 60)
  const afterBurst = sent.slice(60)
  for (const name of names.slice(0, 5)) expect(afterBurst).not.toContain(name)
  expect(reads.hours()).toMatchObject([{ answered: 60, failed: 0 }])
})

test("one look after another, without a burst, costs almost no refusal", async () => {
  const clock = jumpingClock()
  const { ask, sent } = createLimitedEndpoint(clock, 5)
  const { send } = createPace({ clock, patienceMs: 30_000 })
  for (let index = 0; index < 40; index++) await send(() => ask(`read ${index}`))
  expect(sent.length).toBeLessThanOrEqual(48)
})

test("waits as long as the endpoint asks for, else as long as it has refused", async () => {
  const clock = jumpingClock(0)
  const times: number[] = []
  const waits = [5_000, undefined, undefined, undefined]
  const { send } = createPace({ clock, patienceMs: 30_000 })
  const found = await send(async () => {
    times.push(clock.now())
    if (waits.length > 0) throw limited(waits.shift())
    return "answer"
  })
  expect(found).toBe("answer")
  expect(times).toEqual([0, 5_000, 6_000, 8_000, 12_000])
})

test("gives up after its patience, then fails at once, and asks once in a while", async () => {
  const clock = jumpingClock(0)
  let sent = 0
  const refuse = async (): Promise<never> => {
    sent += 1
    throw limited()
  }
  const { send } = createPace({ clock, patienceMs: 10_000 })
  const error = { details: { status: 429 } }
  await expect(send(refuse)).rejects.toMatchObject(error)
  expect(sent).toBe(5)
  await expect(send(refuse)).rejects.toMatchObject(error)
  expect(sent).toBe(5)
  await clock.sleep(60_000)
  await expect(send(refuse)).rejects.toMatchObject(error)
  expect(sent).toBe(6)
  await clock.sleep(60_000)
  expect(await send(async () => "back")).toBe("back")
  expect(await Promise.all([send(async () => 1), send(async () => 2)])).toEqual([1, 2])
})

test("another failure is the caller's, at once, and does not stop the reads behind it", async () => {
  const clock = jumpingClock()
  let isOver = false
  const { send } = createPace({ clock, patienceMs: 10_000 })
  const first = send(async () => {
    if (isOver) return "first"
    isOver = true
    throw limited()
  })
  const second = send(async () => {
    throw new TypeError("mine")
  })
  await expect(second).rejects.toThrow("mine")
  expect(await first).toBe("first")
})

test("a caller with another endpoint does not wait, and asks no endpoint that is paused", async () => {
  const clock = jumpingClock(0)
  let sent = 0
  const refuse = async (): Promise<never> => {
    sent += 1
    throw limited(20_000)
  }
  const { sendOnce } = createPace({ clock, patienceMs: 10_000 })
  await expect(sendOnce(refuse)).rejects.toMatchObject({ details: { status: 429 } })
  await expect(sendOnce(refuse)).rejects.toMatchObject({ details: { status: 429 } })
  expect([sent, clock.now()]).toEqual([1, 0])
  await clock.sleep(20_000)
  expect(await sendOnce(async () => "answer")).toBe("answer")
})

test.each([
  ["a limit that it has learnt", null],
  ["a limit that the configuration names", 2],
])(
  "the most urgent question goes first, and of equals the oldest: %s",
  async (_name, perSecond) => {
    const clock = jumpingClock()
    const { send } = createPace({ clock, patienceMs: 30_000, perSecond })
    const sent: string[] = []
    const ask = (name: string) => send(async () => void sent.push(name))
    const answer = Promise.withResolvers<void>()
    let isLimited = perSecond === null
    const first = send(async () => {
      if (!isLimited) return answer.promise
      isLimited = false
      throw limited()
    })
    const second = send(async () => (perSecond === null ? answer.promise : undefined))
    // The refused one is out again, and both take the only places.
    await new Promise((resolve) => setImmediate(resolve))
    const asked = URGENCIES.toReversed().flatMap((urgency) =>
      [1, 2].map((turn) => withUrgency(urgency, () => ask(`${urgency} ${turn}`))),
    )
    asked.push(ask("look 3"))
    answer.resolve()
    await Promise.all([first, second, ...asked])
    expect(sent).toEqual(
      URGENCIES.flatMap((urgency) =>
        [1, 2, ...(urgency === "look" ? [3] : [])].map((turn) => `${urgency} ${turn}`),
      ),
    )
  },
)

test("a named limit lets a second's worth through at once, then one after the other", async () => {
  const clock = jumpingClock(0)
  const { send, sendOnce } = createPace({ clock, patienceMs: 30_000, perSecond: 4 })
  const times: number[] = []
  const note = async () => void times.push(clock.now())
  await clock.sleep(5_000)
  await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? send(note) : sendOnce(note))))
  expect(times).toEqual([5_000, 5_000, 5_000, 5_000, 5_250, 5_500, 5_750, 6_000])
})

test("a clock that is set back stops no question of a named limit", async () => {
  let nowMs = 10 * 3_600_000
  const sleeps: number[] = []
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (ms) => {
      sleeps.push(ms)
      nowMs += ms
    },
  }
  const { send } = createPace({ clock, patienceMs: 30_000, perSecond: 1 })
  await send(async () => 1)
  nowMs = 0
  expect(await Promise.all([send(async () => 1), send(async () => 2)])).toEqual([1, 2])
  expect(Math.max(...sleeps)).toBeLessThanOrEqual(1_000)
})

test("no question waits for ever behind more urgent ones, and a crowd of them takes a quarter", async () => {
  const clock = jumpingClock(0)
  const { send } = createPace({ clock, patienceMs: 30_000, perSecond: 1 })
  const sent: string[] = []
  const ask = (name: "effect" | "person") =>
    withUrgency(name, () => send(async () => void sent.push(name)))
  await ask("effect")
  const asked = Array.from({ length: 40 }, () => ask("person"))
  asked.push(...Array.from({ length: 40 }, () => ask("effect")))
  await Promise.all(asked)
  const persons = sent.slice(0, 41).filter((name) => name === "person").length
  expect(persons).toBeGreaterThanOrEqual(8)
  expect(persons).toBeLessThanOrEqual(10)
})

test("a write goes before the reads that wait, and takes its part of a named limit", async () => {
  const clock = jumpingClock(0)
  const { send, sendWrite } = createPace({ clock, patienceMs: 30_000, perSecond: 4 })
  const sent: [string, number][] = []
  const note = (name: string) => async () => void sent.push([name, clock.now()])
  await clock.sleep(5_000)
  const reads = [1, 2, 3, 4, 5].map(() => send(note("read")))
  await Promise.all([...reads, sendWrite(note("write")), send(note("read"))])
  const times = sent.map(([, atMs]) => atMs)
  expect(sent.filter(([name]) => name === "write")).toEqual([["write", 5_250]])
  // The read behind it waits for a place of its own.
  expect(times.toSorted()).toEqual([5_000, 5_000, 5_000, 5_000, 5_250, 5_500, 5_750])
})

test("no limit holds a write for longer than a second, and its refusal makes reads wait", async () => {
  let isRefused = true
  const clock = jumpingClock(0)
  const { send, sendWrite } = createPace({ clock, patienceMs: 300_000 })
  const times: number[] = []
  const write = async (): Promise<string> => {
    times.push(clock.now())
    if (isRefused) throw limited(120_000)
    return "sent"
  }
  await expect(sendWrite(write)).rejects.toMatchObject({ details: { status: 429 } })
  await expect(sendWrite(write)).rejects.toMatchObject({ details: { status: 429 } })
  isRefused = false
  expect(await sendWrite(write)).toBe("sent")
  expect(times).toEqual([0, HELD_MS, 2 * HELD_MS])
  await send(async () => void times.push(clock.now()))
  expect(times.at(-1)).toBe(120_000)
})

test("the same question joins the one that waits, and makes it as urgent as itself", async () => {
  const clock = jumpingClock(0)
  const { send, join } = createPace({ clock, patienceMs: 30_000, perSecond: 1 })
  await clock.sleep(5_000)
  const sent: string[] = []
  const ask = (urgency: "background" | "look" | "effect", key: string) =>
    withUrgency(urgency, () => send(async () => sent.push(key), key))
  const found = await Promise.all([
    ask("look", "head"),
    ask("background", "head"),
    ask("look", "other"),
    ask("effect", "head"),
  ])
  // The first one is out already, so that its answer may be older than the next question.
  expect(sent).toEqual(["head", "head", "other"])
  expect(found).toEqual([1, 2, 3, 2])
  expect(join("head")).toBeNull()
})

test("an endpoint that refuses a third by chance is hardly waited for", async () => {
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (ms, signal) => {
      for (const endMs = nowMs + ms; nowMs < endMs && !signal?.aborted; nowMs += 10)
        await new Promise((resolve) => setImmediate(resolve))
    },
  }
  const { send } = createPace({ clock, patienceMs: 30_000 })
  let dice = 1
  const ask = async (name: number): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve))
    dice = (dice * 48_271) % 2_147_483_647
    if (dice / 2_147_483_647 < 0.33) throw limited()
    return name
  }
  const names = Array.from({ length: 100 }, (_, index) => index)
  expect(await Promise.all(names.map((name) => send(() => ask(name))))).toEqual(names)
  expect(clock.now()).toBeLessThan(30_000)
})
