import { execFile } from "node:child_process"
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Browser, Page } from "playwright-core"
import { type E2eConfig, writeE2eConfig } from "../test/support/e2e-config.ts"
import { findChromium, openBrowser } from "../test/support/open-browser.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  until,
} from "../test/support/sandbox-process.ts"
import { recordDesk } from "./site/record-desk.ts"

/*
 * Makes the pictures of docs/pictures, and the recording of the site's desk, from a real sandbox
 * with a real daemon: `node scripts/pictures.ts`. It needs Chromium, bitcoind and the program
 * `script`, and takes three minutes.
 */

const PICTURES = join(import.meta.dirname, "..", "docs", "pictures")
const MOST_BYTES = 200_000
const BTC = "bitcoin_testnet:btc"
const BASE = "base_sepolia:wbtc"
const ETHEREUM = "ethereum_sepolia:wbtc"

/**
 * No rule undoes the work of another: the band buys from Ethereum, and the schedule sells to
 * Bitcoin.
 */
const RULES = [
  {
    id: "hot-wallet",
    kind: "band",
    asset: BASE,
    min: "0.9995",
    target: "1.002",
    max: "1.1",
    sources: [ETHEREUM],
    sinks: [ETHEREUM],
    every: "5s",
  },
  {
    id: "weekly-btc",
    kind: "recurring",
    from: BASE,
    to: BTC,
    amount: "0.001",
    schedule: "*/15 * * * * *",
  },
]
const GUARDS = {
  max_order: "0.02",
  approve_above: "0.004",
  max_cost: "250bps",
  max_in_flight: 8,
  windows: [{ per: "24h", max: "0.2", max_fees: "500 usd", max_count: 200 }],
}
const LARGE = { from: BTC, to: BASE, amount: "0.008" }
const ENDED = 8

async function main(): Promise<void> {
  const program = findChromium()
  if (program === null) throw new Error("The pictures need Chromium")
  mkdirSync(PICTURES, { recursive: true })
  const sandbox = await startSandboxProcess([
    "--chains",
    "bitcoin_testnet,base_sepolia,ethereum_sepolia",
  ])
  const patch = { rules: RULES, guards: GUARDS, books: { reconcile_every: "2s" }, treasury: "desk" }
  const config = await writeE2eConfig(sandbox, "pictures", patch)
  const daemon = startDaemonProcess(config)
  const browser = await openBrowser(program)
  try {
    await daemon.ready()
    await until(
      "orders are completed",
      async () => (await listOrders(daemon, "completed")).length >= ENDED,
      240_000,
    )
    const waiting = await submit(daemon)
    await until(
      "an order waits",
      async () => (await daemon.order(waiting)).state === "awaiting-approval",
    )
    await drawTerminal(config, "status", "status")
    await drawTerminal(config, "why", "why hot-wallet")
    await photographPage(browser, config, "dashboard", "")
    const completed = await listOrders(daemon, "completed")
    // A payout on Bitcoin: the service names it with its block, which is no other transaction.
    const order = completed.find(({ to }) => to === BTC)
    await photographPage(browser, config, "order", `orders/${order?.id}`)
    const page = await openDesk(browser, config)
    await recordDesk(page, [waiting, ...completed.map(({ id }) => id)])
  } finally {
    await browser.close()
    await daemon.stop()
    await sandbox.stop()
  }
}

async function listOrders(
  daemon: DaemonProcess,
  state: string,
): Promise<readonly { readonly id: string; readonly to: string }[]> {
  const { body } = await daemon.call("GET", "/api/v1/orders?limit=200")
  // CAST: the daemon's own answer.
  const { orders } = body as { orders: { id: string; to: string; state: string }[] }
  return orders.filter((order) => order.state === state)
}

async function submit(daemon: DaemonProcess): Promise<string> {
  const { body } = await daemon.call("POST", "/api/v1/swap", LARGE)
  // CAST: the daemon's own answer.
  return (body as { id: string }).id
}

