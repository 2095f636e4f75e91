import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const BESIDE = ["src/guards"]

export const guardMistakes: MistakesOfRoom = {
  room: "guards",
  tests: ["test/unit/engine/limits.test.ts"],
  mistakes: [
    ...mistakesIn("src/guards/price.ts", BESIDE, [
      [
        "a rule's looser cost limit replaces the general one",
        "ruleMaxCost === null ? [maxCost] : [maxCost, ruleMaxCost]",
        "ruleMaxCost === null ? [maxCost] : [ruleMaxCost]",
      ],
      ["a quote that pays nothing is accepted", "quote.destinationUnits <= 0n", "quote.destinationUnits < 0n"],
      [
        "a cost that equals the limit plus one basis point passes",
        "basisPoints(lostFiat, sourceFiat) > limit.bps",
        "basisPoints(lostFiat, sourceFiat) > limit.bps + 1n",
      ],
      ["the payout fee is not taken off the quote", "feeUnits <= 0n || units <= 0n", "feeUnits >= 0n || units <= 0n"],
      ["a payout fee above the payout leaves all of it", "units - feeUnits : 0n", "units - feeUnits : units"],
      ["the payout fee leaves the value of the quote as it was", "(fiat * left) / units", "fiat"],
      [
        "a quote without a price passes",
        'return [{ code: "price.missing", message: "The quote has no readable value on one side, so its cost is unknown" }]',
        "return []",
      ],
      [
        "an order is too dear only when both limits are broken",
        "const broken = [...limits, ...alsoMaxCosts].find((limit) => isDearer(sourceFiat, destinationFiat, limit))",
        "const broken = limits.every((limit) => isDearer(sourceFiat, destinationFiat, limit)) ? maxCost : undefined",
      ],
      ["a cost in fiat that equals its limit is refused", "lostFiat > limit.fiat", "lostFiat >= limit.fiat"],
      [
        "the reference value of the source uses its own decimals twice",
        "quote.sourceUnits * from.fiat * 10n ** BigInt(decimals.to)",
        "quote.sourceUnits * from.fiat * 10n ** BigInt(decimals.from)",
      ],
      [
        "the tolerance of reference prices counts twice",
        "const bps = toleranceBps +",
        "const bps = 2n * toleranceBps +",
      ],
      [
        "the loss by reference prices may be ten times too large",
        "(lost + extraFiat * scale) * 10_000n <= allowed",
        "(lost + extraFiat * scale) * 1_000n <= allowed",
      ],
      [
        "the fee coin needs no reference price",
        "...(reference.native ? [{ asset: reference.native.asset, side: reference.native.price }] : []),",
        "",
      ],
      ["a gain counts as a negative fee", "return lost > 0n ? lost : 0n", "return lost"],
    ]),
    ...mistakesIn("src/guards/offer.ts", BESIDE, [
      [
        "by reference prices only both broken limits refuse",
        "return judgements.find((reasons) => reasons.length > 0) ?? []",
        "return judgements.every((reasons) => reasons.length > 0) ? (judgements[0] ?? []) : []",
      ],
      [
        "a rule's looser limit replaces the general one by reference prices",
        "[maxCost, ...(ruleMaxCost === null ? [] : [ruleMaxCost])",
        "[ruleMaxCost ?? maxCost",
      ],
      [
        "one asset without a source excuses the missing price of the other",
        "reference.from !== null || reference.to !== null",
        "reference.from !== null && reference.to !== null",
      ],
      [
        "a missing reference price leaves the quote's own values to decide",
        "judged : judgeTotal(), missing }",
        "judged : judgeTotal(), missing: [] }",
      ],
    ]),
    ...mistakesIn("src/guards/order-value.ts", BESIDE, [
      ["limits count the quote's own value only", "larger(quote.sourceFiat, source)", "quote.sourceFiat ?? source"],
      ["limits count the smaller of two values", "return a > b ? a : b", "return a < b ? a : b"],
      [
        "the network fee of the refund does not count",
        "budget.depositUnits + budget.refundUnits",
        "budget.depositUnits",
      ],
      ["a value of units is rounded down", "(units * price.fiat + per - 1n) / per", "(units * price.fiat) / per"],
      [
        "the payout is valued with the decimals of the source",
        'reference.to, decimals.to, "down"',
        'reference.to, decimals.from, "down"',
      ],
      ["a gain by reference prices reduces the fees", "atLeastZero(source - destination)", "source - destination"],
    ]),
    ...mistakesIn("src/guards/limits.ts", BESIDE, [
      ["an order of nothing is admitted", "request.sourceUnits <= 0n", "request.sourceUnits < 0n"],
      ["one order more than allowed is in flight", "inFlight < max) return []", "inFlight <= max) return []"],
      [
        "the cool-down begins when it should end",
        "request.nowMs < usage.cooldownUntilMs",
        "request.nowMs > usage.cooldownUntilMs",
      ],
      [
        "an order of exactly the largest size is refused",
        "request.sourceUnits > maxUnits",
        "request.sourceUnits >= maxUnits",
      ],
      ["a window holds one order more than allowed", "used.count >= window.maxCount", "used.count > window.maxCount"],
      [
        "a window in units counts only the past",
        "const units = used.units + request.sourceUnits",
        "const units = used.units",
      ],
      ["a window in fiat counts only the past", "const value = used.fiat + sourceFiat", "const value = used.fiat"],
      ["an unknown fee passes the limits in fiat", "sourceFiat === null || feesFiat === null", "sourceFiat === null"],
      [
        "a limit on fees alone does not ask for a value",
        '(w) => w.max?.kind === "fiat" || w.maxFeesFiat !== null',
        '(w) => w.max?.kind === "fiat"',
      ],
      ["the fees of a window are not judged", "reasons.push(...admitFees(feesFiat, usage, limits))", ""],
      [
        "the fees of a window may be ten times too high",
        "fees <= window.maxFeesFiat",
        "fees <= window.maxFeesFiat * 10n",
      ],
      [
        "the network fees of a native deposit need no coins",
        "sourceUnits + committedUnits + (sourceIsNative ? feeUnits : 0n)",
        "sourceUnits + committedUnits",
      ],
      [
        "two orders may spend the same coins",
        "sourceUnits + committedUnits + (sourceIsNative",
        "sourceUnits + (sourceIsNative",
      ],
      [
        "the network fees of orders under way are not kept",
        "const feeUnits = funds.feeUnits + funds.committedFeeUnits",
        "const feeUnits = funds.feeUnits",
      ],
      [
        "a token order may spend the coins of a committed native deposit on fees",
        "feeUnits + committedNativeUnits",
        "feeUnits",
      ],
      ["the limit per rule counts all orders", "inFlightOf.rule, maxInFlightPerRule", "inFlight, maxInFlightPerRule"],
      [
        "the limit per chain forgets the destination's chain",
        "...inFlightOf.chains.flatMap",
        "...inFlightOf.chains.slice(0, 1).flatMap",
      ],
      [
        "the list of allowed solvers is a list of refused ones",
        "solvers?.allow?.includes(solver) === false",
        "solvers?.allow?.includes(solver) === true",
      ],
      ["the list of refused solvers is ignored", "solvers?.deny.includes(solver) || ", ""],
    ]),
    ...mistakesIn("src/guards/cooldown.ts", BESIDE, [
      ["the first failure already doubles the cool-down", "2 ** Math.min(count - 1, 30)", "2 ** Math.min(count, 30)"],
      ["the cool-down grows without an end", "Math.min(grownMs, longestMs)", "grownMs"],
    ]),
    ...mistakesIn("src/guards/deposit-window.ts", BESIDE, [
      ["the service may ask for twenty deposit windows", "const MAX_WINDOWS = 2", "const MAX_WINDOWS = 20"],
      ["the service's deadline has no ceiling", "Math.min(asked, nowMs +", "Math.max(asked, nowMs +"],
      ["the deposit may be sent after the deadline", "return untilMs - Math.min", "return untilMs + Math.min"],
      ["the margin may take all the time that is left", "(untilMs - nowMs) / 2", "untilMs - nowMs"],
      [
        "without a deadline the window begins anew with each look",
        "createdAtMs + policy.depositWindowMs",
        "nowMs + policy.depositWindowMs",
      ],
    ]),
    ...mistakesIn("src/guards/quiet-hours.ts", BESIDE, [
      [
        "quiet hours last one minute more",
        "minute >= fromMinute && minute < toMinute",
        "minute >= fromMinute && minute <= toMinute",
      ],
      ["quiet hours over midnight belong to the wrong day", "(day + 6) % 7", "(day + 1) % 7"],
      ["the end of quiet hours ignores the day of their beginning", "days.includes(dayBefore) && ", ""],
    ]),
    ...mistakesIn("src/guards/requires-approval.ts", BESIDE, [
      [
        "an approval trusts the quote's own value",
        "order.value?.sourceFiat ?? order.quote?.sourceFiat ?? null",
        "order.quote?.sourceFiat ?? order.value?.sourceFiat ?? null",
      ],
      [
        "an order without a value needs no approval",
        "fiat === null || fiat > approveAbove.fiat",
        "fiat !== null && fiat > approveAbove.fiat",
      ],
      [
        "an order of exactly the limit needs an approval",
        "order.request.sourceUnits > approveAbove.units",
        "order.request.sourceUnits >= approveAbove.units",
      ],
    ]),
    ...mistakesIn("src/guards/intent.ts", BESIDE, [
      ["an approval covers any payout", "destinationUnits: terms.destinationUnits.toString(),", ""],
      ["an approval covers any address of the refund", "refundTo: deposit.refundTo,", ""],
      ["an approval covers any fee out of the payout", "payoutFeeUnits === 0n ?", "payoutFeeUnits >= 0n ?"],
    ]),
    ...mistakesIn("src/guards/verify-deposit.ts", BESIDE, [
      ["the findings of the destination are ignored", ", ...evidence.context.destinationFindings]", "]"],
      [
        "a deposit of another amount passes",
        "terms.sourceUnits,\n      decoded.units,",
        "terms.sourceUnits,\n      order.source.units,",
      ],
      [
        "a payout of another amount passes",
        "terms.destinationUnits,\n      order.destination.units,",
        "order.destination.units,\n      order.destination.units,",
      ],
      [
        "a refund to the service's own depositor passes",
        "context.sameOnSource(decoded.refundTo, terms.sourceOwner)",
        "context.sameOnSource(decoded.refundTo, order.source.initiator)",
      ],
      ["a payout to another address passes", "ownerSame,\n", "true,\n"],
      ["the deposit may name another redeemer than the order", "redeemerSame,\n", "true,\n"],
      ["the order may expect another depositor", "initiatorOurs,\n", "true,\n"],
      [
        "the locks need no margin between them",
        "destinationSeconds * 1.5 <= sourceSeconds",
        "destinationSeconds <= sourceSeconds",
      ],
      [
        "the source lock counts with average blocks",
        "source.fastestSeconds ?? source.secondsPerUnit",
        "source.secondsPerUnit",
      ],
      [
        "the destination lock counts with average blocks",
        "destination.slowestSeconds ?? destination.secondsPerUnit",
        "destination.secondsPerUnit",
      ],
      ["a secret hash may serve two orders", "!context.secretHashKnown,", "true,"],
      ["a secret hash of zeros passes", " && !/^0+$/.test(decoded.secretHash)", ""],
      [
        "the two legs may have different secrets",
        "order.source.secretHash,\n      order.destination.secretHash,",
        "order.source.secretHash,\n      order.source.secretHash,",
      ],
      [
        "a deposit at the last moment passes",
        "context.nowMs < context.sendUntilMs",
        "context.nowMs <= context.sendUntilMs",
      ],
      ["a leg that is already funded passes", "leg.filledUnits === 0n", "leg.filledUnits >= 0n"],
      ["a leg that was already refunded passes", "refund: leg.refundTx, ", ""],
      [
        "a lock below its least passes",
        "found >= bounds.min && found <= bounds.max",
        "found >= bounds.min || found <= bounds.max",
      ],
      [
        "the deposit's lock may differ from the order's",
        "order.source.timelock,\n      decoded.timelock,",
        "decoded.timelock,\n      decoded.timelock,",
      ],
      ["the deposit may be for another chain", "chainOf(terms.from), decoded.chain)", "decoded.chain, decoded.chain)"],
      [
        "the order may pay another asset",
        "terms.to, order.destination.asset)",
        "order.destination.asset, order.destination.asset)",
      ],
      [
        "an address that cannot be derived is paid",
        'decoded.htlcKind === "contract" || decoded.htlcKind === "derivable-address"',
        'decoded.htlcKind !== "contract" || decoded.htlcKind === "contract"',
      ],
    ]),
    ...mistakesIn("src/guards/choose-quote.ts", BESIDE, [
      [
        "the gain of a quote is measured the wrong way round",
        "isAbove(destinationFiat, sourceFiat,",
        "isAbove(sourceFiat, destinationFiat,",
      ],
      ["a quote may be better by ten times the limit", "(10_000n + bps)", "(10_000n + 10n * bps)"],
      ["the median is the lower middle quote", "Math.floor(sorted.length / 2)", "Math.floor((sorted.length - 1) / 2)"],
      [
        "one limit of ours makes a bad price sound",
        "refusals.every(({ code }) => code.startsWith",
        "refusals.some(({ code }) => code.startsWith",
      ],
      ["a refused solver's quote is a measure for others", ' && code !== "limit.solver"', ""],
      ["a service is its own witness", "(other) => other.service !== service", "() => true"],
      ["a service counts with its worst quote", "units > known", "units < known"],
      [
        "a quote is compared with worse ones only",
        "destinationUnits <= quote.destinationUnits",
        "destinationUnits >= quote.destinationUnits",
      ],
      ["one other service already refutes a rate", ".length < 2", ".length < 1"],
      ["without reference prices no rate is compared", "cost === null ? [] :", "cost !== null ? [] :"],
      ["the smallest payout wins", "? -1 : 1\n  }", "? 1 : -1\n  }"],
    ]),
    ...mistakesIn("src/guards/affiliate.ts", BESIDE, [
      ["one record covers two affiliates that were asked for", "left.splice(at, 1)", ""],
      ["an affiliate record with another fee passes", "record.feeBps === fee.feeBps && ", ""],
      ["affiliates may take ten times the amount", "sum <= 10_000", "sum <= 100_000"],
    ]),
    ...mistakesIn("src/guards/compare-contract.ts", BESIDE, [
      ["a pinned value that the chain does not show passes", "found[name] ?? ABSENT", "found[name] ?? expected"],
    ]),
  ],
}
