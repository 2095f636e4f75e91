import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { acceptOrder } from "#engine/orders/stepper.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import { reportSwaps } from "../../../src/app/cli/actions/books/report-swaps.ts"
import { listAlerts } from "../../../src/app/cli/actions/host/list-alerts.ts"
import { showStatus } from "../../../src/app/cli/actions/host/show-status.ts"
import { listOrders } from "../../../src/app/cli/actions/orders/list-orders.ts"
import { showOrder } from "../../../src/app/cli/actions/orders/show-order.ts"
import { explainRule } from "../../../src/app/cli/actions/rules/explain-rule.ts"
import { listRules } from "../../../src/app/cli/actions/rules/list-rules.ts"
import type { CommandContext } from "../../../src/app/cli/define-command.ts"
import { fitWidth } from "../../../src/app/cli/format/fit-width.ts"
import { openWorld } from "../../support/fake-world.ts"
import { SAMPLE } from "../../support/order-sample.ts"

const CONFIG = `
service: { url: "http://127.0.0.1:1" }
data_dir: ./data
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:1"],
      key: "env:K" }
  ethereum_sepolia: { family: evm, chain_id: 11155111, rpc: ["http://127.0.0.1:1"], key: "env:K" }
  solana_testnet: { family: solana, rpc: ["http://127.0.0.1:1"], key: "env:K" }
  starknet_sepolia: { family: starknet, rpc: ["http://127.0.0.1:1"], account: "0x1", key: "env:K" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  ethereum_sepolia:eth: { decimals: 18, htlc: ["0x00000000000000000000000000000000000000aa"] }
  solana_testnet:sol: { decimals: 9, htlc: ["6eksgdCnSjUaGQWZ6iYvauv1qzvYPF33RTGTM1ZuyENx"] }
  starknet_sepolia:strk: { decimals: 18,
      token: "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d", htlc: ["0x2"] }
rules:
  - { id: weekly, kind: recurring, schedule: "0 9 * * MON", from: ethereum_sepolia:eth,
      to: bitcoin_testnet:btc, amount: "200" }
guards:
  max_order: "100"
  windows: [ { per: 24h, max: "50000" } ]
`

const ADVICE = "contact the service"
/** More than nine digits of smallest units in every asset. */
const PAIRS = [
  ["bitcoin_testnet:btc", "ethereum_sepolia:eth", 12_345_678_901n],
  ["ethereum_sepolia:eth", "solana_testnet:sol", 150_000_000_000_000_000_000n],
  ["solana_testnet:sol", "starknet_sepolia:strk", 77_000_000_000_123n],
  ["starknet_sepolia:strk", "bitcoin_testnet:btc", 9_000_000_000_000_000_000_001n],
] as const
/** The sentences of real reasons, with amounts of the same size. */
const reasonsOf = (units: bigint, chain: string, asset: string): readonly Reason[] => [
  {
    code: "limit.order",
    message: `The order is larger than one order may be (${units}, at most ${units - 1n})`,
  },
  {
    code: "alarm.refund_short",
    message: `The deposit was refunded, and our wallet got 0 of ${units} units: ${ADVICE}`,
  },
  {
    code: "policy.gas",
    message:
      `The wallet has ${units} smallest units of the coin of ${chain} for network fees, and an ` +
      `order from ${asset} keeps back ${units}`,
    asset,
  },
]

let dir = ""

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "human-output-"))
  writeFileSync(join(dir, "ballast.yaml"), CONFIG)
  mkdirSync(join(dir, "data"), { mode: 0o700 })
  const world = openWorld()
  const journal = openJournal(join(dir, "data", "journal.db"))
  const { context } = world.start()
  for (const [index, [from, to, sourceUnits]] of PAIRS.entries()) {
    const request = {
      ...SAMPLE.input.request,
      from: parseAssetId(from),
      to: parseAssetId(to),
      sourceUnits,
    }
    const id = `${index}${"ab".repeat(15)}f`
    const input = { ...SAMPLE.input, id, rule: "weekly", request, createdAt: Date.now() - 60_000 }
    acceptOrder({ ...context, journal: context.journal }, input, null, {})
    const row = context.journal.findOrder(id)
    if (row === null) throw new Error("the order is not in the journal")
    const order = decodeOrder(row.snapshot)
    const chain = from.split(":")[0] ?? ""
    const reasons = reasonsOf(sourceUnits, chain, from)
    const networkFeeUnits = 12_345_678_901n
    const held = { state: "held" as const, data: { ...order.data, reasons, networkFeeUnits } }
    journal.openOrder(
      { ...row, state: "held", snapshot: encodeOrder(held) },
      { atMs: row.createdAtMs, type: "order.opened", state: "quoting", body: "{}" },
      null,
      null,
    )
    for (const reason of reasons) journal.raiseAlert(Date.now(), { ...reason, asset: from })
  }
  const message =
    "The wallet holds 100000000000000000000 units of ethereum_sepolia:native less than the " +
    "books say"
  journal.raiseAlert(Date.now(), {
    code: "books.foreign_transaction",
    message,
    asset: "ethereum_sepolia:native",
  })
  journal.close()
  world.close()
})

