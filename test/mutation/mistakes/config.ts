import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

/** Without the tests that only compare the schema with its documents: they notice each default that changes, and judge none. */
const BESIDE = ["src/config/load.test.ts", "src/config/money.test.ts"]
const SETTINGS = ["src/daemon/settings.test.ts"]

export const configMistakes: MistakesOfRoom = {
  room: "config",
  tests: ["src/config/services.test.ts", "src/config/affiliate.test.ts", "src/config/presets.test.ts"],
  mistakes: [
    ...mistakesIn("src/config/build-config.ts", BESIDE, [
      ["a window has no end", 'window.per === "lifetime" ? null : window.per', "null"],
      ["the fees of a window have no limit", "window.max_fees === null ? null : fiatOf(window.max_fees)", "null"],
      [
        "the limit per chain is the limit per pair",
        "maxInFlightPerChain: guards.max_in_flight_per_chain",
        "maxInFlightPerChain: guards.max_in_flight_per_pair",
      ],
      [
        "approvals have the largest order as their limit",
        "approveAbove: sold(guards.approve_above)",
        "approveAbove: sold(guards.max_order)",
      ],
      [
        "the gain of a quote has the cost limit's size",
        "maxGainBps: bpsOf(guards.max_gain)",
        "maxGainBps: 10n * bpsOf(guards.max_gain)",
      ],
      ["quiet hours end when they begin", "toMinute: minutes(to)", "toMinute: minutes(from)"],
      [
        "the shortest and the longest cool-down are the same",
        "cooldownMaxMs: guards.cooldown_max",
        "cooldownMaxMs: guards.cooldown_after_failure",
      ],
      [
        "limits in own units count smallest units",
        "unitsRoundedDown(amount.text, decimals)",
        "unitsRoundedDown(amount.text, 0)",
      ],
      [
        "a chain takes the deadline margin from its stuck time",
        "deadlineMarginMs: chain.deadline_margin",
        "deadlineMarginMs: chain.stuck_after",
      ],
    ]),
    ...mistakesIn("src/config/schema.ts", BESIDE, [
      [
        "a swap may lose ten times as much without a limit of its own",
        '"100bps",\n    "The highest cost of one swap',
        '"1000bps",\n    "The highest cost of one swap',
      ],
      [
        "an approval lives for a day",
        '"1h",\n    "The longest wait of an order for approval',
        '"24h",\n    "The longest wait of an order for approval',
      ],
      [
        "eighty orders are in flight",
        "max_in_flight: withDefault(integer(1, 100_000), 8,",
        "max_in_flight: withDefault(integer(1, 100_000), 80,",
      ],
      ["any address may be paid without a list", '"own",\n    "The allowed payees', '[],\n    "The allowed payees'],
    ]),
    ...mistakesIn("src/config/build-prices.ts", BESIDE, [
      [
        "the tolerance of prices is the tolerance of its pegs",
        "toleranceBps: bpsOf(file.tolerance)",
        "toleranceBps: 10n * bpsOf(file.tolerance)",
      ],
      [
        "a price may be sixty times as old",
        "maxAgeMs: written ?? USUAL_AGE_MS",
        "maxAgeMs: 60 * (written ?? USUAL_AGE_MS)",
      ],
      ["a price is fresh for five hours", "USUAL_AGE_MS = 5 * MINUTE_MS", "USUAL_AGE_MS = 300 * MINUTE_MS"],
    ]),
    ...mistakesIn("src/config/schema-prices.ts", BESIDE, [
      ["prices may differ ten times as much", 'share,\n    "200bps"', 'share,\n    "2000bps"'],
    ]),
    ...mistakesIn("src/config/check-references.ts", BESIDE, [
      [
        "an interface without TLS may listen everywhere",
        "if (listen !== null && !isLoopback(listen) && tls === null) {",
        "if (listen !== null && !isLoopback(listen) && tls !== null) {",
      ],
    ]),
    ...mistakesIn("src/daemon/settings.ts", SETTINGS, [
      ["a payout may bring ten units less", "payoutToleranceUnits: 0n", "payoutToleranceUnits: 10n"],
      [
        "an order waits sixty times as long for a reported payout",
        "reportPatienceMs: destinationFamily.reportPatienceMs",
        "reportPatienceMs: 60 * destinationFamily.reportPatienceMs",
      ],
      [
        "the patience with a report is the source chain's",
        "reportPatienceMs: destinationFamily.reportPatienceMs",
        "reportPatienceMs: sourceFamily.reportPatienceMs",
      ],
      [
        "the deposit window is the destination's",
        "depositWindowMs: sourceFamily.depositWindowMs",
        "depositWindowMs: destinationFamily.depositWindowMs",
      ],
      [
        "the bounds of the two locks are swapped",
        "{ source: sourceFamily.timelocksOf(source), destination: destinationFamily.timelocksOf(destination) }",
        "{ source: destinationFamily.timelocksOf(destination), destination: sourceFamily.timelocksOf(source) }",
      ],
      ["an order waits for a service all day", "patienceMs: 30 * MINUTE_MS", "patienceMs: 30 * 60 * MINUTE_MS"],
      ["an approval has no end", "approvalTtlMs: guards.approvalTtlMs", "approvalTtlMs: Number.MAX_SAFE_INTEGER"],
      ["no order waits for an approval by its units", 'units === undefined ? null : { kind: "units", units }', "null"],
      [
        "a native coin needs no reserve",
        "new Map(guards.minNative.map(({ chain, units }) => [chain, units]))",
        "new Map()",
      ],
      ["a listed address is paid when it is ours only", 'if (destinations === "own") return null', "return null"],
      [
        "any address is paid",
        "chain.isAddress(address) && chain.sameAddress(address, wanted)) ? wanted : null",
        "chain.isAddress(address)) ? wanted : null",
      ],
      [
        "a list without own pays our wallets too",
        'destinations === "own" || destinations.includes("own")',
        'destinations === "own" || destinations.length > 0',
      ],
    ]),
  ],
}
