import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { type Anvil, startAnvil } from "../../src/lab/sandbox/evm/start-anvil.ts"
import {
  type HttpReceiver,
  MAIL_PASSWORD,
  type MailReceiver,
  startHttpReceiver,
  startMailReceiver,
} from "../support/alert-receivers.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { runPromtool } from "../support/promtool.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"

const KEY = Buffer.from("a webhook key of 24 byte").toString("base64")
const BOT = "123456:AAExampleTokenOfABotThatIsNotReal"
const ENV = {
  EVM_KEY: `0x${"4c".repeat(32)}`,
  BALLAST_OPS_TOKEN: TOKEN,
  WEBHOOK_KEY: KEY,
  BOT_TOKEN: BOT,
  MAIL_PASSWORD,
  BEAT_URL: "",
  DISCORD_URL: "",
  NTFY_TOPIC: "a-topic-of-ntfy-for-tests",
  MATRIX_TOKEN: "syt_token_of_matrix_for_tests",
}
const CHAIN = { chainId: 84532, blockTimeSeconds: 1, log: silentLogger }
const SECRET_PATH = "beat-0f1e2d3c4b5a69788796a5b4"

let [node, service]: Anvil[] = []
let http: HttpReceiver
let mail: MailReceiver
let file = ""
let log = ""
let port = 0
let daemon: DaemonProcess

beforeAll(async () => {
  ;[node, service, http, mail] = await Promise.all([
    startAnvil({ ...CHAIN, port: 0 }),
    startAnvil({ ...CHAIN, chainId: 1, port: 0 }),
    startHttpReceiver(),
    startMailReceiver(),
  ])
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-alerts-"))
  port = await freePort()
  file = join(dir, "ballast.yaml")
  log = join(dir, "daemon.log")
  ENV.DISCORD_URL = `${http.url}/api/webhooks/1/a-secret-of-discord`
  ENV.BEAT_URL = `${http.url}/${SECRET_PATH}`
  const config = {
    service: { url: service.url, timeout: "1s" },
    data_dir: "./data",
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: {
      base_sepolia: { family: "evm", chain_id: 84532, rpc: [node.url], key: "env:EVM_KEY" },
    },
    assets: { "base_sepolia:eth": { decimals: 18 } },
    guards: { min_native: { base_sepolia: "0.000001" } },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "3s" },
    alerts: {
      receivers: {
        hook: { kind: "webhook", url: `${http.url}/hook`, key: "env:WEBHOOK_KEY" },
        phone: { kind: "telegram", token: "env:BOT_TOKEN", chat: "-1001", api: http.url },
        team: { kind: "discord", url: "env:DISCORD_URL", least: "escalation" },
        pocket: { kind: "ntfy", topic: "env:NTFY_TOPIC", api: http.url, least: "escalation" },
        room: {
          kind: "matrix",
          api: http.url,
          token: "env:MATRIX_TOKEN",
          room: "!abc:example.com",
          least: "escalation",
        },
        boss: { kind: "webhook", url: `${http.url}/boss`, least: "escalation" },
        mail: {
          kind: "email",
          host: "127.0.0.1",
          port: mail.port,
          tls: "none",
          user: "ballast",
          password: "env:MAIL_PASSWORD",
          from: "ballast@example.com",
          to: ["desk@example.com"],
        },
      },
      group_for: "1s",
      over_after: "2s",
      dashboard: "https://desk.example",
      heartbeat: { url: "env:BEAT_URL", every: "1s" },
    },
  }
  writeFileSync(file, JSON.stringify(config))
  const shown = await runBallast(["wallet", "--json", "--config", file], { env: ENV })
  const address = /0x[0-9a-fA-F]{40}/.exec(shown.stdout)?.[0] ?? ""
  await fetch(node.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "anvil_setBalance",
      params: [address, `0x${(10n ** 18n).toString(16)}`],
    }),
  })
  daemon = startDaemonProcess({ file, port }, ENV, log)
  await daemon.ready()
}, 180_000)

afterAll(async () => {
  await daemon?.stop()
  await Promise.all([node?.stop(), service?.stop(), http?.close(), mail?.close()])
})

const beats = () => http.calls.filter(({ path }) => path.includes(SECRET_PATH))
const hooks = () =>
  http.calls
    .filter(({ path }) => path === "/hook")
    .map(
      ({ body }) =>
        JSON.parse(body) as { type: string; data: { alerts: { code: string; id: string }[] } },
    )
const told = (type: string, code: string) =>
  hooks().filter((one) => one.type === type && one.data.alerts.some((alert) => alert.code === code))

