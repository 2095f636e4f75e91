import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const BESIDE = ["src/policy", "test/unit/policy"]

export const policyMistakes: MistakesOfRoom = {
  room: "policy",
  tests: [
    "test/proof/property/policy-planner.test.ts",
    "test/proof/property/policy-scenarios.test.ts",
    "test/proof/property/policy-occurrences.test.ts",
  ],
  mistakes: [
    ...mistakesIn("src/policy/treasury-view.ts", BESIDE, [
      [
        "orders in flight do not count as arrived",
        "return spendableUnits + inFlightInUnits - inFlightOutUnits",
        "return spendableUnits - inFlightOutUnits",
      ],
      [
        "the coins for fees may be sold",
        "spendableUnits - inFlightOutUnits - floorUnits",
        "spendableUnits - inFlightOutUnits",
      ],
      ["promised coins may be sold", "spendableUnits - inFlightOutUnits - floorUnits", "spendableUnits - floorUnits"],
      ["a price of zero counts", "asset.priceFiat !== null && asset.priceFiat > 0n", "asset.priceFiat !== null"],
    ]),
    ...mistakesIn("src/policy/rules/band/decide-band.ts", BESIDE, [
      ["a drain leaves less than the target", "mostUnits: haveUnits - rule.minUnits", "mostUnits: haveUnits"],
      [
        "a refill goes to the bound instead of the target",
        'to === "target" ? rule.targetUnits : rule.minUnits',
        'to !== "target" ? rule.targetUnits : rule.minUnits',
      ],
      ["a balance at its least is refilled", "haveUnits < rule.minUnits", "haveUnits <= rule.minUnits"],
      ["a drain ignores the rule's cost limit", "maxCost: rule.maxCost ?? null", "maxCost: null"],
    ]),
    ...mistakesIn("src/policy/rules/sweep/decide-sweep.ts", BESIDE, [
      ["a sweep leaves nothing", "const wantUnits = haveUnits - rule.keepUnits", "const wantUnits = haveUnits"],
      ["a sweep ignores its payee", "const destination = rule.destination ?? null", "const destination = null"],
    ]),
    ...mistakesIn("src/policy/rules/recurring/size-recurring.ts", BESIDE, [
      ["a recurring order sells more than is liquid", "if (units > liquid) {", "if (units < 0n) {"],
      ["a share counts in percent", "(liquid * amount.bps) / 10_000n", "(liquid * amount.bps) / 100n"],
    ]),
    ...mistakesIn("src/policy/headroom.ts", BESIDE, [
      ["a band is drained below its least for another rule", "haveUnits - minUnits", "haveUnits"],
      ["a band is filled above its most for another rule", "maxUnits - haveUnits)", "maxUnits)"],
      ["the widest of several bounds holds", "bound.giveUnits < known.giveUnits", "bound.giveUnits > known.giveUnits"],
    ]),
    ...mistakesIn("src/policy/planner/order-bounds.ts", BESIDE, [
      [
        "only the rule's own cost limit bounds an order",
        "boundCosts(from, quote, [limits.maxCost, ...needs.map(({ maxCost }) => maxCost)])",
        "boundCosts( from, quote, needs.map(({ maxCost }) => maxCost ?? limits.maxCost),)",
      ],
      ["a fixed cost may break its limit in fiat", "if (spareValue < 0n) return null", ""],
      [
        "the largest order allowed is ignored",
        'for (const max of limitsOf(limits, route)) his.push({ units: max, cause: "limit" })',
        "",
      ],
    ]),
    ...mistakesIn("src/policy/evaluate.ts", BESIDE, [
      ["two occurrences sell the same coins", "view = countAsInFlight(view, proposal)", ""],
      ["an unknown payout counts as zero", "if (receiveUnits !== null) {", "if (receiveUnits !== undefined) {"],
      [
        "a disabled rule trades",
        "const enabled = rules.filter((rule) => rule.enabled !== false)\n  return",
        "const enabled = rules.filter(() => true)\n  return",
      ],
    ]),
    ...mistakesIn("src/policy/rule-costs.ts", BESIDE, [
      ["only the first rule's cost limit holds", "others.length > 0 ? { alsoMaxCosts: others } : {}", "{}"],
    ]),
    ...mistakesIn("src/policy/planner.ts", BESIDE, [
      ["a rule without an order keeps its asset", "coveredBy(need, orders) === 0n", "coveredBy(need, orders) < 0n"],
    ]),
    ...mistakesIn("src/policy/planner/give-way.ts", BESIDE, [
      [
        "rules that wait for each other stand still",
        "needs.length > 0 && hasRoute(to)",
        "needs.length < 0 && hasRoute(to)",
      ],
      ["a need that gave way in vain stays out", "idle: [vain], back, yielded", "idle: [vain], back: [], yielded"],
    ]),
    ...mistakesIn("src/policy/planner/place-orders.ts", BESIDE, [
      [
        "whole units of a source may pass the max of their sink",
        "if (excess <= 0n) return [...loads]",
        "return [...loads]",
      ],
      ["a load is cut by twice its excess", "load.units - cut } : load", "load.units - 2n * cut } : load"],
    ]),
    ...mistakesIn("src/policy/planner/explain-need.ts", BESIDE, [
      [
        "a rule that another rule's order serves gets no reason",
        "met: other === null, reasons: other === null ?",
        "met: true, reasons: other !== null ?",
      ],
    ]),
    ...mistakesIn("src/policy/planner/build-problem.ts", BESIDE, [
      [
        "the need that a route cannot serve gets no reason",
        "blocked: unserved.map(",
        "blocked: unserved.slice(9).map(",
      ],
    ]),
    ...mistakesIn(
      "src/engine/tick/derive-plan-limits.ts",
      ["test/unit/engine/tick/derive-plan-limits.test.ts"],
      [
        [
          "limits are read for the needs of the first reading only",
          "if (scheduled.length === 0) return limits",
          "return limits",
        ],
      ],
    ),
    ...mistakesIn("src/policy/find-churn.ts", BESIDE, [
      ["only short circles count", "const MOST_ASSETS = 8", "const MOST_ASSETS = 4"],
    ]),
    ...mistakesIn("src/policy/value.ts", BESIDE, [
      [
        "a value has a tenth of its decimals",
        "10n ** 18n",
        "10n ** 17n",
        "the constant cancels out: both conversions use it, and it only sets how exact they are",
      ],
      ["the fewest units are too few", 'rounding === "up" ? scaled + per - 1n : scaled', "scaled"],
    ]),
  ],
}
