import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { money } from "../../src/core/domain/amount.ts"
import type { AnswerOf } from "../../src/core/schema/answers/answers.ts"
import { axisNumber } from "../../src/lab/backtest/plot/axis.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import {
  type Posting,
  type Rows,
  readRows,
  type Sums,
  sayWithin,
  sumsOf,
} from "../support/desk-books.ts"
import { callRpc, chainOf, readBalances } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { findAxeProblems } from "../support/find-axe-problems.ts"
import { findRawText } from "../support/find-raw-text.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { keepPicture, openDesk, SCREENS, type Screen, SIZES } from "../support/open-desk.ts"
import { readTokenBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const BASE = "base_sepolia:wbtc"
const ETHEREUM = "ethereum_sepolia:wbtc"
/** In usd, given by price sources that do not move. */
const PRICES: Readonly<Record<string, number>> = {
  [BASE]: 100_000,
  [ETHEREUM]: 100_000,
  "base_sepolia:eth": 4_000,
  "ethereum_sepolia:eth": 4_000,
  "base_sepolia:cbbtc": 99_000,
  "ethereum_sepolia:cbbtc": 99_000,
  "base_sepolia:usdc": 1,
  "ethereum_sepolia:usdc": 1,
}
const DECIMALS: Readonly<Record<string, number>> = { wbtc: 8, cbbtc: 8, usdc: 6, eth: 18 }
const STUCK = 0.002
/** Counts the plots of each frame that are far narrower than their place. */
const WATCH_WIDTHS = `
globalThis.shown = { plots: 0, narrow: 0 }
function look() {
  for (const plot of document.querySelectorAll(".chart > svg")) {
    const place = plot.parentElement.clientWidth
    shown.plots += 1
    if (place > 300 && Number(plot.getAttribute("width")) < place / 2) shown.narrow += 1
  }
  requestAnimationFrame(look)
}
requestAnimationFrame(look)`
const BAND = { min: 0.2, target: 0.9, max: 40 }
/** The first one decides once, at the start, and moves no money. */
const rulesAt = (run: Date): readonly object[] => [
  {
    id: "keep-base",
    kind: "band",
    asset: BASE,
    min: String(BAND.min),
    target: String(BAND.target),
    max: String(BAND.max),
    sources: [ETHEREUM],
    every: "6h",
  },
  {
    id: "too-much",
    kind: "recurring",
    schedule: `${run.getUTCMinutes()} ${run.getUTCHours()} * * *`,
    from: BASE,
    to: ETHEREUM,
    amount: "0.2",
  },
]
/** The second rule runs once meanwhile, and asks for more than an order may have. */
const RUNS_AFTER_MS = 100_000
const WINDOW = { per: "24h", max: "1.5", max_fees: "500 usd", max_count: 40 }
const WAIT = { timeout: 20_000 }

type Board = {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}
/** Whole units by asset of the chains before and after the orders, and the rows of the books. */
type World = Rows & {
  readonly before: Readonly<Record<string, number>>
  readonly now: Readonly<Record<string, number>>
  readonly locked: number
}

/** A figure, its view, where it is written in full, and what it must be. */
type Figure = readonly [
  name: string,
  view: () => string,
  place: () => Locator,
  expected: (world: World) => number,
]

const program = findChromium()

describe.skipIf(program === null)("the figures of the desk", () => {
  let prices: Server
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  let browser: Browser
  let page: Page
  let world: World
  let completed = ""
  let stuck = ""

  beforeAll(async () => {
    prices = createServer(({ url = "" }, response) => {
      response
        .setHeader("content-type", "application/json")
        .end(`{"price":${PRICES[url.slice(1)]}}`)
    })
    await new Promise<void>((resolve) => prices.listen(0, "127.0.0.1", resolve))
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    const options = { deposit: "onchain" }
    // CAST: a server on TCP has an address with a port.
    const { port } = prices.address() as AddressInfo
    const sources = Object.keys(PRICES).map((asset) => ({
      asset,
      url: `http://127.0.0.1:${port}/${asset}`,
      path: "price",
    }))
    const patch = {
      rules: rulesAt(new Date(Date.now() + RUNS_AFTER_MS)),
      guards: { max_order: "0.1", approve_above: "0.05", windows: [WINDOW] },
      books: { reconcile_every: "2s" },
      prices: { sources, trust_service: false },
    }
    config = await writeE2eConfig(sandbox, "figures", patch, options)
    const before = await readWallets()
    daemon = startDaemonProcess(config)
    await daemon.ready()
    await until("the first reading is stored", async () => {
      const { body } = await daemon.call("GET", "/api/v1/summary")
      return /"totalFiat":"[1-9]/.test(JSON.stringify(body))
    })
    await daemon.stop()
    ageSamples()
    daemon = startDaemonProcess(config)
    await daemon.ready()
    for (const amount of ["0.01", "0.003"]) {
      completed = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount })
      expect(await waitForOutcome(daemon, completed)).toMatchObject({ outcome: "completed" })
    }
    const back = await acceptSwap(daemon, { from: ETHEREUM, to: BASE, amount: "0.004" })
    expect(await waitForOutcome(daemon, back)).toMatchObject({ outcome: "completed" })
    const unwanted = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: "0.06" })
    const waits = async () => (await daemon.order(unwanted)).state === "awaiting-approval"
    await until("an order waits for approval", waits)
    await daemon.call("POST", `/api/v1/orders/${unwanted}/reject`, {})
    expect(await waitForOutcome(daemon, unwanted)).toMatchObject({ outcome: "rejected" })
    await setFaults(sandbox, { solverSilent: true })
    stuck = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: String(STUCK) })
    await until("its deposit is seen", async () => (await daemon.order(stuck)).deposited)
    await until("books and chains agree", async () => {
      const { body } = await daemon.call("GET", "/api/v1/reconciliation")
      return !/"state":"(?!agrees)/.test(JSON.stringify(body))
    })
    const { htlc } = chainOf(sandbox, BASE).assets.find(({ id }) => id === BASE) ?? { htlc: null }
    const locked = Number(await readTokenBalance(sandbox, BASE, htlc ?? "")) / 1e8
    world = { before, now: await readWallets(), locked, ...readRows(journalFile()) }
    browser = await openBrowser(program ?? "")
    page = await openDesk(browser, config.port, ["wide", "light"])
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await daemon?.stop()
    await sandbox?.stop()
    prices?.close()
  })

  /** By plain RPC, without the daemon's own readers. */
  async function readWallets(): Promise<Record<string, number>> {
    const balances = Object.entries(await readBalances(sandbox))
    return Object.fromEntries(
      balances.map(([id, units]) => [id, Number(units) / 10 ** decimalsOf(id)]),
    )
  }

  function journalFile(): string {
    return join(sandbox.dir, "figures", "journal.db")
  }

  /** The samples of five minutes share a row, so the first reading is made older than that. */
  function ageSamples(): void {
    const journal = new DatabaseSync(journalFile())
    journal.exec("update samples set at = at - 3600000")
    journal.close()
  }

  const figure = (name: string): Locator =>
    page
      .getByRole("region", { name: "Money" })
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
  const exact = (place: Locator): Locator => place.locator("[data-exact]").first()
  const place = (asset: string): Locator =>
    page
      .locator(".places tbody")
      .filter({ hasText: asset.startsWith("base") ? "Base Sepolia" : "Ethereum Sepolia" })
      .locator("tr")
      .filter({ has: page.getByRole("rowheader", { name: symbolOf(asset), exact: true }) })
  const term = (name: string): Locator =>
    page
      .locator("dl.pairs > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd")

  const ofAssets = Object.keys(PRICES)
  const held = ({ now }: World, asset: string): number => (now[asset] ?? 0) * (PRICES[asset] ?? 0)
  const total = (one: World): number =>
    ofAssets.reduce((sum, asset) => sum + held(one, asset), 0) + one.locked * (PRICES[BASE] ?? 0)
  const start = ({ before }: World): number =>
    ofAssets.reduce((sum, asset) => sum + (before[asset] ?? 0) * (PRICES[asset] ?? 0), 0)
  const sum = ({ postings }: World, is: (one: Posting) => boolean): number =>
    postings.filter(is).reduce((all, { fiat }) => all + fiat, 0)
  const moved = (one: World): number =>
    sum(one, ({ outcome, kind, account }) => {
      return (
        outcome === "completed" && kind === "deposit" && account.startsWith("assets:in-transit:")
      )
    })
  const network = (one: World): number =>
    sum(one, ({ account }) => account.startsWith("expenses:network:"))
  const swapCost = (one: World): number =>
    sum(one, ({ account }) => /^expenses:(swap|payout|affiliate)$/.test(account))
  /** A fee is booked when its transaction is final, which may be after the last swap's end. */
  const current = (): World => ({ ...world, ...readRows(journalFile()) })
  const ofOrder = (one: World): World => ({
    ...one,
    postings: one.postings.filter(({ order }) => order === completed),
  })

  const FIGURES: readonly Figure[] = [
    ["the total", () => "", () => page.locator(".money-first .total"), total],
    [
      "the change since the first reading",
      () => "",
      () => page.locator(".money-first b[title]"),
      (one) => total(one) - start(one),
    ],
    [
      "the part of swaps and fees",
      () => "",
      () => page.locator(".parts span").nth(2),
      (one) => total(one) - start(one),
    ],
    ["the part of prices", () => "", () => page.locator(".parts span").nth(0), () => 0],
    ["the part of outside money", () => "", () => page.locator(".parts span").nth(1), () => 0],
    ["moved in 24 h", () => "", () => exact(figure("Moved in 24 h")), moved],
    [
      "cost in 24 h",
      () => "",
      () => exact(figure("Cost in 24 h")),
      (one) => swapCost(one) + network(one),
    ],
    [
      "in flight",
      () => "",
      () => exact(figure("In flight")),
      ({ locked }) => locked * (PRICES[BASE] ?? 0),
    ],
    ...ofAssets.flatMap((asset): readonly Figure[] => [
      [
        `the balance of ${asset}`,
        () => "",
        () => exact(place(asset)),
        ({ now }: World) => now[asset] ?? 0,
      ],
      [
        `the value of ${asset}`,
        () => "treasury",
        () => place(asset).locator("td").nth(2),
        (one: World) => held(one, asset) + (asset === BASE ? one.locked * (PRICES[BASE] ?? 0) : 0),
      ],
      [
        `what ${asset} changed by`,
        () => "",
        () => place(asset).locator("td").nth(3),
        ({ now, before }: World) => (now[asset] ?? 0) - (before[asset] ?? 0),
      ],
    ]),
    ["on its way out", () => "", () => place(BASE).locator("td.some span"), ({ locked }) => locked],
    ["the total of the treasury", () => "treasury", () => page.locator(".shares .total"), total],
    [
      "the flows of the treasury",
      () => "treasury",
      () => page.locator(".card header b[title]").first(),
      moved,
    ],
    [
      "the value of an order",
      () => `orders/${completed}`,
      () => term("Value"),
      (one) => moved(ofOrder(one)),
    ],
    [
      "the cost of an order",
      () => `orders/${completed}`,
      () => term("Cost, network fees so far included"),
      (one) => swapCost(ofOrder(one)) + network(ofOrder(one)),
    ],
    ["the volume of the books", () => "books", () => page.locator(".figure .big").nth(0), moved],
    ["the cost of the books", () => "books", () => page.locator(".figure .big").nth(1), swapCost],
    [
      "the network fees of the books",
      () => "books",
      () => page.locator(".figure .big").nth(2),
      network,
    ],
  ]

  test.each(FIGURES)("%s", async (name, view, locate, expected) => {
    await page.goto(`http://127.0.0.1:${config.port}/#/${view()}`)
    await locate().waitFor(WAIT)
    // The reading of a balance is some seconds old, and fiat is shown with cents.
    const near = async (): Promise<number> =>
      Math.abs((await readFigure(locate())) - expected(current()))
    const isAmount = /^(the balance|what|on its way)/.test(name)
    const slack = Math.max(Math.abs(expected(world)) * 1e-6, isAmount ? 1e-9 : 0.006)
    await expect.poll(near, { ...WAIT, interval: 500 }).toBeLessThanOrEqual(slack)
  })

  test("the shares of the cost and the counts are those of the rows", async () => {
    await page.goto(`http://127.0.0.1:${config.port}/#/`)
    const cost = (): number => swapCost(current()) + network(current())
    const isShown = async (): Promise<boolean> =>
      (await figure("Cost in 24 h").innerText()).includes(
        `${Math.ceil((cost() * 10_000) / moved(world))} bps`,
      )
    await expect.poll(isShown, WAIT).toBe(true)
    expect(await figure("Moved in 24 h").innerText()).toContain(`${world.orders.length} orders`)
    expect(await figure("In flight").innerText()).toContain("1 order")
    const left = await place("ethereum_sepolia:eth").innerText()
    expect(left).toContain(daysLeft(world, "ethereum_sepolia:eth"))
  })

  test("the board of Grafana and the report have the money of the page", async () => {
    const cost = (one: World): number => swapCost(one) + network(one)
    const expected: Readonly<Record<string, (one: World) => number>> = {
      Total: total,
      "Moved in 24 h": moved,
      "Cost in 24 h": cost,
      "Cost in 24 h, bps": (one) => Math.ceil((cost(one) * 10_000) / moved(one)),
    }
    // CAST: the test in test/e2e/ops/prometheus.test.ts reads its form.
    const { panels } = JSON.parse(readFileSync("config/grafana/ballast.json", "utf8")) as Board
    for (const [title, wanted] of Object.entries(expected)) {
      const { expr = "" } = panels.find((panel) => panel.title === title)?.targets?.[0] ?? {}
      const [, name = "none", factor = "1"] = /^(\w+)\{[^}]*\}(?: \* (\d+))?$/.exec(expr) ?? []
      const miss = async (): Promise<number> => {
        const metrics = String((await daemon.call("GET", "/metrics")).body)
        const sample = Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1])
        return Math.abs((sample * Number(factor)) / wanted(current()) - 1)
      }
      await expect.poll(miss, { ...WAIT, message: title }).toBeLessThan(1e-6)
    }
    const { body } = await daemon.call("GET", "/api/v1/report")
    // CAST: the daemon's own answer.
    const { total: line } = body as AnswerOf<"Report">
    expect(Number(line.volumeFiat)).toBeCloseTo(moved(world), 5)
    const parts = [line.swapCostFiat, line.affiliateCostFiat, line.payoutCostFiat]
    expect(
      parts.reduce((all, part) => all + Number(part), Number(line.networkFeeFiat)),
    ).toBeCloseTo(cost(current()), 5)
  })

  test("a rule shows its own bounds, and an order its amounts", async () => {
    await page.goto(`http://127.0.0.1:${config.port}/#/rules`)
    const sentence = page.locator(".sentence").first()
    for (const bound of Object.values(BAND))
      expect(await sentence.innerText()).toContain(String(bound))
    await page.goto(`http://127.0.0.1:${config.port}/#/orders/${completed}`)
    const amounts = page.locator("main h1 [data-exact]")
    await amounts.first().waitFor(WAIT)
    const ofKind = (kind: string, account: RegExp): number =>
      (ofOrder(world).postings.find((one) => one.kind === kind && account.test(one.account))
        ?.units ?? Number.NaN) / 1e8
    expect(
      await amounts.evaluateAll((all) => all.map((one) => one.getAttribute("data-exact"))),
    ).toEqual([
      String(ofKind("deposit", /^assets:in-transit:/)),
      String(ofKind("payout", /^assets:wallet:/)),
    ])
  })

  const card = (title: string): Locator =>
    page.locator("section.card").filter({ has: page.getByRole("heading", { name: title }) })
  /** The cells of each row, in full where the page has all digits. */
  const cellsOf = (rows: Locator, cells = "th, td"): Promise<readonly (readonly string[])[]> =>
    rows.evaluateAll(
      (all, chosen) =>
        all.map((row) =>
          [...row.querySelectorAll(chosen)].map((cell) => {
            const exact = cell.closest("[data-exact]") ?? cell.querySelector("[data-exact]")
            return exact?.getAttribute("data-exact") ?? cell.textContent?.trim() ?? ""
          }),
        ),
      cells,
    )
  const goTo = async (view: string): Promise<void> => {
    await page.setViewportSize(SIZES.wide)
    await page.goto(`http://127.0.0.1:${config.port}/#/${view}`)
    await page.locator("main h1").waitFor(WAIT)
  }
  /** Waits until the page says the same as rows and chains, which are read again each time. */
  async function compare(
    name: string,
    shown: () => Promise<unknown>,
    booked: (rows: Rows) => unknown,
  ): Promise<void> {
    const judge = async (): Promise<unknown> => {
      const onPage = JSON.stringify(await shown())
      const inRows = JSON.stringify(booked(current()))
      return onPage === inRows ? "the same" : { onPage, inRows }
    }
    await expect.poll(judge, { ...WAIT, interval: 500, message: name }).toBe("the same")
  }
  const cents = (fiat: number | string): string => Number(fiat).toFixed(3)
  const bpsOf = ({ bps }: Sums): string => (bps === null ? "–" : String(bps))
  const chainOfAsset = (asset: string): string => asset.split(":")[0] ?? ""
  const nameOf = (chain: string): string =>
    chain === "base_sepolia" ? "Base Sepolia" : "Ethereum Sepolia"

  test("counts and times since the last look are those of the rows", async () => {
    const hasRun = async (): Promise<boolean> => current().missed.get("too-much") === 1
    await until("the second rule has run", hasRun, 120_000)
    await goTo("")
    const since = card("Since you last looked")
    const told = async (): Promise<unknown> => {
      const [[orders, volume, cost, slowest] = []] = await cellsOf(since.locator("dl"), "dd")
      const said = await since.locator("ul.small li").allInnerTexts()
      const [name] = await since.locator("dt").filter({ hasText: "Cost" }).allInnerTexts()
      return [orders, cents(volume ?? ""), cents(cost ?? ""), slowest, name, said.toSorted()]
    }
    await compare("since you last looked", told, (rows) => {
      const all = sumsOf(rows)
      return [
        String(all.orders),
        cents(all.moved),
        cents(all.cost),
        sayWithin(all, 100),
        `Cost, ${bpsOf(all)} bps`,
        [
          `▲ ${rows.missed.get("too-much")} planned run came to no swap`,
          `▲ ${rows.orders.filter(({ outcome }) => outcome === "rejected").length} order ended ` +
            "without a swap",
        ].toSorted(),
      ]
    })
    await compare(
      "times",
      async () => (await figure("Half done within").innerText()).replace(/\s+/g, " "),
      (rows) =>
        [
          `Half done within ${sayWithin(sumsOf(rows), 50)}`,
          `nine of ten ${sayWithin(sumsOf(rows), 90)}`,
        ].join(" "),
    )
    const args = ["status", "--since", "24h", "--config", config.file]
    const { stdout } = await runBallast(args, { env: config.env })
    const rows = current()
    const all = sumsOf(rows)
    const usd = (fiat: number): string => `${fiat.toFixed(2)} usd`
    expect(stdout).toMatch(/ {2}orders {2}(?=.*\b3 completed)(?=.*\b1 rejected)(?=.*\b1 open)/)
    expect(all.completed).toBe(3)
    expect(stdout).toContain(`moved   ${usd(all.moved)}, cost ${usd(all.cost)} (${bpsOf(all)} bps)`)
    const [slowest] = rows.orders
      .filter(({ outcome }) => outcome === "completed")
      .toSorted((a, b) => b.changedMs - b.askedMs - (a.changedMs - a.askedMs))
    expect(stdout).toContain(
      `took    half within ${sayWithin(all, 50)}, nine of ten within ${sayWithin(all, 90)}, ` +
        `slowest ${sayWithin(all, 100)} (${slowest?.id.slice(0, 8)})`,
    )
    expect(stdout).toContain(`missed  too-much: ${rows.missed.get("too-much")} run`)
    const [, said = ""] = /total {3}([\d.]+) usd/.exec(stdout) ?? []
    expect(Math.abs(Number(said) / total(world) - 1)).toBeLessThan(1e-6)
  }, 240_000)

  test("volume, cost and time by rule, pair, service and time are those of the rows", async () => {
    await goTo("treasury")
    const table = card("Volume, cost and time")
    const groups: Readonly<Record<string, (order: Rows["orders"][number]) => string>> = {
      Rule: ({ rule }) => rule,
      Service: ({ service }) => service,
      Pair: ({ from, to }) => `${sayAsset(from)} → ${sayAsset(to)}`,
      Time: ({ askedMs }) => new Date(askedMs).toISOString().slice(0, 10),
    }
    const lineOf = (name: string, sums: Sums): readonly string[] => [
      name,
      String(sums.orders),
      ...[sums.moved, sums.cost, sums.network].map(cents),
      bpsOf(sums),
      sayWithin(sums, 50),
      sayWithin(sums, 95),
    ]
    for (const [group, keyOf] of Object.entries(groups)) {
      await table.getByRole("button", { name: group, exact: true }).click()
      const shown = async (): Promise<unknown> =>
        (await cellsOf(table.locator("tbody tr")))
          .map((row) => row.map((cell, at) => (at > 1 && at < 5 ? cents(cell) : cell)))
          .toSorted()
      await compare(`by ${group}`, shown, (rows) => {
        const names = new Set(rows.orders.map(keyOf))
        const lines = [...names].map((name) =>
          lineOf(
            name,
            sumsOf(rows, (o) => keyOf(o) === name),
          ),
        )
        return [...lines, lineOf("Total", sumsOf(rows))].toSorted()
      })
    }
  })

  test("flows, shares, plots and fee coins of the treasury are those of rows and chains", async () => {
    await goTo("treasury")
    const flowsShown = async (): Promise<unknown> =>
      (await cellsOf(card("The same as a table").locator("tbody tr")))
        .map(([way = "", orders, ...rest]) => [
          way.replace(/\s+/g, " "),
          orders,
          ...rest.slice(0, 2).map(cents),
          rest[2],
        ])
        .toSorted()
    await compare("between chains", flowsShown, (rows) => {
      const keyOf = ({ from, to }: { from: string; to: string }): string =>
        `${nameOf(chainOfAsset(from))} → ${nameOf(chainOfAsset(to))}`
      return [...new Set(rows.orders.map(keyOf))]
        .map((way) => {
          const sums = sumsOf(rows, (one) => keyOf(one) === way)
          return [way, String(sums.orders), cents(sums.moved), cents(sums.cost), bpsOf(sums)]
        })
        .toSorted()
    })
    await compare(
      "ribbons",
      async () => (await page.locator("path.flow title").allTextContents()).toSorted(),
      (rows) =>
        [...new Set(rows.orders.map(({ from, to }) => `${from} ${to}`))]
          .map((pair) => {
            const [from = "", to = ""] = pair.split(" ").map((id) => nameOf(chainOfAsset(id)))
            const { moved: value } = sumsOf(rows, (one) => `${one.from} ${one.to}` === pair)
            return `${from} → ${to}: ${money(String(value))}`
          })
          .toSorted(),
    )
    const today = async (title: string): Promise<unknown> =>
      (await cellsOf(page.locator(`table:has(caption:text-is("${title}")) tbody tr`))).at(-1)
    const day = (): string => new Date().toISOString().slice(0, 10)
    const fiat = (value: number): string => `$${axisNumber(value)}`
    await compare(
      "cost of the day",
      () => today("Cost in usd"),
      (rows) => {
        const { cost, network: fees } = sumsOf(rows)
        return [day(), fiat(round(cost - fees)), fiat(round(fees))]
      },
    )
    await compare(
      "bps of the day",
      () => today("Cost in bps of what moved"),
      (rows) => [day(), bpsOf(sumsOf(rows))],
    )
    await compare(
      "times of the day",
      () => today("Time to completion"),
      (rows) => [day(), sayWithin(sumsOf(rows), 50), sayWithin(sumsOf(rows), 95)],
    )
    await compare(
      "times of the week",
      async () => (await card("Time to completion").locator("p b").allInnerTexts()).slice(0, 2),
      (rows) => [sayWithin(sumsOf(rows), 50), sayWithin(sumsOf(rows), 95)],
    )
    await compare(
      "coins for fees",
      async () => (await cellsOf(card("Coin for fees").locator("tbody tr"))).map((row) => row[3]),
      (rows) =>
        ["base_sepolia:eth", "ethereum_sepolia:eth"].map((coin) => {
          const left = daysLeft({ ...world, ...rows }, coin)
          return /^\d/.test(left) ? `about ${left}` : left
        }),
    )
    const shares = card("Shares of the chains").or(page.getByLabel("Shares of the chains")).first()
    for (const chain of ["base_sepolia", "ethereum_sepolia"]) {
      const value = ofAssets
        .filter((asset) => asset.startsWith(`${chain}:`))
        .reduce((sum, asset) => sum + held(world, asset), 0)
      const all = value + (chain === "base_sepolia" ? world.locked * (PRICES[BASE] ?? 0) : 0)
      const percent = ((100 * all) / total(world)).toFixed(1)
      const said = `${nameOf(chain)} ${money(String(all))} ${percent}%`
      const text = async (): Promise<string> => (await shares.innerText()).replace(/\s+/g, " ")
      await expect.poll(text, WAIT).toContain(said)
      const row = await page
        .locator(".places tr.chain")
        .filter({ hasText: nameOf(chain) })
        .innerText()
      expect(row.replace(/\s+/g, " ")).toMatch(/ [\d.]+% of the total \$[\d,]+/)
      expect(row).toContain(money(String(all)))
    }
    for (const asset of ofAssets) {
      const name = `${symbolOf(asset)} on ${nameOf(chainOfAsset(asset))}`
      const [amount] = await page
        .getByRole("region", { name })
        .locator(".head [data-exact]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-exact")))
      expect(Math.abs(Number(amount) - (world.now[asset] ?? 0)), name).toBeLessThan(1e-9)
    }
  })

  test("each line of the orders, and the sums of a filter, are those of the rows", async () => {
    await goTo("orders")
    const shown = async (): Promise<unknown> =>
      (await cellsOf(page.locator(".orders tbody tr"))).map((row) => {
        const [, id, sends, , receives, value, cost, , , , rule] = row
        return [id, sends, receives, value === "–" ? value : cents(value ?? ""), cost, rule]
      })
    const answers = await Promise.all(world.orders.map(({ id }) => daemon.order(id)))
    await compare("the orders", shown, (rows) =>
      rows.orders.map(({ id, outcome, rule }) => {
        const units = (kind: string, account: RegExp): string | null => {
          const found = rows.postings.find(
            (one) => one.order === id && one.kind === kind && account.test(one.account),
          )
          return found === undefined ? null : String(found.units / 1e8)
        }
        const answer = answers.find((one) => one.id === id)
        const sent = units("deposit", /^assets:in-transit:/) ?? answer?.amount
        const paid = units("payout", /^assets:wallet:/) ?? answer?.destinationAmount ?? "–"
        const own = sumsOf(rows, (one) => one.id === id)
        const value = outcome === "completed" ? own.moved : Number(sent) * (PRICES[BASE] ?? 0)
        return [id.slice(0, 8), sent, paid, cents(value), `${answer?.costBps} bps`, rule]
      }),
    )
    await page.getByRole("button", { name: "completed", exact: true }).click()
    const sums = page.locator(".sums")
    await sums.waitFor(WAIT)
    const paidMs = answers
      .flatMap(({ outcome, seen }) => {
        const from = seen["sourceInitiated"]
        const to = seen["destinationRedeemed"]
        if (outcome !== "completed" || from == null || to == null) return []
        return [Math.max(0, Date.parse(to.at) - Date.parse(from.at))]
      })
      .sort((a, b) => a - b)
    await compare(
      "the sums of a filter",
      async () => (await sums.innerText()).replace(/\s+/g, " "),
      (rows) => {
        const all = sumsOf(rows, ({ outcome }) => outcome === "completed")
        return (
          `All of this filter: ${all.completed} completed ${money(String(all.moved))} moved ` +
          `${money(String(all.cost))} cost, ${bpsOf(all)} bps ` +
          `paid out in ${sayWithin({ spans: paidMs }, 50)} (median)`
        )
      },
    )
    await goTo(`orders/${completed}`)
    await compare(
      "the events of an order",
      () => page.locator("ol.events li").count(),
      (rows) => rows.orders.find(({ id }) => id === completed)?.events,
    )
  })

  test("books, limits and runs are those of the rows", async () => {
    await goTo("books")
    const lineOf = (name: string, sums: Sums, rows: Rows): readonly string[] => [
      name,
      ["completed", "rejected", null]
        .map((end) => [end ?? "open", rows.orders.filter((one) => one.outcome === end).length])
        .map(([end, count]) => `${count} ${end}`)
        .toSorted()
        .join(", "),
      money(String(sums.moved)),
      money(String(sums.cost - sums.network)),
      money(String(sums.network)),
      `${((sums.bps ?? 0) / 100).toFixed(2)}%`,
    ]
    await compare(
      "the books by rule",
      async () =>
        (await cellsOf(card("By rule").locator("tbody tr"))).map(([name, counts = "", ...rest]) => [
          name,
          counts.split(", ").toSorted().join(", "),
          ...rest,
        ]),
      (rows) => ["manual", "total"].map((name) => lineOf(name, sumsOf(rows), rows)),
    )
    await compare(
      "the notes of the books",
      async () => (await page.locator(".figure .note").allInnerTexts()).slice(0, 2),
      (rows) => [
        `${rows.orders.length} orders`,
        `${((sumsOf(rows).bps ?? 0) / 100).toFixed(2)}% of the volume, network fees included`,
      ],
    )
    await compare(
      "the week of the books",
      async () =>
        (await cellsOf(page.locator('table:has(caption:text-is("Volume by week")) tbody tr'))).at(
          -1,
        )?.[1],
      (rows) => `$${axisNumber(sumsOf(rows).moved)}`,
    )
    await goTo("limits")
    const used =
      (name: string): (() => Promise<string>) =>
      () =>
        card(name).locator(".note").last().innerText()
    await compare("in flight", used("In flight"), (rows) => {
      const open = rows.orders.filter(({ outcome }) => outcome === null).length
      return `${open} of 24 orders used`
    })
    for (const [asset, name] of [
      [BASE, "WBTC on Base Sepolia sold in 24 h"],
      [ETHEREUM, "WBTC on Ethereum Sepolia sold in 24 h"],
    ] as const)
      await compare(name, used(name), (rows) => {
        const sold = rows.postings
          .filter((one) => one.asset === asset && one.kind === "deposit")
          .filter(({ account }) => account.startsWith("assets:in-transit:"))
          .reduce((all, { units }) => all + units / 1e8, 0)
        return `${Number(sold.toFixed(8))} of ${WINDOW.max} WBTC used`
      })
    await compare("orders in 24 h", used("Orders in 24 h"), (rows) => {
      const counted = rows.orders.filter(({ outcome }) => outcome !== "rejected")
      return `${counted.length} of ${WINDOW.max_count} orders used`
    })
    const fees = ({ orders }: Rows): string => {
      const sum = orders.reduce((all, { feeFiat }) => all + feeFiat, 0)
      return `${money(String(round(sum)))} of $500.00`
    }
    await compare("fees in 24 h", used("Fees in 24 h"), (rows) => `${fees(rows)} used`)
    await goTo("")
    await compare(
      "the fee budget",
      async () =>
        (await card("Limits used").locator(".limit p").last().innerText()).replace(/\s+/g, " "),
      (rows) => `fees in 24 h ${fees(rows)}`,
    )
    await goTo("rules")
    for (const rule of ["keep-base", "too-much"])
      await compare(
        `the runs of ${rule}`,
        async () => {
          const said = await card(rule).locator(".calls figcaption").innerText()
          return [...said.matchAll(/(\d+) (?:swapped|nothing|refused|missed)/g)].reduce(
            (all, [, count]) => all + Number(count),
            0,
          )
        },
        (rows) => rows.decided.get(rule) ?? 0,
      )
  })

  /** One state of the overview, as a person with this screen sees it. */
  async function judgeState(name: string, [size, colorScheme]: Screen, check: () => Promise<void>) {
    await page.setViewportSize(SIZES[size])
    await page.emulateMedia({ colorScheme })
    await page.goto(`http://127.0.0.1:${config.port}/#/`)
    await page.reload()
    await check()
    await keepPicture(page, name, [size, colorScheme])
    const wide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    expect({ wide: Math.max(0, wide), raw: await findRawText(page) }).toEqual({ wide: 0, raw: [] })
    expect(await findAxeProblems(page)).toEqual([])
  }

  test.each(SCREENS)("a quiet day, %s and %s", (...screen) =>
    judgeState("quiet-day", screen, async () => {
      expect(await readOverview()).toMatchObject({ problems: [], alarms: [] })
      const verdict = page.getByRole("region", { name: "Verdict" })
      await expect.poll(() => verdict.innerText(), WAIT).toBe("All is well · live mode")
      expect(await page.locator("main").innerText()).toContain("✓ Nothing.")
    }),
  )

  test.each(SCREENS)("a source that is stale: only its rows are old, %s and %s", (...screen) =>
    judgeState("stale-source", screen, async () => {
      const oldAt = new Date(Date.now() - 40 * 60_000).toISOString()
      await page.route("**/api/v1/overview", async (route) => {
        const answer = await route.fetch()
        // CAST: the daemon's own answer.
        const body = (await answer.json()) as AnswerOf<"Overview">
        const silence = { state: "silent", lastAnswer: oldAt }
        const nodes = body.nodes.map((node) => {
          const endpoints = node.endpoints.map((one) => ({ ...one, error: "no answer" }))
          return node.chain === "base_sepolia" ? { ...node, ...silence, endpoints } : node
        })
        const treasury = body.treasury.map((held) =>
          held.asset.startsWith("base_sepolia:") ? { ...held, readAt: oldAt } : held,
        )
        await route.fulfill({ response: answer, json: { ...body, nodes, treasury } })
      })
      const late = page.locator("tr.late")
      await expect
        .poll(() => late.allInnerTexts(), WAIT)
        .toEqual([
          expect.stringMatching(
            /Base Sepolia[\s\S]*▲ last read 40 min ago, no answer; waiting: keep-base/,
          ),
        ])
    }),
  )

  test.each(SCREENS)(
    "no price: an old price says how old, an asset without one since when, %s and %s",
    async (size, scheme) => {
      const hours = (n: number): string => new Date(Date.now() - n * 3_600_000).toISOString()
      const gone = hours(72)
      const old = hours(5)
      await page.route("**/api/v1/summary", async (route) => {
        const answer = await route.fetch()
        // CAST: the daemon's own answer.
        const body = (await answer.json()) as AnswerOf<"Summary">
        const assets = body.assets.map((one) =>
          one.asset === BASE
            ? { ...one, price: null, fiat: null, priceAt: gone }
            : { ...one, priceAt: one.asset === ETHEREUM ? old : one.priceAt },
        )
        await route.fulfill({ response: answer, json: { ...body, assets, unpriced: [BASE] } })
      })
      await page.route("**/api/v1/series/total", async (route) => {
        const answer = await route.fetch()
        const joined = [{ at: old, asset: ETHEREUM, by: "price" }]
        // CAST: the daemon's own answer.
        const body = (await answer.json()) as AnswerOf<"Series">
        const points = body.points.map((one, at) => (at === 60 ? { ...one, amount: null } : one))
        await route.fulfill({ response: answer, json: { ...body, points, joined } })
      })
      await judgeState("no-price", [size, scheme], async () => {
        const day = new Date(gone).toLocaleDateString("en-GB", { day: "numeric", month: "short" })
        const since = new RegExp(`no price since ${day}, [\\d:]+`)
        await expect.poll(() => place(BASE).innerText(), WAIT).toMatch(since)
        expect(await place(ETHEREUM).innerText()).toMatch(/price 5 h ago/)
        const money = page.getByRole("region", { name: "Money" })
        expect(await money.innerText()).toMatch(new RegExp(`without WBTC: ${since.source}`))
        await expect
          .poll(() => money.innerText(), WAIT)
          .toMatch(/⚑ WBTC on Ethereum Sepolia: before [^\n]*[\d:]+ at its first price/)
        expect(await money.locator(".total-plot rect.gap").count()).toBe(1)
      })
    },
  )

  test("each plot has a sentence, and gives its figures to the arrow keys", async () => {
    await page.setViewportSize(SIZES.wide)
    for (const [view, labels] of [
      ["", ["Total at a time"]],
      ["treasury", ["Reading of WBTC at a time", "Cost in usd at a time"]],
      ["treasury", ["Cost in bps of what moved at a time", "Time to completion at a time"]],
      ["books", ["Volume by week at a time"]],
    ] as const) {
      await page.goto(`http://127.0.0.1:${config.port}/#/${view}`)
      for (const label of labels) {
        const plot = page.getByLabel(label).first()
        await plot.focus()
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowRight")
        await expect.poll(() => plot.getAttribute("aria-valuetext"), WAIT).toMatch(/ · \S+/)
        expect(await page.locator("output.tip").innerText()).not.toBe("")
      }
      const sentences = await page
        .locator("main svg[role=img]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""))
      expect(sentences.filter((words) => words.trim() === "")).toEqual([])
    }
    const plot = page.getByLabel("Total at a time")
    await page.goto(`http://127.0.0.1:${config.port}/#/`)
    await plot.waitFor(WAIT)
    const [, shown = ""] = /\$(.*)$/.exec((await plot.getAttribute("aria-valuetext")) ?? "") ?? []
    const stated = (await page.locator(".money-first .total").innerText()).replace("$", "")
    expect(shown.replace(/\D/g, "").slice(0, 4)).toBe(stated.replace(/\D/g, "").slice(0, 4))
  })

  test("each plot has the width of its place from its first frame on", async () => {
    const watched = await openDesk(browser, config.port, ["wide", "light"])
    await watched.addInitScript({ content: WATCH_WIDTHS })
    for (const view of ["", "treasury", "books"]) {
      await watched.goto(`http://127.0.0.1:${config.port}/#/${view}`)
      await watched.reload()
      await watched.locator("main .chart > svg").first().waitFor(WAIT)
      const shown = await watched.evaluate<{ plots: number; narrow: number }>("shown")
      expect(shown, view).toMatchObject({ narrow: 0 })
      expect(shown.plots, view).toBeGreaterThan(0)
    }
    await watched.context().close()
  })

  afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }))
  test.each(["loading", "empty", "not live"] as const)(
    "an order that is %s says so",
    async (state) => {
      await page.setViewportSize(SIZES.wide)
      const goTo = (id: string) => page.goto(`http://127.0.0.1:${config.port}/#/orders/${id}`)
      if (state === "empty") {
        await goTo("f".repeat(32))
        await expect.poll(() => page.locator("body").innerText(), WAIT).toMatch(/no such order/)
      } else if (state === "loading") {
        await goTo(completed)
        await page.route("**/api/v1/**", (route) =>
          route.request().url().endsWith("/session") ? route.continue() : undefined,
        )
        await page.reload()
        await expect.poll(() => page.locator("body").innerText(), WAIT).toMatch(/Reading…/)
        expect(await page.locator("main").innerText()).not.toMatch(/\$\d/)
      } else {
        await goTo(stuck)
        await page.locator("main .stages").waitFor(WAIT)
        await page.route("**/api/v1/**", (route) => route.abort())
        await page.locator(".stale").waitFor(WAIT)
        for (const button of await page.locator("main .actions button").all())
          expect(await button.isEnabled()).toBe(false)
      }
    },
  )

  test.each(SCREENS)("find or do, and the list of keys, %s and %s", (...screen) =>
    judgeState("palette", screen, async () => {
      await page.locator("main h1").waitFor(WAIT)
      const dialog = page.getByRole("dialog")
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keys" }).waitFor(WAIT)
      await keepPicture(page, "keys", screen)
      expect(await findAxeProblems(page)).toEqual([])
      await page.keyboard.press("Escape")
      await expect.poll(() => dialog.count(), WAIT).toBe(0)
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog", { name: "Find or do" }).waitFor(WAIT)
      await page.keyboard.type("keep")
    }),
  )

  test.each(SCREENS)("the next 24 hours: an end, a run and a look, %s and %s", (...screen) =>
    judgeState("next-day", screen, async () => {
      const next = card("Next 24 hours")
      await next.locator("dl > div").first().waitFor(WAIT)
      await expect
        .poll(() => next.innerText(), WAIT)
        .toMatch(
          new RegExp(`${stuck.slice(0, 8)}: a refund becomes possible[\\s\\S]*keep-base\\s+in `),
        )
      const { rules } = (await daemon.call("GET", "/api/v1/rules")).body as AnswerOf<"Rules">
      const runs = rules.flatMap(({ upcoming }) => upcoming)
      await expect.poll(() => next.locator("path.run-tick").count(), WAIT).toBe(runs.length)
    }),
  )

  describe("a pause by a person", () => {
    beforeAll(async () => {
      expect(await daemon.call("POST", "/api/v1/pause", {})).toMatchObject({ status: 200 })
    })
    afterAll(async () => {
      await daemon.call("POST", "/api/v1/resume", {})
    })

    test.each(SCREENS)("has its note and the way back, %s and %s", (...screen) =>
      judgeState("paused", screen, async () => {
        const note = page.getByRole("region", { name: "Paused" })
        await note.getByRole("button", { name: "Resume" }).waitFor(WAIT)
        const says = /Paused by \S+ [\s\S]*Resume$/
        await page.goto(`http://127.0.0.1:${config.port}/#/orders`)
        expect(await note.innerText()).toMatch(says)
        await page.goto(`http://127.0.0.1:${config.port}/#/`)
        expect(await note.innerText()).toMatch(says)
      }),
    )
  })

  describe("one cause of many orders", () => {
    beforeAll(async () => {
      await setFaults(sandbox, { solverSilent: true }, { endpoint: "create", status: 500 })
      for (const amount of ["0.0011", "0.0012", "0.0013"])
        await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount })
      const isNamed = async (): Promise<boolean> =>
        (await readOverview()).problems.some(({ kind }) => kind === "service")
      await until("the service is named", isNamed, 120_000)
      const wait = async (): Promise<boolean> =>
        (await readOverview()).orders.filter(({ state }) => state === "creating").length === 3
      await until("three orders wait for it", wait, 60_000)
      // So long each of them has waited that it would be named too.
      await new Promise((resolve) => setTimeout(resolve, 31_000))
    }, 180_000)

    test.each(SCREENS)("is one line with its count, %s and %s", (...screen) =>
      judgeState("one-cause", screen, async () => {
        const lines = page.locator(".tasks li b")
        await expect
          .poll(() => lines.allInnerTexts(), WAIT)
          .toEqual([
            expect.stringMatching(/^The service main fails: new orders fail with HTTP 500.*; 4 of/),
          ])
      }),
    )
  })

  describe("a bad day", () => {
    beforeAll(async () => {
      const wallet = [SANDBOX_WALLETS.evm, `0x${(2n * 10n ** 18n).toString(16)}`]
      await callRpc(chainOf(sandbox, BASE).url, "anvil_setBalance", wallet)
      await until("the loss pauses the daemon", async () => (await readOverview()).pause !== null)
    }, 60_000)

    test.each(SCREENS)(
      "the loss stands first, each fact once and with its act, %s and %s",
      (...screen) =>
        judgeState("bad-day", screen, async () => {
          const first = page.locator(".tasks li").first()
          await expect.poll(() => first.innerText(), WAIT).toMatch(/^✕[\s\S]*ETH/)
          const { problems } = await readOverview()
          expect(problems.length).toBeGreaterThan(0)
          for (const view of ["", "alarms", "rules", `orders/${stuck}`]) {
            await page.goto(`http://127.0.0.1:${config.port}/#/${view}`)
            await page.locator("main h1").waitFor(WAIT)
            await expect.poll(() => page.locator("main .skeleton").count(), WAIT).toBe(0)
            const facts = await page.locator("main li b, main .reasons li").allInnerTexts()
            const long = facts.filter((text) => text.length > 40)
            expect(long.length, `each fact of ${view} once`).toBe(new Set(long).size)
          }
          await page.goto(`http://127.0.0.1:${config.port}/#/`)
          const tasks = await page.locator(".tasks li").all()
          for (const task of tasks)
            expect(await task.locator("a.button, code").count()).toBeGreaterThan(0)
          await page
            .getByRole("region", { name: "Paused" })
            .getByRole("button", { name: "Resume" })
            .waitFor(WAIT)
          const lost = 2 - (world.now["base_sepolia:eth"] ?? 0)
          const outside = page.locator(".parts span").nth(1)
          const missing = async () => Math.abs((await readFigure(outside)) - 4_000 * lost)
          await expect.poll(missing, WAIT).toBeLessThan(1)
        }),
    )

    test("while it is not paused, the loss has its value and Pause before all else", async () => {
      await page.setViewportSize(SIZES.wide)
      await page.route("**/api/v1/overview", async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), pause: null } })
      })
      await page.goto(`http://127.0.0.1:${config.port}/#/`)
      const first = page.locator(".tasks li").first()
      await expect.poll(() => first.innerText(), WAIT).toMatch(/^✕[\s\S]*ETH/)
      const acts = (): Promise<string[]> => first.locator(".do button, .do a").allInnerTexts()
      await expect.poll(acts, WAIT).toEqual(["Pause everything", "Open the books"])
      const lost = 4_000 * ((world.now["base_sepolia:eth"] ?? 0) - 2)
      const stake = async () => Math.abs((await readFigure(first.locator(".stake"))) + lost)
      await expect.poll(stake, WAIT).toBeLessThan(1)
    })
  })

  test("money from outside, once a person has booked it, is that of the chain", async () => {
    const coin = "base_sepolia:eth"
    const booked = await daemon.call("POST", "/api/v1/reconcile", { accept: coin, as: "outside" })
    expect(booked).toMatchObject({ status: 200 })
    await goTo("treasury")
    const out = card("Money from outside").locator("tbody tr").first().locator("td").nth(2)
    await expect.poll(() => out.locator("[title]").count(), WAIT).toBe(1)
    const [amount, fiat] = ((await out.locator("[title]").getAttribute("title")) ?? "").split(", ")
    const lost = (world.now[coin] ?? 0) - 2
    expect(Math.abs(Number(amount) - lost)).toBeLessThan(1e-6)
    expect(Math.abs(Number(fiat) - lost * (PRICES[coin] ?? 0))).toBeLessThan(0.01)
  })

  async function readOverview(): Promise<AnswerOf<"Overview">> {
    // CAST: the daemon's own answer.
    return (await daemon.call("GET", "/api/v1/overview")).body as AnswerOf<"Overview">
  }
})