test("a dead node is told once to every receiver, acknowledged, and its return is told once", async () => {
  await until("the heart beats", async () => beats().length > 1, 30_000)
  await node?.stop()
  const diedMs = Date.now()
  await until(
    "the webhook has the alert",
    async () => told("alert.open", "node.silent").length > 0,
    40_000,
  )
  expect(Date.now() - diedMs).toBeLessThan(40_000)
  await until(
    "the mail has the alert",
    async () => mail.mails.some(({ text }) => text?.includes("node.silent")),
    20_000,
  )
  const id = told("alert.open", "node.silent")[0]?.data.alerts[0]?.id ?? ""
  expect((await runBallast(["alerts", "--config", file], { env: ENV })).stdout).toContain(
    `ballast alerts ack ${id}`,
  )
  const acknowledged = await runBallast(["alerts", "ack", id, "--config", file], { env: ENV })
  expect(acknowledged).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 alert is acknowledged"),
  })
  expect((await runBallast(["alerts", "ack", id, "--config", file], { env: ENV })).code).toBe(1)

  // The state is in the journal: a daemon that starts again sends no second alert.
  await daemon.stop()
  daemon = startDaemonProcess({ file, port }, ENV, log)
  await daemon.serves()
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  expect(told("alert.open", "node.silent")).toHaveLength(1)

  node = await startAnvil({ ...CHAIN, port: node?.port ?? 0 })
  await until("the end is told", async () => told("alert.over", "node.silent").length > 0, 40_000)
  expect([
    told("alert.open", "node.silent").length,
    told("alert.over", "node.silent").length,
  ]).toEqual([1, 1])
  const mails = mail.mails.filter(
    ({ subject, text }) => !subject?.includes("OVER") && text?.includes("node.silent"),
  )
  expect(mails).toHaveLength(1)
  for (const { body, headers } of http.calls.filter(({ path }) => path === "/hook"))
    expect(() => new Webhook(KEY).verify(body, headers as Record<string, string>)).not.toThrow()
  expect(http.calls.filter(({ path }) => path === "/boss")).toEqual([])
}, 180_000)

test("promtool finds no fault in the metrics of the daemon", async () => {
  const { body } = await daemon.call("GET", "/metrics")
  expect(runPromtool(["check", "metrics"], String(body))).toEqual({ code: 0, output: "" })
  expect(body).toMatch(
    /^ballast_endpoint_up\{chain="base_sepolia",endpoint="127\.0\.0\.1:\d+"\} [01]$/m,
  )
  expect(body).toMatch(/^ballast_engine_turn_timestamp_seconds\{loop="work"\} \d+/m)
  expect(body).toMatch(/^ballast_alert_receiver_up\{receiver="mail"\} 1$/m)
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
}, 180_000)

test("`ballast alerts test` tries each receiver without a daemon's help, and says which one fails", async () => {
  const before = http.calls.length
  const well = await runBallast(["alerts", "test", "--config", file], { env: ENV })
  expect(well).toMatchObject({ code: 0 })
  expect(well.stdout.match(/^delivered/gm)).toHaveLength(7)
  expect(http.calls.slice(before).map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "/hook",
      "/boss",
      "/",
      "/api/webhooks/1/a-secret-of-discord",
      expect.stringContaining("/_matrix/client/v3/rooms/!abc%3Aexample.com/send/m.room.message/"),
      `/bot${BOT}/sendMessage`,
    ]),
  )
  const failed = await runBallast(["alerts", "test", "--config", file], {
    env: { ...ENV, MAIL_PASSWORD: "a-wrong-password" },
  })
  expect(failed.code).toBe(1)
  expect(failed.stdout).toMatch(/^FAILED {5}mail \(email\): /m)
  expect(failed.stdout + failed.stderr).not.toContain("a-wrong-password")
  expect(
    (await runBallast(["alerts", "test", "nobody", "--config", file], { env: ENV })).code,
  ).toBe(64)
}, 90_000)

test("the heartbeat stops with the daemon, and no log line has a secret", async () => {
  const count = beats().length
  await until("the heart beats", async () => beats().length > count, 30_000)
  await daemon.stop()
  const stopped = beats().length
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(beats()).toHaveLength(stopped)
  const lines = readFileSync(log, "utf8")
  expect(lines).toContain("An alert was delivered")
  for (const secret of [SECRET_PATH, BOT, KEY, MAIL_PASSWORD]) expect(lines).not.toContain(secret)
}, 90_000)