async function run(
  command: (context: CommandContext) => Promise<number>,
  columns: number | null = null,
): Promise<string> {
  const printed: string[] = []
  const context: CommandContext = {
    config: join(dir, "ballast.yaml"),
    sandbox: false,
    json: false,
    env: { K: "k" },
    clock: systemClock,
    print: (text: string) => void printed.push(text),
    tell: () => {},
    warn: (text: string) => void printed.push(text),
    progress: () => {},
    redraw: () => {},
    ask: async () => "",
    interactive: false,
    terminal: columns !== null,
    columns,
    commands: [],
  }
  await command(context)
  return printed.join("\n")
}

/** Integers of more than nine digits, beside hashes, addresses and the digits after a point. */
function findRawAmounts(text: string): readonly string[] {
  const plain = text.replace(/0x[0-9a-f]+/gi, "").replace(/\b[0-9a-f]{32,}\b/gi, "")
  return plain.match(/(?<![\w.])\d{10,}.{0,40}|[a-z_]+:native \d+/g) ?? []
}

const COMMANDS: readonly (readonly [string, (context: CommandContext) => Promise<number>])[] = [
  ["status", (context) => showStatus(context, { dataDir: null, since: null })],
  ["orders", (context) => listOrders(context, { open: false, limit: 50, "data-dir": null })],
  ["orders --open", (context) => listOrders(context, { open: true, limit: 50, "data-dir": null })],
  ...PAIRS.map(
    ([from], index) =>
      [
        `order of ${from}`,
        (context: CommandContext) => showOrder(context, `${index}aba`, null),
      ] as const,
  ),
  ["alerts --all", (context) => listAlerts(context, { all: true, limit: 200, "data-dir": null })],
  ["rules", (context) => listRules(context, { "data-dir": null, ids: false })],
  ["why", (context) => explainRule(context, "weekly")],
  ["report", (context) => reportSwaps(context, "week", "rule")],
]

describe("a person reads amounts in the asset's own unit", () => {
  test.each(COMMANDS)("in `%s`", async (_name, command) => {
    const text = await run(command)
    expect(text.length).toBeGreaterThan(40)
    expect(findRawAmounts(text)).toEqual([])
  })

  test("and the check finds a raw amount", () => {
    expect(findRawAmounts("holds 100000000000000000000 units")).toHaveLength(1)
    expect(findRawAmounts("ethereum_sepolia:native 5")).toHaveLength(1)
    expect(findRawAmounts("holds 0.100000000000000000000 eth, 0x12345678901234")).toEqual([])
  })

  test("with the right value", async () => {
    const text = await run((context) => showOrder(context, "1aba", null))
    expect(text).toContain("150 ethereum_sepolia:eth")
    expect(text).toMatch(/^ {2}opened {4}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m)
    expect(text).toContain("The wallet has 150 ETH for network fees")
    expect(
      await run((context) => listAlerts(context, { all: false, limit: 200, "data-dir": null })),
    ).toContain("holds 100 ETH less")
  })
})

test.each(COMMANDS)("`%s` fits a narrow terminal", async (_name, command) => {
  const text = fitWidth(await run(command), 60)
  expect(text.split("\n").filter((line) => line.length > 60)).toEqual([])
})

test.each(COMMANDS)(
  "no table of `%s` is broken by the width of a terminal",
  async (_name, command) => {
    for (const columns of [40, 60, 80]) {
      const lines = (await run(command, columns)).split("\n")
      expect(lines.filter((line) => line.includes("──") && line.length > columns)).toEqual([])
    }
  },
)

test("orders are listed by state, rule and time, and as ids alone", async () => {
  const usual = { open: false, limit: 50, "data-dir": null, ids: true }
  const ids = async (filter: object): Promise<number> =>
    (await run((context) => listOrders(context, { ...usual, ...filter })))
      .split("\n")
      .filter((line) => /^[0-9a-f]{32}$/.test(line)).length
  expect(await ids({})).toBe(PAIRS.length)
  expect(await ids({ state: "held", rule: "weekly", since: "1h" })).toBe(PAIRS.length)
  expect(await ids({ state: "held", limit: 1 })).toBe(1)
  expect(await ids({ state: "completed" })).toBe(0)
  expect(await ids({ rule: "daily" })).toBe(0)
  expect(await ids({ since: new Date(Date.now() + 60_000).toISOString() })).toBe(0)
  await expect(ids({ since: "yesterday" })).rejects.toMatchObject({ code: "cli.usage" })
  const rules = (context: CommandContext) => listRules(context, { "data-dir": null, ids: true })
  expect(await run(rules)).toBe("weekly")
})

test("a terminal shows the beginning of an id, which every command takes, and a pipe the whole one", async () => {
  const list = (context: CommandContext) =>
    listOrders(context, { open: false, limit: 50, "data-dir": null })
  expect(await run(list, 200)).toMatch(/^1abababa {2}weekly/m)
  expect(await run(list, 60)).toMatch(
    /^1abababa {2}weekly {2}held .*\n {2}150 ethereum_sepolia:eth -> /m,
  )
  expect(await run(list)).toContain("1ababababababababababababababab")
})
