import { createServer } from "node:http"
import { beforeEach, describe, expect, test } from "vitest"
import { createCodeBook, runChatApprovals } from "#daemon/watch/chat-approvals.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { listen } from "../../support/listen.ts"

const UNITS = 10_000n
const ID = "order-1"
const MINUTE_MS = 60_000
const CHAT = "-1001"
const ANNA = "11"
const BEN = "12"
const STRANGER = "66"
const TOKEN = "123456:AAExampleTokenOfABotThatIsNotReal"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  world.service.conduct.deadlineAfterMs = null
})

const ONE = { kind: "units", units: UNITS - 1n } as const
const bot = {
  name: "phone",
  kind: "telegram",
  api: "",
  chat: CHAT,
  token: new Secret(TOKEN, "test"),
  approvers: { [ANNA]: "anna", [BEN]: "ben" },
  least: "attention",
  tellsEnd: true,
  events: [],
} as const

async function startWaiting(policy: object = {}, askedBy?: string) {
  daemon = world.start({
    policy: { approveAbove: ONE, approvalTtlMs: 30 * MINUTE_MS, ...policy },
  })
  const asked = { from: ETH, to: BTC, sourceUnits: UNITS }
  await daemon.engine.submit(askedBy === undefined ? asked : { ...asked, askedBy })
  await daemon.reach("awaiting-approval")
}

function partsOf(api = "") {
  const { journal, clock } = daemon.context
  const warned: object[] = []
  const config = { treasury: "desk", assets: [], alerts: { receivers: [{ ...bot, api }] } }
  return {
    warned,
    memory: daemon.context.memory,
    journal,
    clock,
    operate: daemon.engine.operate,
    // CAST: the approvals read these parts.
    config: () => config as never,
    log: { warn: (fields: object) => void warned.push(fields), info: () => undefined },
  }
}

/** Announces, and returns the code and a way to write in the chat. */
function open() {
  const parts = partsOf()
  const book = createCodeBook(parts)
  const told = book.announce().map(({ text }) => text)
  const code = /approve (\w+)/.exec(told[0] ?? "")?.[1] ?? "none"
  const write = (text: string, from = ANNA, chat = CHAT) =>
    book.answer(bot, { update: 1, chat, from, text })
  return { ...parts, book, told, code, write }
}

const calls = () =>
  daemon.context.journal
    .listOperatorCalls({ limit: 10 })
    .map(({ caller, source, action, subject }) => ({ caller, source, action, subject }))

describe("an order that waits for one person", () => {
  test("is told with its intent and a code, and is approved by it once, in the person's name", async () => {
    await startWaiting()
    const { told, code, write, book } = open()
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`Intent ${daemon.order(ID).data.intent?.hash}`)
    expect(book.announce()).toEqual([])
    expect(await write(`approve ${code}`)).toBe("Order order-1: approved by anna.")
    expect(daemon.order(ID).data.approvedBy).toBe("anna")
    expect(calls()).toEqual([
      { caller: "anna", source: "telegram:11", action: "approve", subject: ID },
    ])
    expect(await write(`approve ${code}`, BEN)).toMatch(/used, too old or unknown/)
    expect(calls()).toHaveLength(1)
    await daemon.reach("completed")
  })

  test("is rejected by its code", async () => {
    await startWaiting()
    const { code, write } = open()
    expect(await write(`/reject@desk_bot ${code.toUpperCase()}`, BEN)).toBe(
      "Order order-1: rejected by ben.",
    )
    expect(daemon.order(ID).data.approvedBy).toBeNull()
    await daemon.reach("rejected")
    expect(world.signatures).toEqual([])
  })

  test("is not approved from another chat, by another account, or without the code", async () => {
    await startWaiting()
    const { code, write, warned } = open()
    expect(await write(`approve ${code}`, ANNA, "-2002")).toBeNull()
    expect(warned).toEqual([{ chat: "-2002", from: ANNA }])
    expect(await write(`approve ${code}`, STRANGER)).toBe("This account approves nothing here.")
    expect(await write("approve aaaaaaaaaa")).toMatch(/unknown/)
    expect(await write(`approve ${ID}`)).toBeNull()
    expect(await write("good morning")).toBeNull()
    expect([daemon.state(ID), calls()]).toEqual(["awaiting-approval", []])
    expect(await write(`approve ${code}`)).toMatch(/approved by anna/)
  })

  test("is not approved by the person that asked for it, and its code is used up", async () => {
    await startWaiting({}, "anna")
    const { code, write, book } = open()
    expect(await write(`approve ${code}`)).toMatch(/refused\. anna asked for this order/)
    expect(await write(`approve ${code}`, BEN)).toMatch(/used, too old or unknown/)
    const again = /approve (\w+)/.exec(book.announce()[0]?.text ?? "")?.[1] ?? ""
    expect(await write(`approve ${again}`, BEN)).toMatch(/approved by ben/)
  })

  test("has no code after its time, and after a restart a new one", async () => {
    await startWaiting()
    const first = open()
    const second = open()
    expect(second.code).not.toBe(first.code)
    expect(await second.write(`approve ${first.code}`)).toMatch(/used, too old or unknown/)
    await world.pass(31 * MINUTE_MS)
    expect(await second.write(`approve ${second.code}`)).toMatch(/used, too old or unknown/)
    expect(world.signatures).toEqual([])
  })
})