/** Runs a command on a terminal, and draws the text that it shows there. */
async function drawTerminal(
  { file, env }: E2eConfig,
  name: string,
  command: string,
): Promise<void> {
  const call = `stty cols 104 rows 60; ${process.execPath} ${LAUNCHER} ${command} --config ${file}`
  const options = { env: bareEnvironment({ ...env, TERM: "xterm" }) }
  // `status` ends with 1 while an order waits for a person.
  const { stdout } = await promisify(execFile)("script", ["-qc", call, "/dev/null"], options)
  // The file lies in a folder of this run, which says nothing to a reader.
  const text = stdout.replaceAll("\r", "").replaceAll(dirname(file), "/etc/ballast").trimEnd()
  const path = join(PICTURES, `${name}.svg`)
  writeFileSync(path, formatTerminal(command, text))
  checkSize(path)
}

const TONES: Readonly<Record<string, string>> = {
  32: "#7ee787",
  33: "#e3b341",
  "1;31": "#ff7b72",
  2: "#8b949e",
}
const [LINE, TOP, LEFT, SIGN] = [18, 58, 18, 7.85] as const

/** An SVG of the text, with the colours of its escape codes. */
function formatTerminal(command: string, text: string): string {
  const lines = [`\u001b[32m$\u001b[0m ballast ${command}`, ...text.split("\n")]
  const width = Math.ceil(
    2 * LEFT + SIGN * Math.max(...lines.map((line) => line.replaceAll(CODES, "").length)),
  )
  const height = TOP + LINE * lines.length
  let tone = "0"
  const rows = lines.map((line, index) => {
    const parts = line.split(CODES).map((part, at) => {
      if (at % 2 === 1) tone = part
      const escaped = part.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
      return at % 2 === 1 || part === ""
        ? ""
        : `<tspan fill="${TONES[tone] ?? "#e6edf3"}">${escaped}</tspan>`
    })
    return (
      `<text x="${LEFT}" y="${TOP + LINE * index}" ` +
      `xml:space="preserve">${parts.join("")}</text>`
    )
  })
  const dots = [0, 1, 2].map((at) => `<circle cx="${24 + 20 * at}" cy="22" r="6" fill="#30363d"/>`)
  const font =
    'font-family="DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace" font-size="13"'
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>
<title>ballast ${command}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>${dots.join("")}
${rows.join("\n")}
</svg>
`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape codes of a terminal begin with one.
const CODES = /\u001b\[([\d;]+)m/g

async function photographPage(
  browser: Browser,
  config: E2eConfig,
  name: string,
  place: string,
): Promise<void> {
  const page = await openDesk(browser, config)
  if (place !== "") await page.goto(`http://127.0.0.1:${config.port}/#/${place}`)
  await page.waitForTimeout(3_000)
  const path = join(PICTURES, `${name}.jpg`)
  await page.screenshot({ path, type: "jpeg", quality: 85 })
  // The order that waits is there to be seen; each other warning would be a false one.
  const pills = await page.locator("main .pill.warn, main .pill.bad").allInnerTexts()
  const warnings = pills.filter((text) => text !== "awaiting approval")
  if (warnings.length > 0) throw new Error(`${name} warns of: ${warnings.join(", ")}`)
  checkSize(path)
  await page.context().close()
}

async function openDesk(browser: Browser, { port }: E2eConfig): Promise<Page> {
  const options = { locale: "en-GB", timezoneId: "UTC", colorScheme: "light" } as const
  const context = await browser.newContext({ ...options, viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`http://127.0.0.1:${port}/#/`)
  await page.getByLabel("Token").fill(TOKEN)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("region", { name: "Verdict" }).waitFor()
  return page
}

function checkSize(path: string): void {
  const { size } = statSync(path)
  console.log(`${basename(path)} ${Math.round(size / 1_000)} kB`)
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`)
}

await main()
