import { createServer, type Server } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { listen } from "../support/listen.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

/** The market prices in dollars per whole coin, by path. The tests change them. */
const market: Record<string, string> = { "/wbtc": "100000", "/sol": "200" }
let prices: Server
let sandbox: SandboxProcess
let daemon: DaemonProcess

beforeAll(async () => {
  prices = createServer((request, response) => {
    const price = market[request.url ?? ""]
    if (price === undefined) response.writeHead(503).end("<html>busy</html>")
    else response.setHeader("content-type", "application/json").end(`{"data":[{"price":${price}}]}`)
  })
  const base = (await listen(prices)).url
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,solana_testnet"])
  const sources = [
    { asset: "base_sepolia:wbtc", url: `${base}/wbtc`, path: "data.0.price" },
    { asset: "solana_testnet:sol", url: `${base}/sol`, path: "data.0.price" },
  ]
  daemon = startDaemonProcess(await writeE2eConfig(sandbox, "reference", { prices: { sources } }))
  await daemon.ready()
})
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
  prices?.close()
})

const swap = () =>
  daemon.call("POST", "/api/v1/swap", {
    from: "solana_testnet:sol",
    to: "base_sepolia:wbtc",
    amount: "0.5",
  })

test(
  "a swap that is expensive at market prices is refused with the numbers, even if the service " +
    "reports other values",
  async () => {
    market["/sol"] = "300"
    const { status, body } = await swap()
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { reasons: [{ code: "price.reference" }] },
    })
  },
)

test("a missing market price is a refusal reason and not a price of zero", async () => {
  delete market["/sol"]
  const { status, body } = await swap()
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { reasons: [{ code: "price.reference_missing" }] },
  })
})

test("a swap completes if service and market agree on its price", async () => {
  market["/sol"] = "200.1"
  const { status, body } = await swap()
  expect(status).toBe(202)
  const { id } = body as { id: string }
  await until("the order has an outcome", async () => (await daemon.order(id)).outcome !== null)
  expect(await daemon.order(id)).toMatchObject({ outcome: "completed" })
})
