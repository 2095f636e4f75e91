import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type DeliveryState, NO_DELIVERIES } from "#alerts/delivery-state.ts"
import { createDispatcher } from "#alerts/dispatcher.ts"
import type { AlertsConfig, Receiver } from "#alerts/port.ts"
import { createSender } from "#alerts/send-message.ts"
import { parseAssetId } from "#domain/asset.ts"
import { findAlertProblems } from "#health/find-problems.ts"
import { PROBLEM_KINDS } from "#health/problem-kind.ts"
import type { OrderReading, Readings } from "#health/readings.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import {
  type HttpReceiver,
  MAIL_PASSWORD,
  type MailReceiver,
  startHttpReceiver,
  startMailReceiver,
} from "../../support/alert-receivers.ts"
import { until } from "../../support/sandbox-process.ts"

const KEY = `whsec_${Buffer.from("a webhook key of 24 byte").toString("base64")}`
const TOKEN = "123456:AAExampleTokenOfABotThatIsNotReal"
/** A node or a service chose these words. */
const HOSTILE =
  "<!channel> *bold* _it_ `code` <b>x</b> <a href='http://evil'>y</a> & " +
  "[z](http://evil)\r\nBcc: all@example.com\u202e"

const NOW = Date.now()
const HOUR = 3_600_000
const SOL = parseAssetId("solana_testnet:sol")
const BTC = parseAssetId("bitcoin_testnet:btc")
const order = (id: string, change: Partial<OrderReading> = {}): OrderReading => ({
  id: id.padEnd(12, "0"),
  rule: "dca",
  from: SOL,
  to: BTC,
  amount: "1.5",
  destinationAmount: null,
  state: "funded",
  money: "in the source HTLC",
  sinceMs: NOW,
  held: false,
  deadline: null,
  reasons: [],
  ...change,
})
const alarm = (code: string, id: string | null) => ({
  atMs: NOW,
  order: id,
  closedMs: null,
  reason: { code, message: `${code} ${HOSTILE}` },
})

/** A treasury in which everything is wrong at once: each kind of problem once. */
const broken: Readings = {
  nowMs: NOW,
  daemon: {
    answers: true,
    pid: 7,
    lastSeenMs: NOW,
    startedAtMs: NOW,
    version: "1.0.0",
    installed: "1.0.1",
    waitsFor: [{ code: "asset.unread", message: "An asset was not compared with its chain yet" }],
  },
  signer: { sinceMs: NOW - HOUR, error: HOSTILE },
  mode: "live",
  pause: null,
  pausedChains: ["bitcoin_testnet"],
  pausedRules: [],
  treasury: [],
  nodes: [
    {
      chain: SOL.split(":")[0] as Readings["nodes"][number]["chain"],
      needed: 1,
      agreement: null,
      staleMs: null,
      blockMs: 400,
      endpoints: [
        {
          host: "s.example",
          answeredMs: null,
          sinceMs: NOW - HOUR,
          askedMs: NOW,
          tookMs: null,
          height: null,
          blockAtMs: null,
          network: null,
          expected: null,
          error: HOSTILE,
        },
      ],
    },
  ],
  services: [
    {
      name: "main",
      host: "x.example",
      answeredMs: null,
      sinceMs: NOW - HOUR,
      askedMs: NOW,
      error: "ECONNREFUSED",
      inFlight: 0,
      rest: null,
    },
  ],
  gas: [
    {
      chain: "solana_testnet" as never,
      symbol: "SOL",
      decimals: 9,
      units: 5n,
      atMs: NOW,
      neededUnits: 10n,
      perDayUnits: 0n,
    },
  ],
  orders: [
    order("held", { held: true, reasons: [{ code: "refund.stuck", message: HOSTILE }] }),
    order("appr", {
      state: "awaiting-approval",
      deadline: { atMs: NOW + HOUR, what: "the approval expires", kind: "approval" },
    }),
    order("refu", {
      deadline: { atMs: NOW + HOUR, what: "a refund becomes possible", kind: "refund" },
    }),
    order("depo", {
      deadline: { atMs: NOW - HOUR, what: "the time for the deposit ends", kind: "deposit" },
    }),
  ],
  rules: [
    {
      id: "dca",
      kind: "x",
      enabled: true,
      paused: false,
      nextMs: NOW,
      overdueSinceMs: NOW - HOUR,
      lastMs: null,
      verdict: null,
      reasons: [],
    },
  ],
  limits: [{ name: "sold in 24 h", used: 9n, max: 10n, decimals: 0, unit: "usd" }],
  alarms: [
    alarm("alarm.source_redeemed", "5f3a00112233"),
    alarm("alarm.contract_changed", "5f3a00112233"),
    alarm("books.difference", null),
    alarm("prices.peg_broken", null),
    alarm("ending.unproven", null),
  ],
  cluster: {
    role: "leader",
    holder: "desk-a",
    epoch: 1,
    seq: 7,
    standbys: [],
    aloneSinceMs: NOW - HOUR,
    answeredMs: NOW,
    error: null,
  },
  freeBytes: 5e8,
  unreadConfig: { file: "/etc/ballast.yaml", mistake: null },
  receivers: [{ name: "other", failingSinceMs: NOW - HOUR, error: "HTTP 500" }],
  clockJump: { code: "clock.jump", message: "The clock jumped by 2 h" },
}

