import { afterAll, beforeAll, expect, test } from "vitest"
import { type HttpReceiver, startHttpReceiver } from "../support/alert-receivers.ts"
import { decodeOtlp } from "../support/decode-otlp.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.0005" }

let sandbox: SandboxProcess
let collector: HttpReceiver
let config: E2eConfig
let daemon: DaemonProcess

beforeAll(async () => {
  ;[sandbox, collector] = await Promise.all([
    startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"]),
    startHttpReceiver(),
  ])
  config = await writeE2eConfig(sandbox, "traces", {
    telemetry: { otlp: collector.url.replace("//", "//me:pass@") },
  })
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 90_000)
afterAll(async () => {
  await daemon?.stop()
  await collector?.close()
  await sandbox?.stop()
})

test("a running daemon sends a trace of each order, which goes on after a restart", async () => {
  const first = await swap()
  await until("the first trace is whole", async () =>
    spansOf(first).some(({ parentSpanId }) => parentSpanId === undefined),
  )
  const [root, ...others] = spansOf(first).filter(({ parentSpanId }) => parentSpanId === undefined)
  expect(others).toEqual([])
  expect(root?.name).toBe(`order ${SWAP.from} → ${SWAP.to}`)
  const names = spansOf(first).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(["quoting", "verifying", "funded"]))
  expect(new Set(collector.calls.map(({ path }) => path))).toEqual(new Set(["/v1/traces"]))
  expect(collector.calls[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from("me:pass").toString("base64")}`,
  )
  const { body } = await daemon.call("GET", "/metrics")
  expect(String(body)).toMatch(/^ballast_trace_spans_total\{result="sent"\} [1-9]/m)

  await daemon.stop()
  daemon = startDaemonProcess(config)
  await daemon.ready()
  const second = await swap()
  await until("the second trace is whole", async () =>
    spansOf(second).some(({ parentSpanId }) => parentSpanId === undefined),
  )
  expect(daemon.output()).not.toContain("me:pass")
})

async function swap(): Promise<string> {
  const { body } = await daemon.call("POST", "/api/v1/swap", SWAP)
  // CAST: our own interface.
  const { id } = body as { id: string }
  await waitForOutcome(daemon, id)
  return id
}

function spansOf(order: string) {
  const spans = collector.calls.flatMap(({ body }) => decodeOtlp(body))
  return spans.filter(({ attributes }) =>
    attributes?.some(({ key, value }) => key === "ballast.order" && value.stringValue === order),
  )
}
