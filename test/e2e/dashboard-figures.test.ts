import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { AnswerOf } from "../../src/core/schema/answers/answers.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { callRpc, chainOf, readBalances } from "../support/e2e-chain.ts"
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
const BAND = { min: 0.2, target: 0.9, max: 40 }
/** It decides once, at the start, and moves no money. */
const RULES = [
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
]
const WAIT = { timeout: 20_000 }

type Board = {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}
type Posting = {
  readonly order: string
  readonly outcome: string | null
  readonly kind: string
  readonly account: string
  readonly asset: string
  readonly units: number
  readonly fiat: number
}
/** Whole units by asset of the chains before and after the orders, and the rows of the books. */
type World = {
  readonly before: Readonly<Record<string, number>>
  readonly now: Readonly<Record<string, number>>
  readonly locked: number
  readonly postings: readonly Posting[]
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
      rules: RULES,
      guards: { max_order: "0.1" },
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
    await setFaults(sandbox, { solverSilent: true })
    stuck = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: String(STUCK) })
    await until("its deposit is seen", async () => (await daemon.order(stuck)).deposited)
    await until("books and chains agree", async () => {
      const { body } = await daemon.call("GET", "/api/v1/reconciliation")
      return !/"state":"(?!agrees)/.test(JSON.stringify(body))
    })
    const { htlc } = chainOf(sandbox, BASE).assets.find(({ id }) => id === BASE) ?? { htlc: null }
    const locked = Number(await readTokenBalance(sandbox, BASE, htlc ?? "")) / 1e8
    world = { before, now: await readWallets(), locked, postings: readPostings() }
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

  /** The rows themselves, without the sums and views that the page is made from. */
  function readPostings(): readonly Posting[] {
    const file = join(sandbox.dir, "figures", "journal.db")
    const journal = new DatabaseSync(file, { readOnly: true })
    const rows = journal
      .prepare(
        `select o.id, o.outcome, e.kind, p.account, p.asset, p.units, p.fiat
          from orders o join entries e on e.order_id = o.id join postings p on p.entry_id = e.id`,
      )
      .all()
    journal.close()
    return rows.map((row) => ({
      order: String(row["id"]),
      outcome: row["outcome"] === null ? null : String(row["outcome"]),
      kind: String(row["kind"]),
      account: String(row["account"]),
      asset: String(row["asset"]),
      units: Number(row["units"]),
      fiat: Number(row["fiat"] ?? Number.NaN) / 1e6,
    }))
  }

  /** The samples of five minutes share a row, so the first reading is made older than that. */
  function ageSamples(): void {
    const journal = new DatabaseSync(join(sandbox.dir, "figures", "journal.db"))
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
  const current = (): World => ({ ...world, postings: readPostings() })
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
    const orders = new Set(world.postings.map(({ order }) => order))
    expect(await figure("Moved in 24 h").innerText()).toContain(`${orders.size} orders`)
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

  /** One state of the overview, as a person with this screen sees it. */
  async function judgeState(name: string, [size, colorScheme]: Screen, check: () => Promise<void>) {
    await page.setViewportSize(SIZES[size])
    await page.emulateMedia({ colorScheme })
    await page.goto(`http://127.0.0.1:${config.port}/#/`)
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

  test("an old price says how old, an asset without one since when, and the total names it", async () => {
    const hours = (n: number): string => new Date(Date.now() - n * 3_600_000).toISOString()
    const gone = hours(72)
    const old = hours(5)
    await page.setViewportSize(SIZES.wide)
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
    await page.goto(`http://127.0.0.1:${config.port}/#/`)
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
    expect(await findAxeProblems(page)).toEqual([])
  })

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

function symbolOf(asset: string): string {
  return (asset.split(":")[1] ?? "").toUpperCase()
}

function decimalsOf(asset: string): number {
  return DECIMALS[asset.split(":")[1] ?? ""] ?? 0
}