describe("an order that two people must approve", () => {
  const two = { approveSteps: [{ over: ONE, people: 2 }] }

  test("is told without a code", async () => {
    await startWaiting(two)
    const { told, code, book } = open()
    expect(told[0]).toContain("It needs 2 people")
    expect(code).toBe("none")
    expect(book.announce()).toEqual([])
  })

  test("is refused although it needed one when the code was made", async () => {
    await startWaiting()
    const { journal, ...parts } = open()
    const findOrder: typeof journal.findOrder = (id) => {
      const row = journal.findOrder(id)
      const steps = '"approveSteps":[{"over":{"kind":"units","units":{"$bigint":"1"}},"people":2}],'
      return row === null
        ? null
        : { ...row, snapshot: row.snapshot.replace('"approveAbove":', `${steps}"approveAbove":`) }
    }
    const book = createCodeBook({ ...parts, journal: { ...journal, findOrder } })
    const code = /approve (\w+)/.exec(book.announce()[0]?.text ?? "")?.[1] ?? ""
    const answer = await book.answer(bot, {
      update: 1,
      chat: CHAT,
      from: ANNA,
      text: `approve ${code}`,
    })
    expect(answer).toMatch(/^It needs 2 people.*Nothing was changed\.$/)
    expect([daemon.state(ID), calls()]).toEqual(["awaiting-approval", []])
  })
})

test("the bot speaks as the Bot API asks: updates from a number on, plain messages, a pause after 429", async () => {
  await startWaiting()
  const said: { chat_id: string; text: string }[] = []
  const queue: object[] = []
  const asked: { offset?: number; timeout: number }[] = []
  const conduct = { limited: true }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const method = request.url?.replace(`/bot${TOKEN}/`, "")
      const reply = (status: number, value: object) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(value))
      if (conduct.limited) {
        conduct.limited = false
        reply(429, { ok: false, error_code: 429, parameters: { retry_after: 1 } })
      } else if (method === "sendMessage") {
        said.push(body)
        const code = /approve (\w+)/.exec(body.text)?.[1]
        const message = { message_id: 5, date: 0, chat: { id: -1001 }, text: `approve ${code}` }
        if (code !== undefined)
          queue.push(
            { update_id: 70, edited_message: {} },
            { update_id: 71, message: { ...message, from: { id: 66, is_bot: true } } },
            { update_id: 72, message: { ...message, from: { id: 11, is_bot: false } } },
          )
        reply(200, { ok: true, result: { message_id: 6 } })
      } else {
        asked.push(body)
        const kept = queue.filter((one) => Reflect.get(one, "update_id") >= (body.offset ?? 0))
        setTimeout(() => reply(200, { ok: true, result: kept }), 20)
      }
    })
  })
  const api = (await listen(server)).url
  const stop = new AbortController()
  const parts = { ...partsOf(api), clock: { ...systemClock, now: daemon.context.clock.now } }
  const fast = {
    ...parts.clock,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
  }
  const noted: string[] = []
  const { faults } = parts.memory
  const set = faults.set.bind(faults)
  faults.set = (part, fault) => {
    noted.push(part)
    return set(part, fault)
  }
  const running = runChatApprovals({ ...parts, clock: { ...fast, sleep: fast.sleep } }, stop.signal)
  await expect
    .poll(() => said.map(({ text }) => text.split("\n")[0]), { timeout: 10_000 })
    .toEqual([
      expect.stringContaining("Order order-1 waits"),
      "This account approves nothing here.",
      "Order order-1: approved by anna.",
    ])
  await expect.poll(() => asked.at(-1)?.offset).toBe(73)
  expect([noted, faults.size]).toEqual([["chat phone"], 0])
  stop.abort()
  await running
  server.close()
  server.closeAllConnections()
  expect(asked[0]).toEqual({ timeout: 5, allowed_updates: ["message"] })
  expect(said.every(({ chat_id }) => chat_id === CHAT)).toBe(true)
  expect(JSON.stringify(parts.warned)).toContain("err")
  expect(JSON.stringify(parts.warned)).not.toContain(TOKEN)
}, 30_000)