let http: HttpReceiver
let mail: MailReceiver
let config: AlertsConfig

beforeAll(async () => {
  http = await startHttpReceiver()
  mail = await startMailReceiver()
  const shared = { least: "attention", tellsEnd: true, events: [] } as const
  const secret = (value: string): Secret => new Secret(value, "env:X")
  const receivers: Receiver[] = [
    {
      name: "hook",
      kind: "webhook",
      url: secret(`${http.url}/hook`),
      key: secret(KEY),
      ...shared,
    },
    {
      name: "chat",
      kind: "slack",
      url: secret(`${http.url}/services/T0/B0/secretpart`),
      ...shared,
    },
    {
      name: "team",
      kind: "discord",
      url: secret(`${http.url}/api/webhooks/1/discordsecret`),
      ...shared,
    },
    {
      name: "pocket",
      kind: "ntfy",
      api: `${http.url}/ntfy`,
      topic: secret("topic-that-is-secret"),
      token: secret("tk_of_ntfy_00000"),
      ...shared,
    },
    {
      name: "room",
      kind: "matrix",
      api: http.url,
      token: secret("syt_matrix_token"),
      room: "!abc:example.com",
      ...shared,
    },
    {
      name: "phone",
      kind: "telegram",
      api: http.url,
      token: secret(TOKEN),
      chat: "-1001",
      approvers: {},
      ...shared,
    },
    {
      name: "mail",
      kind: "email",
      host: "127.0.0.1",
      port: mail.port,
      tls: "none",
      user: "ballast",
      ...shared,
      password: secret(MAIL_PASSWORD),
      from: "ballast@example.com",
      to: ["desk@example.com", "night@example.com"],
    },
  ]
  config = {
    receivers,
    groupMs: 300,
    overAfterMs: 300,
    repeatMs: HOUR,
    escalateAfterMs: null,
    escalateTo: [],
    daily: { at: "07:00", timezone: "UTC" },
    dashboard: "https://desk.example",
    heartbeat: null,
  }
})
afterAll(async () => {
  await Promise.all([http.close(), mail.close()])
})

/** The kind stands behind the level in each title. */
const kindIn = (title: string): string =>
  /\] (?:TROUBLE|ATTENTION|OVER) (\w+):/.exec(title)?.[1] ?? title
const sent = (path: string) => http.calls.filter((call) => call.path.startsWith(path))
const parsed = (path: string) =>
  sent(path).map(({ body }) => JSON.parse(body) as Record<string, never>)

