import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Browser, BrowserContext, Locator, Page, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AnswerOf } from "../../src/core/schema/answers/answers.ts"
import { listQuestions } from "../support/desk-questions.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { findAxeProblems } from "../support/find-axe-problems.ts"
import { findRawText } from "../support/find-raw-text.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

const READER = "reader-reader-reader-24"
const ARTIFACTS = join(import.meta.dirname, "..", "..", "artifacts", "dashboard")
const VIEWS = [
  "",
  "orders",
  "treasury",
  "rules",
  "plan",
  "decisions",
  "limits",
  "simulate",
  "books",
  "alarms",
  "settings",
  "swap",
]
const WAIT = { timeout: 60_000 }
/** A bar of nothing is there, and not visible. */
const DRAWN = { ...WAIT, state: "attached" } as const

const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc" }
const RULES = [
  { id: "refill", kind: "recurring", schedule: "*/20 * * * * *", ...SWAP, amount: "0.001" },
  {
    id: "keep-base",
    kind: "band",
    asset: SWAP.from,
    min: "0.2",
    target: "0.9",
    max: "1.5",
    sources: [SWAP.to],
    every: "5s",
  },
  {
    id: "too-much",
    kind: "recurring",
    schedule: "*/30 * * * * *",
    from: SWAP.to,
    to: SWAP.from,
    amount: "0.1",
  },
]
const STRANGER = `0x${"12".repeat(18)}abcd`
const GUARDS = {
  payees: { "cold storage": STRANGER.replace("abcd", "ABCD") },
  max_order: "0.01",
  approve_above: "0.0015",
  max_cost: "250bps",
  windows: [{ per: "24h", max: "0.2", max_fees: "50 usd", max_count: 200 }],
}

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const SIZES = [
  ["a wide page", WIDE],
  ["a phone", PHONE],
] as const

type Figures = readonly { readonly words: string; readonly marks: readonly unknown[] }[]
/** Each drawing with its marks: class, text, heights and colours. */
const READ_FIGURES = `[...document.querySelectorAll("svg[role=img], svg > g")].map((figure) => ({
  words: figure.getAttribute("aria-label") ?? figure.querySelector("title").textContent,
  marks: [...figure.querySelectorAll("[class]")].map((mark) => {
    const { fill, fillOpacity, stroke, strokeDasharray } = getComputedStyle(mark)
    const heights = ["y", "y1", "y2", "height"].map((name) => mark.getAttribute(name))
    const line = (mark.getAttribute("d") ?? "").match(/(?<= )[\\d.]+/g)
    const colours = [fill, fillOpacity, stroke, strokeDasharray]
    return [mark.tagName, mark.getAttribute("class"), mark.textContent, heights, line, colours]
  }),
}))`
/** The words of states without a shape. */
const BARE_PILLS = `[...document.querySelectorAll(".pill")]
  .filter((pill) => !/[✓▲✕◷–]/.test(getComputedStyle(pill, "::before").content))
  .map((pill) => pill.textContent)`
const program = findChromium()