/** All digits stand in an attribute; a figure without them has cents. */
async function readFigure(place: Locator): Promise<number> {
  const text =
    (await place.getAttribute("data-exact")) ??
    (await place.getAttribute("title")) ??
    (await place.innerText())
  const [number = ""] = /[-−]?[\d.]+/.exec(text.replace(/[,$]/g, "")) ?? []
  return Number(number.replace("−", "-"))
}

/** At the pace of the week's fees. */
function daysLeft({ now, postings }: World, coin: string): string {
  const paid = postings
    .filter(({ asset, account }) => asset === coin && account.startsWith("expenses:network:"))
    .reduce((sum, { units }) => sum + units / 1e18, 0)
  if (paid === 0) return "no use yet"
  const days = ((now[coin] ?? 0) * 7) / paid
  return days > 365 ? "over a year" : `${Math.floor(days)} days`
}

/** Sums of floats, as exact as the books. */
function round(fiat: number): number {
  return Number(fiat.toFixed(6))
}

function sayAsset(asset: string): string {
  return `${symbolOf(asset)} ${asset.startsWith("base") ? "Base Sepolia" : "Ethereum Sepolia"}`
}

function symbolOf(asset: string): string {
  return (asset.split(":")[1] ?? "").toUpperCase()
}

function decimalsOf(asset: string): number {
  return DECIMALS[asset.split(":")[1] ?? ""] ?? 0
}