describe("every kind of alert", () => {
  let state: DeliveryState = NO_DELIVERIES
  const kinds = [...PROBLEM_KINDS].toSorted()

  beforeAll(async () => {
    const stop = new AbortController()
    const dispatcher = createDispatcher({
      config: () => config,
      treasury: () => "desk",
      clock: systemClock,
      log: silentLogger,
      findProblems: () => findAlertProblems(broken, 30_000),
      store: {
        read: () => state,
        write: (next) => {
          state = next
        },
        durable: async () => undefined,
      },
      send: createSender(systemClock),
    })
    const running = dispatcher.run(stop.signal)
    await until(
      "all receivers have a message of each kind",
      async () => http.calls.length >= 6 * kinds.length && mail.mails.length >= kinds.length,
    )
    // Longer than a turn: a second message of a kind would come now.
    await systemClock.sleep(1_500)
    stop.abort()
    await running
  }, 60_000)

  test("arrives exactly once at a webhook, and the published library accepts the signature", () => {
    const calls = sent("/hook")
    for (const { body, headers } of calls) {
      const strings = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      )
      expect(() => new Webhook(KEY).verify(body, strings)).not.toThrow()
      expect(() => new Webhook(KEY).verify(body.replace("desk", "dusk"), strings)).toThrow(
        /No matching signature/,
      )
    }
    expect(new Set(calls.map(({ headers }) => headers["webhook-id"])).size).toBe(kinds.length)
    const alerts = parsed("/hook").flatMap(
      ({ data }) => (data as unknown as { alerts: { kind: string; meaning: string }[] }).alerts,
    )
    expect(alerts.map(({ kind }) => kind).toSorted()).toEqual(kinds)
    expect(alerts.every(({ meaning }) => meaning.endsWith("."))).toBe(true)
  })

  test("arrives exactly once at Slack, in the documented shape, with no text of others as markup", () => {
    const plain = (most: number) =>
      z.strictObject({
        type: z.literal("plain_text"),
        text: z.string().min(1).max(most),
        emoji: z.literal(false),
      })
    const block = z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("header"), text: plain(150) }),
      z.strictObject({ type: z.literal("section"), text: plain(3_000) }),
      z.strictObject({
        type: z.literal("actions"),
        elements: z
          .array(
            z.strictObject({ type: z.literal("button"), text: plain(75), url: z.url().max(3_000) }),
          )
          .max(25),
      }),
    ])
    const shape = z.strictObject({
      text: z.string().regex(/^[^<>]*$/),
      mrkdwn: z.literal(false),
      blocks: z.array(block).min(1).max(50),
      unfurl_links: z.literal(false),
      unfurl_media: z.literal(false),
    })
    const messages = parsed("/services/T0/B0/secretpart").map((body) => shape.parse(body))
    expect(messages.map(({ text }) => kindIn(text)).toSorted()).toEqual(kinds)
  })

  test("arrives exactly once at Telegram, in the documented shape, with only our tags", () => {
    const shape = z.strictObject({
      chat_id: z.literal("-1001"),
      text: z.string().min(1).max(4_096),
      parse_mode: z.literal("HTML"),
      link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
    })
    expect(sent("/bot").every(({ path }) => path === `/bot${TOKEN}/sendMessage`)).toBe(true)
    const messages = parsed("/bot").map((body) => shape.parse(body))
    expect(messages.map(({ text }) => kindIn(text)).toSorted()).toEqual(kinds)
    const tags = new Set(messages.flatMap(({ text }) => text.match(/<[^>]*>?/g) ?? []))
    expect([...tags].toSorted()).toEqual(["</b>", "</code>", "<b>", "<code>"])
  })

  test("arrives exactly once at Discord, in the documented shape, without mentions or marks of others", () => {
    const shape = z.strictObject({
      content: z.string().min(1).max(2_000),
      allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
      flags: z.literal(4),
    })
    const texts = parsed("/api/webhooks").map((body) => shape.parse(body).content)
    expect(texts.map((text) => kindIn(text.replaceAll("\\", ""))).toSorted()).toEqual(kinds)
    // What is left without escaped marks and our own code and bold is plain text and our links.
    const plain = texts.map((text) =>
      text
        .replace(/\\[^0-9A-Za-z\s]/g, "")
        .replace(/^\*\*(.*)\*\*$/gm, "$1")
        .replace(/^`[^`]*`$/gm, "")
        .replace(/^https:\/\/desk\.example\/#\/\S*$/gm, ""),
    )
    for (const text of plain) expect(text).not.toMatch(/[*_~`|<>#[\]@:]/)
  })

  test("arrives exactly once at ntfy, in the documented shape, with the token", () => {
    const shape = z.strictObject({
      topic: z.literal("topic-that-is-secret"),
      title: z.string().min(1).max(250),
      message: z.string().refine((text) => Buffer.byteLength(text) <= 4_096),
      priority: z.union([z.literal(3), z.literal(5)]),
      click: z.url().optional(),
    })
    const calls = sent("/ntfy")
    expect(calls.every(({ path, method }) => path === "/ntfy" && method === "POST")).toBe(true)
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer tk_of_ntfy_00000"]),
    )
    const messages = parsed("/ntfy").map((body) => shape.parse(body))
    expect(messages.map(({ title }) => kindIn(title)).toSorted()).toEqual(kinds)
    const theft = messages.find(({ title }) => kindIn(title) === "theft")
    expect(theft).toMatchObject({ priority: 5 })
  })

  test("arrives exactly once in a Matrix room, under a transaction id of its own", () => {
    const shape = z.strictObject({
      msgtype: z.literal("m.text"),
      body: z.string().min(1).max(60_000),
      "m.mentions": z.strictObject({}),
    })
    const place = "/_matrix/client/v3/rooms/!abc%3Aexample.com/send/m.room.message/"
    const calls = sent("/_matrix")
    expect(calls.every(({ method }) => method === "PUT")).toBe(true)
    expect(calls.every(({ path }) => path.startsWith(place))).toBe(true)
    expect(new Set(calls.map(({ path }) => path)).size).toBe(kinds.length)
    expect(calls.every(({ headers }) => headers.authorization === "Bearer syt_matrix_token")).toBe(
      true,
    )
    const messages = parsed("/_matrix").map((body) => shape.parse(body))
    expect(messages.map(({ body }) => kindIn(body)).toSorted()).toEqual(kinds)
  })

  test(
    "arrives exactly once by mail, with the meaning for the money and the command, and no " +
      "forged header",
    () => {
      expect(mail.mails.map(({ subject = "" }) => kindIn(subject)).toSorted()).toEqual(kinds)
      for (const { to, from, headers, text = "" } of mail.mails) {
        expect([to].flat().map((one) => one?.text)).toEqual(["desk@example.com, night@example.com"])
        expect(from?.text).toBe("ballast@example.com")
        expect(headers.has("bcc")).toBe(false)
        expect(text).toMatch(/^For the money: /m)
        expect(text).not.toContain("\u202e")
        expect(text).not.toMatch(/^Bcc:/m)
      }
      const byKind = (kind: string): string =>
        mail.mails.find(({ subject = "" }) => kindIn(subject) === kind)?.text ?? ""
      expect(byKind("approval")).toContain("Type: ballast approve appr0000")
      expect(byKind("approval")).toMatch(/Deadline: .* in (59|60) min|Deadline: .* in 1 h/)
      expect(byKind("approval")).toContain("Open: https://desk.example/#/orders/appr00000000")
      expect(byKind("theft")).toContain("Type: ballast order 5f3a0011")
      expect(byKind("node")).toContain("Type: ballast doctor")
      expect(byKind("gas")).toContain("Type: ballast wallet")
      expect(new Set(mail.logins)).toEqual(new Set(["ballast"]))
    },
  )
})

test("a failure names no secret, and a refused mail is a failure", async () => {
  const send = createSender(systemClock)
  const note = {
    ...({
      id: "1",
      kind: "node",
      code: "node.silent",
      level: "attention",
      sentence: "x",
      meaning: "y",
      todo: "z",
    } as const),
    command: null,
    order: null,
    deadlineMs: null,
    openedMs: NOW,
    closedMs: null,
  }
  const message = {
    id: "m",
    reason: "open",
    treasury: "desk",
    atMs: NOW,
    notes: [note],
    dashboard: null,
  } as const
  http.status = 500
  const failures = await Promise.all(
    config.receivers.map((one) =>
      send(
        one.kind === "email" ? { ...one, password: new Secret("wrong-password", "env:X") } : one,
        message,
      ),
    ),
  )
  http.status = 200
  expect(failures.map(({ ok }) => ok)).toEqual(config.receivers.map(() => false))
  const text = JSON.stringify(failures)
  expect(text).toContain("HTTP 500")
  const secrets = ["secretpart", "discordsecret", "topic-that-is-secret", "syt_matrix_token"]
  for (const part of [...secrets, TOKEN, "wrong-password", MAIL_PASSWORD])
    expect(text).not.toContain(part)
})