describe.skipIf(program === null)("the dashboard in a real browser", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let finished = ""
  let waiting = ""
  const complaints: string[] = []
  const url = (place = ""): string => `http://127.0.0.1:${config.port}/#/${place}`

  beforeAll(async () => {
    sandbox = await startSandboxProcess([
      "--chains",
      "bitcoin_testnet,base_sepolia,ethereum_sepolia",
    ])
    config = await writeE2eConfig(sandbox, "dashboard", {
      rules: RULES,
      guards: GUARDS,
      books: { reconcile_every: "2s" },
      ops: { tokens: [{ name: "reader", token: "env:READER_TOKEN", scopes: ["read"] }] },
    })
    daemon = startDaemonProcess(config, { READER_TOKEN: READER })
    browser = await openBrowser(program ?? "")
    context = await openContext({ width: 1280, height: 900 })
    page = await watch(await context.newPage())
    await until("the daemon is ready", isReady, 300_000)
    waiting = await submit("0.002")
    await until("an order is completed", async () => (await findCompleted()) !== "", 200_000)
    finished = await findCompleted()
    await until(
      "an order waits",
      async () => (await daemon.order(waiting)).state === "awaiting-approval",
      200_000,
    )
  }, 700_000)
  afterAll(async () => {
    await browser?.close()
    await daemon?.stop()
    await sandbox?.stop()
  })

  function openContext(
    viewport: { width: number; height: number },
    colorScheme: "light" | "dark" = "light",
  ) {
    return browser.newContext({ viewport, colorScheme, locale: "en-GB", timezoneId: "UTC" })
  }

  /**
   * Collects everything that the browser complains about: violations of the policy, and errors of
   * the script.
   */
  async function watch(one: Page): Promise<Page> {
    one.setDefaultTimeout(60_000)
    one.on("pageerror", (error) => complaints.push(String(error)))
    one.on("console", (message) => {
      // A refused answer, such as that to a wrong token, is part of the tests.
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text()))
        complaints.push(message.text())
    })
    return one
  }

  async function isReady(): Promise<boolean> {
    return (await daemon.call("GET", "/readyz").catch(() => ({ status: 0 }))).status === 200
  }

  async function submit(amount: string, to = SWAP.to): Promise<string> {
    const { body } = await daemon.call("POST", "/api/v1/swap", { from: SWAP.from, to, amount })
    // CAST: the daemon's own answer.
    return (body as { id: string }).id
  }

  async function listCompleted(to?: string): Promise<readonly string[]> {
    const { body } = await daemon.call("GET", "/api/v1/orders?limit=50")
    // CAST: the daemon's own answer.
    const { orders } = body as { orders: { id: string; state: string; to: string }[] }
    return orders
      .filter((one) => one.state === "completed" && (to === undefined || one.to === to))
      .map(({ id }) => id)
  }

  async function findCompleted(): Promise<string> {
    return (await listCompleted())[0] ?? ""
  }

  async function logIn(one: Page, token: string, port = config.port): Promise<void> {
    await one.goto(`http://127.0.0.1:${port}/`)
    await one.getByLabel("Token").fill(token)
    await one.getByRole("button", { name: "Log in" }).click()
    await one.getByRole("region", { name: "Verdict" }).waitFor(WAIT)
  }

  const main = (one = page): Promise<string> => one.locator("main").innerText()
  const showsText = async (one: Page, text: RegExp): Promise<void> => {
    await expect.poll(() => main(one), { timeout: 60_000, interval: 250 }).toMatch(text)
  }

  test("asks for a token, refuses a wrong one, and keeps the right one out of reach of scripts", async () => {
    await page.goto(url())
    await page.getByLabel("Token").fill("this-is-not-a-token-of-ours")
    await page.getByRole("button", { name: "Log in" }).click()
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("no token of")
    await page.screenshot({ path: shot("login-light-wide") })
    await logIn(page, TOKEN)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({
      name: `ballast-${config.port}`,
      httpOnly: true,
      sameSite: "Strict",
    })
    expect(await page.evaluate("document.cookie")).toBe("")
    expect(
      await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })"),
    ).not.toContain(TOKEN)
    await page.reload()
    await page.getByRole("region", { name: "Verdict" }).waitFor(WAIT)
  }, 240_000)

  test.each([
    ["wide", "light"],
    ["wide", "dark"],
    ["phone", "light"],
    ["phone", "dark"],
  ] as const)(
    "answers each question in at most two clicks, %s and %s",
    async (size, scheme) => {
      const viewport = size === "wide" ? { width: 1280, height: 900 } : { width: 390, height: 844 }
      const other = await openContext(viewport, scheme)
      const one = await watch(await other.newPage())
      await logIn(one, TOKEN)
      const questions = listQuestions(finished.slice(0, 8))
      const listed = readFileSync("docs/DESK.md", "utf8").match(/^\| .*\?(?= \|)/gm) ?? []
      const asks = questions.map(({ asked }) => asked)
      expect(listed.length).toBeGreaterThanOrEqual(12)
      expect(asks).toEqual(expect.arrayContaining(listed.map((row) => row.slice(2))))
      for (const { asked, clicks, answer } of questions) {
        await one.goto(url())
        await one.getByRole("region", { name: "Verdict" }).waitFor(WAIT)
        for (const { role, name } of clicks) {
          const exact = role === "link" && /^[0-9a-f]{8}$/.test(name)
          const target = one.getByRole(role, { name, exact }).filter({ visible: true }).first()
          await target.click()
        }
        expect(clicks.length, asked).toBeLessThanOrEqual(2)
        await expect
          .poll(() => main(one), { timeout: 60_000, interval: 250, message: asked })
          .toMatch(answer)
        const overflow = await one.evaluate("document.documentElement.scrollWidth - innerWidth")
        expect(Number(overflow), asked).toBeLessThanOrEqual(0)
      }
      await other.close()
    },
    600_000,
  )

  test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])(
    "answers six questions in the first viewport of the overview, $width wide",
    async (size) => {
      const other = await openContext(size)
      const one = await watch(await other.newPage())
      await logIn(one, TOKEN)
      const money = one.getByRole("region", { name: "Money" })
      await money.waitFor(WAIT)
      const inView = async (text: string | RegExp): Promise<string> => {
        const found = one.locator("main").getByText(text).first()
        const box = await found.boundingBox()
        expect((box?.y ?? 9_999) + (box?.height ?? 0), String(text)).toBeLessThanOrEqual(
          size.height,
        )
        return (await found.locator("xpath=..").innerText()).replace(/\s+/g, " ")
      }
      // CAST: the daemon's own answers.
      const summary = (await daemon.call("GET", "/api/v1/summary")).body as AnswerOf<"Summary">
      const { balances } = (await daemon.call("GET", "/api/v1/balances"))
        .body as AnswerOf<"Balances">
      const total = summary.assets.reduce((sum, { asset, price, outgoing }) => {
        const amount = balances.find((balance) => balance.asset === asset)?.amount ?? null
        return price === null ? sum : sum + Number(price) * (Number(amount) + Number(outgoing))
      }, 0)
      const shown = Number((await money.locator(".total").getAttribute("data-exact")) ?? "0")
      expect(total).toBeGreaterThan(1_000)
      expect(Math.abs(shown - total) / total, "how much is there?").toBeLessThan(0.01)
      await inView("Treasury")
      expect(await inView(/Needs attention · live mode/), "is anything wrong?").not.toBe("")
      expect(await inView("Moved in 24 h"), "what moved?").toMatch(/\$[\d,]+(\.\d\d)? \d+ order/)
      expect(await inView("Cost in 24 h"), "what did it cost?").toMatch(/\$\d[\d.,]* \d+ bps/)
      expect(await inView(/waits for your approval/), "what waits for me?").toContain("$")
      expect(await inView("Runs dry first"), "which wallet?").toMatch(
        /(days|year|use yet) \w+, \w+/,
      )
      expect(await inView("Service and nodes"), "is the service well?").toMatch(/✓ well \d+ answer/)
      await one
        .getByText(/\d nodes?, \d must agree/)
        .first()
        .click()
      const strip = one.locator("details .calls").first()
      await expect.poll(() => strip.innerText()).toMatch(/^\d+ calls?, all answered$/)
      await other.close()
    },
    240_000,
  )

  test("replays a decision, and shows the difference where the result is another one", async () => {
    await page.goto(url("decisions/too-much"))
    // A decision with a proposal: in some ticks too little could be read.
    const proposed = page
      .locator("article")
      .filter({ hasText: /larger than one order/ })
      .first()
    const name =
      (await proposed.getByRole("button", { name: "Replay" }).getAttribute("aria-label")) ?? ""
    const replay = page.getByRole("button", { name, exact: true })
    await replay.click()
    await showsText(page, /same decision[\s\S]*give the stored result again/)
    const fitsAndReads = async (picture: string): Promise<void> => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.screenshot({ path: shot(picture), fullPage: true })
      expect(
        Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")),
      ).toBeLessThanOrEqual(0)
      expect(await findAxeProblems(page)).toEqual([])
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await fitsAndReads("replay-same-phone")
    await page.route(/\/replay$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), same: false } })
    })
    await replay.click()
    await showsText(page, /Another decision\.[\s\S]*Stored[\s\S]*larger than one order[\s\S]*Now/)
    await fitsAndReads("replay-other-phone")
    await page.unroute(/\/replay$/)
    expect(await daemon.call("GET", "/api/v1/decisions/none/replay")).toMatchObject({ status: 404 })
  }, 240_000)

  test("approves in two gestures on a phone, and follows the order live to its end", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(url(`orders/${waiting}`))
    await page.getByRole("button", { name: "Approve" }).waitFor(WAIT)
    expect(await page.getByRole("button", { name: "Reject", exact: true }).count()).toBe(0)
    // From the overview the first tap opens the drawer.
    await page.goto(url())
    await page.locator(`a[href="#/orders/${waiting}/approve"]`).click()
    const dialog = page.getByRole("dialog")
    const hold = dialog.getByRole("button", { name: "Hold to approve" })
    await expect.poll(() => dialog.innerText()).toContain("Pays our own wallet")
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H2")
    expect(await dialog.innerText()).toMatch(
      new RegExp(
        ["ends in", "Approve \\$", "Pays", "Sends", "Receives", "Costs", "Why it asks", "At worst"]
          .concat(["0 of 1 approved", "All fields that are signed", "Reject", "Hold to approve"])
          .join("[\\s\\S]*"),
      ),
    )
    await page.keyboard.press("Escape")
    await expect.poll(() => dialog.count()).toBe(0)
    await page.getByRole("button", { name: "Approve" }).click()
    const { destinationOwner, fiat } = await daemon.order(waiting)
    const text = await dialog.innerText()
    expect(text.replaceAll(" ", "")).toContain(destinationOwner)
    expect(text).toContain(`Approve $${Number(fiat).toFixed(2)}?`)
    const [, uses = ""] = /used (once|\d+) (?:times )?since/.exec(text) ?? []
    const paid = await listCompleted(SWAP.to)
    expect(paid.length - (uses === "once" ? 1 : Number(uses))).toBeOneOf([0, 1])
    const box = await hold.boundingBox()
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
    expect(box?.height).toBeGreaterThanOrEqual(48)
    expect(await findAxeProblems(page)).toEqual([])
    await page.screenshot({ path: shot("approve-light-phone") })
    // A tap is not a hold.
    await hold.click()
    await page.waitForTimeout(1_500)
    expect(await daemon.order(waiting)).toMatchObject({ state: "awaiting-approval" })
    await hold.hover()
    await page.mouse.down()
    // The page is not loaded again.
    await showsText(page, /completed[\s\S]*on the destination chain, seen by our own node/)
    await page.mouse.up()
    expect(await daemon.order(waiting)).toMatchObject({
      outcome: "completed",
      approval: { by: "ops.token" },
    })
    await page.setViewportSize({ width: 1280, height: 900 })
  }, 240_000)

  test("a payee that is new or not our own wallet also needs its last four characters", async () => {
    const id = await submit("0.004")
    const waits = async () => (await daemon.order(id)).state === "awaiting-approval"
    await until("the order waits", waits, 120_000)
    const order = await daemon.order(id)
    const people = { needed: 2, approved: [{ by: "controller", at: order.createdAt }] }
    const off = { source: "prices.test", price: "1000000", agreed: "100000", deviationBps: 90_000 }
    const reference = { costBps: 35, outliers: [{ asset: SWAP.from, ...off }] }
    const payee = { uses: 0, of: 7, since: null }
    const foreign = { ...order, people, destinationOwner: STRANGER, reference, payee }
    const fresh = { ...order, payee }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route(`**/api/v1/orders/${id}`, (route) => route.fulfill({ json: foreign }))
    await page.goto(url(`orders/${id}`))
    await page.getByRole("button", { name: "Approve" }).click()
    const dialog = page.getByRole("dialog")
    const hold = dialog.getByRole("button", { name: "Hold to approve" })
    await expect.poll(() => dialog.innerText()).toContain("not this daemon's wallet")
    await expect
      .poll(() => dialog.innerText())
      .toMatch(/wallet: cold storage · new payee: not among the last 7 payouts/)
    expect(await dialog.innerText()).toMatch(/1 of 2 approved\s+✓ controller/)
    expect(await dialog.innerText()).toMatch(
      /quote pays 0\.35 % less than it takes[\s\S]*prices\.test gives 1000000[\s\S]*900 % above/,
    )
    const box = await hold.boundingBox()
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
    expect(await findAxeProblems(page)).toEqual([])
    await page.screenshot({ path: shot("approve-foreign-light-phone") })
    expect(await hold.isDisabled()).toBe(true)
    await dialog.getByLabel(/last 4 characters/).fill("abcc")
    expect(await hold.isDisabled()).toBe(true)
    await dialog.getByLabel(/last 4 characters/).fill("abcd")
    expect(await hold.isDisabled()).toBe(false)
    await dialog.getByRole("button", { name: "Later" }).click()
    await page.unrouteAll({ behavior: "wait" })
    await page.route(`**/api/v1/orders/${id}`, (route) => route.fulfill({ json: fresh }))
    await page.reload()
    await page.getByRole("button", { name: "Approve" }).click()
    await expect.poll(() => dialog.innerText()).toMatch(/▲ Pays our own wallet · new payee/)
    expect(await hold.isDisabled()).toBe(true)
    await dialog.getByLabel(/last 4 characters/).fill(order.destinationOwner.slice(-4))
    expect(await hold.isDisabled()).toBe(false)
    // By keys alone: the next field is Reject, then the button that is held.
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.down("Enter")
    const approved = async () => (await daemon.order(id)).approval !== null
    await until("the key was held long enough", approved, 20_000)
    await page.keyboard.up("Enter")
    await page.unrouteAll({ behavior: "wait" })
    await page.setViewportSize({ width: 1280, height: 900 })
  }, 240_000)

  test("rejects an order with a typed word, and nothing is deposited", async () => {
    const id = await submit("0.003")
    await until(
      "the order waits",
      async () => (await daemon.order(id)).state === "awaiting-approval",
      120_000,
    )
    await page.goto(url(`orders/${id}`))
    await page.getByRole("button", { name: "Approve or reject" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click()
    await page.getByRole("dialog").getByLabel(/^Type/).fill("reject")
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click()
    await showsText(page, /rejected[\s\S]*never deposited/)
    expect(await daemon.order(id)).toMatchObject({ outcome: "rejected", deposited: false })
  }, 240_000)

  test("agrees with `txid:height` of a Bitcoin order, and warns of another transaction", async () => {
    const id = await submit("0.001", "bitcoin_testnet:btc")
    const isOver = async () => (await daemon.order(id)).outcome === "completed"
    await until("the order is completed", isOver, 200_000)
    await page.goto(url(`orders/${id}`))
    await showsText(page, /The solver's deposit[\s\S]*agree[\s\S]*The payout to us[\s\S]*agree/)
    expect(await main()).not.toContain("another transaction")
    const { body } = await daemon.call("GET", `/api/v1/orders/${id}`)
    expect(JSON.stringify(body)).toMatch(/"initiateTx":"[0-9a-f]{64}:\d+"/)
    // CAST: the daemon's own answer.
    const order = body as { reportedTxs: object }
    const reportedTxs = { ...order.reportedTxs, destinationInitiated: ["f".repeat(64)] }
    const path = `**/api/v1/orders/${id}`
    await page.route(path, (route) => route.fulfill({ json: { ...order, reportedTxs } }))
    await page.reload()
    await showsText(page, /The solver's deposit[\s\S]*another transaction/)
    await page.goto(url())
    await page.unrouteAll({ behavior: "wait" })
  }, 400_000)

  test("shows no secret among the settings", async () => {
    const { body } = await daemon.call("GET", "/api/v1/settings")
    const text = JSON.stringify(body)
    expect(text).toContain("approve_above")
    for (const secret of [TOKEN, READER, "sandbox-keys", "env:", "file:"])
      expect(text).not.toContain(secret)
  })

  test.each(SIZES)(
    "pauses with one tap, undoes it, and resumes with a typed word on %s",
    async (_name, size) => {
      await page.setViewportSize(size)
      const top = page.getByRole("banner")
      const isPaused = async (): Promise<unknown> => {
        const { body } = await daemon.call("GET", "/api/v1/status")
        // CAST: the daemon's own answer.
        return (body as { paused: boolean }).paused
      }
      await page.goto(url())
      await top.getByRole("button", { name: "Pause" }).click()
      await showsText(page, /live mode · paused/)
      expect(await isPaused()).toBe(true)
      await top.getByRole("button", { name: "Undo" }).click()
      await showsText(page, /live mode$|live mode\n/m)
      expect(await isPaused()).toBe(false)
      await top.getByRole("button", { name: "Pause" }).click()
      await showsText(page, /live mode · paused/)
      await page.reload()
      const note = page.getByRole("region", { name: "Paused" })
      expect(await note.innerText()).toMatch(/Paused by operator (now|\d+ s ago)[\s\S]*Resume$/)
      await page.goto(url("orders"))
      await note.getByRole("button", { name: "Resume" }).click()
      await page.getByRole("dialog").getByLabel(/^Type/).fill("resume")
      await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click()
      await expect.poll(() => note.count(), WAIT).toBe(0)
      expect(await isPaused()).toBe(false)
      await page.setViewportSize(WIDE)
    },
    240_000,
  )

  test("lists orders in one line each, and filters them by rule and pair", async () => {
    await page.goto(url("orders"))
    const rows = page.locator(".orders tbody tr")
    await page.getByLabel("Every rule").selectOption("refill")
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
    const rules = await rows.locator(".rule").allInnerTexts()
    expect([...new Set(rules)]).toEqual(["refill"])
    expect(await rows.first().locator("td").nth(5).innerText()).toMatch(/^\$[\d.,]+$/)
    const ended = rows.filter({ hasText: "✓ completed" })
    expect(await ended.count()).toBeGreaterThan(0)
    expect(await ended.locator(".pill").count(), "a good end has no colour").toBe(0)
    const { height = 99 } = (await rows.last().boundingBox()) ?? {}
    expect(height).toBeLessThan(40)
    await page.getByLabel("Every pair").selectOption("WBTC Base Sepolia → WBTC Ethereum Sepolia")
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
    await page.getByLabel("Every rule").selectOption("")
  }, 120_000)

  test.each(SIZES)("keeps a filter as a view, one tap away, on %s", async (_name, size) => {
    await page.setViewportSize(size)
    await page.goto(url("orders"))
    await page.reload()
    const save = page.getByRole("button", { name: "Save this view" })
    await save.waitFor(WAIT)
    expect(await save.isDisabled(), "nothing is filtered yet").toBe(true)
    await page.getByRole("button", { name: "completed", exact: true }).click()
    await page.getByLabel("Every rule").selectOption("refill")
    await save.click()
    expect(await save.isDisabled(), "it is kept once").toBe(true)
    await page.goto(url())
    await page.goto(url("orders"))
    await page.reload()
    const view = page.getByRole("button", { name: "completed · refill", exact: true })
    await view.click()
    await expect.poll(() => page.getByLabel("Every rule").inputValue(), WAIT).toBe("refill")
    const rows = page.locator(".orders tbody tr")
    await expect.poll(() => rows.count(), WAIT).toBeGreaterThan(0)
    await expect
      .poll(async () => [...new Set(await rows.locator(".rule").allTextContents())], WAIT)
      .toEqual(["refill"])
    expect(await view.getAttribute("aria-pressed")).toBe("true")
    expect(Number(await page.evaluate("document.body.scrollWidth - innerWidth"))).toBe(0)
    expect(await findAxeProblems(page)).toEqual([])
    await page.getByRole("button", { name: "Forget the view completed · refill" }).click()
    expect(await view.count()).toBe(0)
    await page.setViewportSize(WIDE)
  })

  test("filters and exports orders on a phone too", async () => {
    await page.setViewportSize(PHONE)
    await page.goto(url("orders"))
    const rows = page.locator(".orders tbody tr")
    await page.getByLabel("Every rule").selectOption("refill")
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
    expect([...new Set(await rows.locator(".rule").allTextContents())]).toEqual(["refill"])
    const shown = await rows.count()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
    const lines = Buffer.concat(chunks).toString().trim().split(/\r?\n/)
    expect(lines.length - 1).toBeGreaterThanOrEqual(shown)
    expect(lines.slice(1).every((line) => line.includes("refill"))).toBe(true)
    await page.getByLabel("Every rule").selectOption("")
    await page.setViewportSize(WIDE)
  }, 120_000)

  test("approves on a wide page in the same two gestures", async () => {
    const id = await submit("0.0021")
    const waits = async () => (await daemon.order(id)).state === "awaiting-approval"
    await until("the order waits", waits, 120_000)
    await page.goto(url())
    await page.locator(`a[href="#/orders/${id}/approve"]`).click()
    const hold = page.getByRole("dialog").getByRole("button", { name: "Hold to approve" })
    await hold.hover()
    await page.mouse.down()
    const approved = async () => (await daemon.order(id)).approval !== null
    await until("the button was held long enough", approved, 20_000)
    await page.mouse.up()
  }, 240_000)

  test("orders a swap by the keyboard alone", async () => {
    await page.goto(url("swap"))
    await page.getByLabel("Send").waitFor(WAIT)
    const tabTo = async (found: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate(`(${found})(document.activeElement)`)) return
      }
      expect.unreachable(`Tab never reaches ${found}`)
    }
    const labelled = (text: string): string =>
      `(node) => [...(node.labels ?? [])].some((one) => one.textContent.startsWith("${text}"))`
    const named = (text: string): string => `(node) => node.textContent.trim() === "${text}"`
    const choose = async (label: string, value: string): Promise<void> => {
      await tabTo(labelled(label))
      const chosen = `document.activeElement.value === "${value}"`
      for (let presses = 0; presses < 40 && !(await page.evaluate(chosen)); presses++)
        await page.keyboard.press("ArrowDown")
      expect(await page.evaluate(chosen), `${label}: ${value}`).toBe(true)
    }
    await choose("Send", SWAP.from)
    await tabTo(labelled("Amount"))
    await page.keyboard.type("0.0012")
    await choose("Receive", SWAP.to)
    await tabTo(named("Get a quote"))
    await page.keyboard.press("Enter")
    await showsText(page, /the guards allow it/)
    await tabTo(named("Order the swap"))
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor(WAIT)
    await tabTo(labelled("Type"))
    await page.keyboard.type("0.0012")
    await tabTo(named("Order the swap"))
    await page.keyboard.press("Enter")
    await page.waitForURL(/#\/orders\/[0-9a-f]{32}$/)
  }, 240_000)

  test("shows the quote, the guards and the worst case of a swap by hand before it orders it", async () => {
    await page.goto(url("swap"))
    await page.getByLabel("Send").selectOption(SWAP.from)
    await page.getByLabel(/^Amount/).fill("0.0011")
    await page.getByLabel("Receive").selectOption(SWAP.to)
    await page.getByRole("button", { name: "Get a quote" }).click()
    await showsText(page, /the guards allow it[\s\S]*The worst case[\s\S]*stay locked/)
    await page.screenshot({ path: shot("quote-light-wide"), fullPage: true })
    expect(await findRawText(page)).toEqual([])
    const ordersOf0011 = async (): Promise<number> => {
      // CAST: the daemon's own answer.
      const { orders } = (await daemon.call("GET", "/api/v1/orders?limit=100")).body as {
        orders: readonly { amount: string }[]
      }
      return orders.filter(({ amount }) => amount === "0.0011").length
    }
    const before = await ordersOf0011()
    // The daemon acts, and its first answer is lost.
    const loseAnswer = async (route: Route): Promise<void> => {
      await route.fetch()
      await route.abort()
    }
    await page.route("**/api/v1/swap", loseAnswer, { times: 1 })
    await page.getByRole("button", { name: "Order the swap" }).click()
    await page.getByRole("dialog").getByLabel(/^Type/).fill("0.0011")
    await page.getByRole("dialog").getByRole("button", { name: "Order the swap" }).click()
    await page.waitForURL(/#\/orders\/[0-9a-f]{32}$/)
    expect(await ordersOf0011()).toBe(before + 1)
    expect(complaints.splice(0)).toEqual(["Failed to load resource: net::ERR_FAILED"])
    await showsText(page, /completed/)
  }, 240_000)

  test("shows the figures of the books and the chains in the treasury", async () => {
    await page.goto(url("treasury"))
    const figures = page.locator("table.figures").filter({ hasText: "Half within" })
    const exactOf = (row: number, place: number): Promise<string | null> =>
      figures
        .locator("tbody tr")
        .nth(row)
        .locator("td")
        .nth(place)
        .locator("[data-exact]")
        .getAttribute("data-exact")
    await expect
      .poll(
        async () => {
          // CAST: the daemon's own answers; all orders of this daemon are of this week.
          const { total } = (await daemon.call("GET", "/api/v1/books")).body as AnswerOf<"Books">
          const cost = Number(total.swapCost) + Number(total.networkFees)
          const booked = [Number(total.volume), cost, Number(total.networkFees)]
          const shown = await Promise.all([2, 3, 4].map((place) => exactOf(-1, place)))
          return booked.map((value, at) => Math.abs(value - Number(shown[at] ?? Number.NaN)) < 1e-6)
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toEqual([true, true, true])
    const row = page.locator(".places tbody").filter({ hasText: "Ethereum Sepolia" })
    await expect
      .poll(
        async () => {
          // CAST: the daemon's own answer, which asks the chains.
          const { balances } = (await daemon.call("GET", "/api/v1/balances"))
            .body as AnswerOf<"Balances">
          const amount = balances.find(({ asset }) => asset === SWAP.to)?.amount
          const shown = row
            .locator("tr")
            .filter({ hasText: "WBTC" })
            .locator("[data-exact]")
            .first()
          return (await shown.getAttribute("data-exact")) === amount
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBe(true)
    const plot = page.getByLabel("Reading of WBTC at a time").first()
    await plot.focus()
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/ · [\d.]+ WBTC · \$/)
    expect(await page.locator("path.flow").count()).toBeGreaterThan(0)
  }, 240_000)

  test("plots keep their rules: base line, band, limit, gap, pale step, marks and names", async () => {
    await page.goto(url("treasury"))
    const of = (title: string) => page.locator("section.card").filter({ hasText: title }).last()
    const cost = of("Cost, 7 d")
    await cost.locator(".chart rect.bar-a").first().waitFor(DRAWN)
    const feet = async (bars: Locator): Promise<ReadonlySet<number>> => {
      const ends = await bars.evaluateAll((all) =>
        all.map((bar) => Number(bar.getAttribute("y")) + Number(bar.getAttribute("height"))),
      )
      return new Set(ends.map(Math.round))
    }
    const base = await feet(cost.locator(".chart rect.bar-a"))
    expect(base.size, "bars begin at 0").toBe(1)
    expect(await cost.locator("rect.bar-a.part").count(), "today is pale").toBe(1)
    const bps = of("Cost of what moved")
    const dashed = "getComputedStyle(document.querySelector('.limit-line')).strokeDasharray"
    expect(await page.evaluate(dashed)).not.toBe("none")
    expect(await bps.innerText()).toContain("limit 250 bps")
    const times = of("Time to completion")
    expect(await times.locator("svg text").allTextContents()).toEqual(
      expect.arrayContaining(["half", "95 of 100"]),
    )
    const plot = page.getByRole("region", { name: "WBTC on Base Sepolia" })
    await plot.locator(".band-area").first().waitFor(DRAWN)
    const names = await plot.locator("svg text").allTextContents()
    expect(names).toEqual(expect.arrayContaining(["min", "target"]))
    const dash = "getComputedStyle(document.querySelector('line.goal')).strokeDasharray"
    expect(await page.evaluate(dash), "the target is dashed").not.toBe("none")
    expect(await plot.locator("path.mark.out").count(), "marks of deposits").toBeGreaterThan(0)
    await page.route("**/api/v1/series/base_sepolia**", async (route) => {
      const answer = await route.fetch()
      // CAST: the daemon's own answer.
      const body = (await answer.json()) as AnswerOf<"Series">
      // A young treasury has one or two points.
      const amount = body.points.find((one) => one.amount !== null)?.amount ?? "1"
      const startMs = Date.parse(body.points[0]?.at ?? body.from)
      const at = (part: number): string =>
        new Date(startMs + part * (Date.parse(body.to) - startMs)).toISOString()
      const points = [
        { at: at(0), amount },
        { at: at(1 / 3), amount: null },
        { at: at(2 / 3), amount },
      ]
      await route.fulfill({ response: answer, json: { ...body, points } })
    })
    await page.reload()
    await plot.locator("rect.gap").first().waitFor(DRAWN)
    const line = (await plot.locator("path.line-a").getAttribute("d")) ?? ""
    expect(line.match(/M/g)?.length, "the line breaks").toBeGreaterThan(1)
    await page.unrouteAll({ behavior: "wait" })
    await page.goto(url("books"))
    const weeks = of("Volume by week")
    await weeks.locator("rect.bar-a").first().waitFor(DRAWN)
    expect((await feet(weeks.locator("rect.bar-a"))).size).toBe(1)
    expect(await weeks.locator("rect.bar-a.part").count(), "this week is pale").toBe(1)
  }, 120_000)

  test("an amount has its value, and a good end no colour", async () => {
    await page.goto(url("limits"))
    await expect.poll(() => page.locator("main .worth").first().innerText(), WAIT).toMatch(/^\$\d/)
    await page.goto(url(`orders/${finished}`))
    const state = page.locator(".place")
    await expect.poll(() => state.innerText(), WAIT).toContain("✓ completed")
    expect(await state.locator(".pill").count()).toBe(0)
  }, 120_000)

  test("lets a token that only reads do nothing", async () => {
    const other = await openContext({ width: 1280, height: 900 })
    const reader = await watch(await other.newPage())
    await logIn(reader, READER)
    expect(await reader.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true)
    await other.close()
  }, 120_000)

  test("breaks no policy of the browser, and the test sees when one is broken", async () => {
    expect(complaints).toEqual([])
    const other = await openContext({ width: 800, height: 600 })
    const probe = await watch(await other.newPage())
    await probe.goto(url())
    await probe.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: " +
        "'window.ran = 1' }))",
    )
    await expect.poll(() => complaints.join()).toContain("Content Security Policy")
    expect(await probe.evaluate("window.ran")).toBeUndefined()
    complaints.length = 0
    await other.close()
  }, 120_000)

  test("refuses what a page of another origin posts with the session of the same browser", async () => {
    const foreign = await serveForeignPage(config.port)
    const tab = await context.newPage()
    const answered: number[] = []
    tab.on(
      "response",
      (answer) => answer.url().endsWith("/pause") && answered.push(answer.status()),
    )
    // CAST: a server on TCP has an address with a port.
    await tab.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    await expect.poll(() => tab.evaluate("window.sent")).toEqual(["refused", "refused", "refused"])
    const { body } = await daemon.call("GET", "/api/v1/status")
    expect(body).toMatchObject({ paused: false })
    expect(answered.filter((status) => status !== 403)).toEqual([])
    await tab.close()
    foreign.close()
    // The same request as a program sends it, with the browser's cookie: without the page's second
    // secret it is worth nothing.
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(`http://127.0.0.1:${config.port}/api/v1/pause`, {
        method: "POST",
        headers: { cookie, ...headers },
      })
    expect((await post({ origin: "http://127.0.0.1:1" })).status).toBe(403)
    expect((await post({ origin: `http://127.0.0.1:${config.port}` })).status).toBe(401)
  }, 120_000)

  test.each(["light", "dark"] as const)(
    "is accessible in %s, and fits a phone without sideways scrolling",
    async (scheme) => {
      const found: string[] = []
      for (const [size, viewport] of [
        ["wide", { width: 1360, height: 900 }],
        ["phone", { width: 390, height: 844 }],
      ] as const) {
        const other = await openContext(viewport, scheme)
        const one = await watch(await other.newPage())
        await logIn(one, TOKEN)
        for (const view of [...VIEWS, `orders/${finished}`]) {
          await one.goto(url(view))
          await one.locator("main h1").waitFor(WAIT)
          await expect
            .poll(() => main(one), { timeout: 60_000, interval: 250 })
            .not.toMatch(/Reading…/)
          const name = view.split("/").length > 1 ? "order" : view || "overview"
          await one.screenshot({ path: shot(`${name}-${scheme}-${size}`), fullPage: true })
          const overflow = await one.evaluate("document.documentElement.scrollWidth - innerWidth")
          if (Number(overflow) > 0) found.push(`${name} ${size}: ${overflow} px too wide`)
          const empty = await one.evaluate(
            "document.documentElement.scrollHeight - Math.max(innerHeight, " +
              "document.querySelector('main').getBoundingClientRect().bottom + scrollY)",
          )
          if (Number(empty) > 150)
            found.push(`${name} ${size}: ${empty} px of nothing below its content`)
          if (size === "phone") {
            const dock = await one.locator(".side a:visible").all()
            const heights = await Promise.all(dock.map((link) => link.boundingBox()))
            if (heights.length !== 5 || heights.some((box) => (box?.height ?? 0) < 40))
              found.push(`${name}: the dock has not five entries of 40 px`)
          }
          // CAST: what the script returns.
          const bare = (await one.evaluate(BARE_PILLS)) as readonly string[]
          found.push(...bare.map((word) => `${name}: no shape at ${word}`))
          const raw = await findRawText(one)
          found.push(
            ...[...raw, ...(await findAxeProblems(one))].map((text) => `${name} ${size}: ${text}`),
          )
        }
        await other.close()
      }
      expect(found).toEqual([])
    },
    900_000,
  )

  test("simulates a change of a rule before it is in the file", async () => {
    // It looks each five seconds, so a month is more than a minute can simulate.
    const rules = RULES.filter(({ kind }) => kind === "band")
    const calm = await writeE2eConfig(sandbox, "calm", { rules, guards: GUARDS })
    const other = startDaemonProcess(calm)
    await other.ready()
    const found: string[] = []
    for (const [size, viewport] of [
      ["wide", { width: 1440, height: 900 }],
      ["phone", { width: 390, height: 844 }],
    ] as const) {
      const one = await watch(await (await openContext(viewport)).newPage())
      await logIn(one, TOKEN, calm.port)
      await one.goto(`http://127.0.0.1:${calm.port}/#/rules`)
      await one.locator("a[href='#/simulate/keep-base']").click()
      const simulate = one.getByRole("button", { name: "Simulate", exact: true })
      expect(await simulate.isDisabled()).toBe(true)
      const least = one.getByRole("textbox", { name: /Refill below/ })
      await least.fill("1.6")
      await simulate.click()
      await expect
        .poll(() => one.getByRole("alert").innerText(), WAIT)
        .toMatch(/expected at least min \(1.6\)/)
      await one.getByRole("slider", { name: /Refill below/ }).fill("0.4")
      expect(await least.inputValue()).toBe("0.4")
      expect(await main(one)).toMatch(/Refill below 0\.2 → 0\.4/)
      await least.fill("0.5")
      await one.getByRole("button", { name: "90 days" }).click()
      await simulate.click()
      const outcome = one.getByRole("region", { name: "What the change would do" })
      await outcome.waitFor({ timeout: 90_000 })
      expect(await outcome.innerText()).toMatch(
        /swaps? and .* cost in \d+ days?.*; the rule is off[\s\S]* simulate 90 days within a/,
      )
      const plots = one.getByRole("img", { name: /Simulated balance over \d+ days?/ })
      expect(await plots.count()).toBe(2)
      expect(await one.locator("pre").innerText()).toBe('  - id: keep-base\n    min: "0.5"')
      expect(await main(one)).toMatch(/Mean value of WBTC held\s+\$[\d,.]+\s+\$[\d,.]+/)
      const top = async (name: string) =>
        (await one.getByRole("heading", { name }).first().boundingBox())?.y ?? 0
      const verdictAt = (await outcome.boundingBox())?.y ?? Number.NaN
      expect(verdictAt, "the verdict stands above the change").toBeLessThan(await top("The change"))
      const [download] = await Promise.all([
        one.waitForEvent("download"),
        outcome.getByRole("button", { name: "Export SVG" }).click(),
      ])
      expect(download.suggestedFilename()).toBe("simulate-keep-base.svg")
      await one.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await outcome.getByRole("button", { name: "Copy this change" }).click()
      await outcome.getByRole("button", { name: "Copied" }).waitFor(WAIT)
      expect(await one.evaluate("navigator.clipboard.readText()")).toContain('min: "0.5"')
      await download.saveAs(`${calm.file}.${size}.svg`)
      const day = one.getByLabel("As it is: WBTC on a day")
      expect(await day.getAttribute("aria-valuetext")).toMatch(
        /^day [\d.]+ · half [\d.]+ to [\d.]+ · nine of ten [\d.]+ to [\d.]+ WBTC$/,
      )
      if (size === "wide") await comparePlots(one, calm.file)
      await one.screenshot({ path: shot(`simulate-light-${size}`), fullPage: true })
      const overflow = Number(await one.evaluate("document.body.scrollWidth - innerWidth"))
      found.push(...(await findAxeProblems(one)), ...(overflow > 0 ? [`${size} ${overflow}`] : []))
      await one.context().close()
    }
    expect(found).toEqual([])
    await other.stop()
  }, 400_000)

  /** The command draws the figures of the page, with its colours; only the widths differ. */
  async function comparePlots(one: Page, file: string): Promise<void> {
    // CAST: what the script returns.
    const shown = (await one.evaluate(READ_FIGURES)) as Figures
    expect(shown.map(({ words }) => words)).toEqual([
      expect.stringMatching(/Simulated balance/),
      expect.stringMatching(/Simulated balance/),
      expect.stringMatching(/Cost of \d+ days? in \d+ runs?, the middle one: as it is \$/),
      expect.stringMatching(/When the middle run would swap/),
    ])
    const [, days = "", runs = ""] = /Cost of (\d+) .* in (\d+) /.exec(shown[2]?.words ?? "") ?? []
    const config = JSON.parse(readFileSync(file, "utf8"))
    config.rules[0].min = "0.5"
    writeFileSync(`${file}.changed.json`, JSON.stringify(config))
    const command = ["simulate", "--config", file, "--against", `${file}.changed.json`]
    const span = ["--days", days, "--seeds", runs, "--plot", `${file}.svg`]
    const drawn = await runBallast([...command, ...span], { timeoutMs: 200_000 })
    expect(drawn).toMatchObject({ code: 0 })
    const other = await (await openContext({ width: 1440, height: 900 })).newPage()
    await other.setContent(readFileSync(`${file}.svg`, "utf8"))
    // CAST: what the script returns.
    const plotted = (await other.evaluate(READ_FIGURES)) as Figures
    for (const figure of shown) expect(plotted).toContainEqual(figure)
    await other.setContent(readFileSync(`${file}.wide.svg`, "utf8"))
    for (const figure of (await other.evaluate(READ_FIGURES)) as Figures)
      expect(plotted).toContainEqual(figure)
    await other.context().close()
  }

  test("does by keys what the mouse does: views, lists, palette, help, times and pause", async () => {
    await page.goto(url())
    await page.locator("main h1").waitFor(WAIT)
    await page.keyboard.press("g")
    await page.keyboard.press("o")
    await page.locator(".orders tbody tr").first().waitFor(WAIT)
    const opened = page.locator("main time").first()
    await page.keyboard.press(".")
    await expect.poll(() => opened.innerText()).toMatch(/\d\d:\d\d:\d\d/)
    await page.keyboard.press(".")
    await expect.poll(() => opened.innerText()).toMatch(/ago|now/)
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.getAttribute('href')")
    await page.keyboard.press("j")
    const first = await focused()
    expect(first).toMatch(/^#\/orders\/[0-9a-f]{32}$/)
    await page.keyboard.press("ArrowDown")
    expect(await focused()).not.toBe(first)
    await page.keyboard.press("k")
    expect(await focused()).toBe(first)
    await page.keyboard.press("o")
    await page.waitForURL(`**/${String(first)}`)
    await page.keyboard.press("/")
    const palette = page.getByRole("dialog", { name: "Find or do" })
    await palette.getByRole("combobox").fill("rule too-much")
    expect(await findAxeProblems(page)).toEqual([])
    await page.keyboard.press("Enter")
    await showsText(page, /Decisions of too-much/)
    await page.keyboard.press("?")
    const help = page.getByRole("dialog", { name: "Keys" })
    expect(await help.innerText()).toContain("Pause everything")
    expect(await findAxeProblems(page)).toEqual([])
    await help.getByLabel(/Single keys/).uncheck()
    await page.keyboard.press("Escape")
    await page.keyboard.press("g")
    await page.keyboard.press("t")
    expect(page.url()).toContain("decisions")
    await page.keyboard.press("Control+k")
    await palette.getByRole("combobox").fill("keys")
    await page.keyboard.press("Enter")
    await help.getByLabel(/Single keys/).check()
    await page.keyboard.press("Escape")
    const top = page.getByRole("banner")
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
    await expect.poll(() => top.getByRole("button", { name: "Pause" }).isEnabled(), WAIT).toBe(true)
    for (const [key, view] of [
      ["s", "simulate"],
      [",", "settings"],
      ["h", ""],
    ]) {
      await page.keyboard.press("g")
      await page.keyboard.press(String(key))
      await page.waitForURL(`**/#/${view}`)
    }
    await page.keyboard.press("p")
    await page.keyboard.press("p")
    await top.getByRole("button", { name: "Undo" }).click()
    await top.getByRole("button", { name: "Pause" }).waitFor(WAIT)
  }, 240_000)

  test("works with the keyboard alone: skip link, then the views", async () => {
    await page.goto(url("rules"))
    await page.reload()
    await page.locator("main h1").waitFor(WAIT)
    await page.keyboard.press("Tab")
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content")
    await page.keyboard.press("Enter")
    expect(await page.evaluate("document.activeElement.id")).toBe("content")
  }, 120_000)

  test("says that it is not live while the daemon does not answer", async () => {
    await page.goto(url())
    await page.getByRole("region", { name: "Verdict" }).waitFor(WAIT)
    daemon.child.kill("SIGSTOP")
    await expect
      .poll(() => page.locator(".stale").innerText())
      .toMatch(/This is not live\. The daemon last answered \d+ s ago/)
    const colour = "getComputedStyle(document.querySelector('.verdict h1')).color"
    const old = await page.evaluate(colour)
    const green = await page.evaluate(`document.body.className = "", ${colour}`)
    expect(old).not.toBe(green)
    await page.evaluate('document.body.className = "old"')
    await page.screenshot({ path: shot("stale-light-wide") })
    const stop = page.getByRole("banner").getByRole("button", { name: "Pause" })
    expect([await stop.isDisabled(), await stop.getAttribute("title")]).toEqual([
      true,
      expect.stringContaining("does not answer"),
    ])
    daemon.child.kill("SIGCONT")
    await expect.poll(() => page.locator(".stale").count()).toBe(0)
  }, 180_000)

  test("ends the session when the person logs out", async () => {
    await page.getByRole("button", { name: "Log out" }).click()
    await page.getByLabel("Token").waitFor(WAIT)
    expect(await context.cookies()).toEqual([])
  }, 120_000)
})

function shot(name: string): string {
  mkdirSync(ARTIFACTS, { recursive: true })
  return join(ARTIFACTS, `${name}.png`)
}

/**
 * A page on another port that posts a pause in three ways: as a form would, as text, and as JSON.
 */
async function serveForeignPage(port: number): Promise<Server> {
  const target = JSON.stringify(`http://127.0.0.1:${port}/api/v1/pause`)
  const script = `window.sent = []
    const asBrowser = { method: "POST", credentials: "include", body: "{}" }
    const post = (init) => fetch(${target}, { ...asBrowser, ...init })
      .then(() => window.sent.push("sent"), () => window.sent.push("refused"))
    await post({ mode: "no-cors" })
    await post({ mode: "no-cors", headers: { "content-type": "text/plain" } })
    await post({ headers: { "content-type": "application/json" } })`
  const server = createServer((_request, answer) => {
    answer
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><script type="module">${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}
