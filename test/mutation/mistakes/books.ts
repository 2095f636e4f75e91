import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const BESIDE = ["src/books", "test/unit/books"]

export const bookMistakes: MistakesOfRoom = {
  room: "books",
  tests: ["test/proof/property/books.test.ts", "test/unit/engine/books.test.ts", "test/unit/engine/reconciler.test.ts"],
  mistakes: [
    ...mistakesIn("src/books/entries-of.ts", BESIDE, [
      [
        "a refund that pays its fee out of the amount books the fee twice",
        "if (feeUnits === 0n || fromHtlc) return []",
        "if (feeUnits === 0n) return []",
      ],
      [
        "a transaction that failed costs no fee",
        "if (feeUnits === 0n || fromHtlc) return []",
        "if (feeUnits === 0n || fromHtlc || !ok) return []",
      ],
      [
        "a deposit that failed counts as made",
        'const own = data.mined.find(({ purpose, ok }) => purpose === "deposit" && ok)\n  const relayed',
        'const own = data.mined.find(({ purpose }) => purpose === "deposit")\n  const relayed',
      ],
      [
        "a relayed deposit is not booked",
        "data.gasless === null ? null : data.seen.sourceInitiated",
        "data.gasless === null ? data.seen.sourceInitiated : null",
      ],
      [
        "the rent of a deposit is not booked",
        "const heldUnits = own?.heldUnits ?? 0n",
        "const heldUnits = 0n * (own?.heldUnits ?? 0n)",
      ],
      [
        "a payout to another wallet counts as ours",
        "wallets.isOurs(to, data.terms.destinationOwner) ? walletOf(to) : ACCOUNTS.outside",
        "walletOf(to)",
      ],
      [
        "a payout books the promised amount",
        "value.post(payee, to, units),",
        "value.post(payee, to, destinationUnits),",
      ],
      [
        "the affiliates' share is part of the swap's cost",
        "swapUnits: costUnits - affiliateUnits, affiliateUnits }",
        "swapUnits: costUnits, affiliateUnits }",
      ],
      ["the affiliates' share is larger than the whole cost", "asked < costUnits ? asked : costUnits", "asked"],
      [
        "a refund by another party counts as our network fee",
        'ours ? ACCOUNTS.network("refund") : ACCOUNTS.swap',
        'ACCOUNTS.network("refund")',
      ],
      [
        "a refund after a payout leaves transit twice",
        "data.receipt === null ? ACCOUNTS.inTransit(data.id) : ACCOUNTS.exchange",
        "ACCOUNTS.inTransit(data.id)",
      ],
      [
        "more rent comes back than was paid",
        "data.rentReturned.units < heldUnits ? data.rentReturned.units : heldUnits",
        "data.rentReturned.units",
      ],
    ]),
    ...mistakesIn("src/books/book-step.ts", BESIDE, [
      [
        "an entry that changed is not reversed",
        "[...old.keys()].filter((key) => !same(key))",
        "[...old.keys()].filter((key) => !now.has(key))",
      ],
      [
        "an entry that vanished is not reversed",
        "[...old.keys()].filter((key) => !same(key))",
        "[...old.keys()].filter((key) => now.has(key) && !same(key))",
      ],
      ["a change of the rent alone is not booked", '"rentReturned",\n', ""],
    ]),
    ...mistakesIn("src/books/judge-balance.ts", BESIDE, [
      ["a wallet may miss what comes in", "difference < -pending.outUnits", "difference < -pending.inUnits"],
      [
        "a surplus is reported while an order is under way",
        'difference > 0n && isQuiet(pending) ? "surplus"',
        'difference > 0n ? "surplus"',
      ],
      ["a difference of one unit agrees", "if (difference === 0n)", "if (difference >= -1n && difference <= 1n)"],
      ["one way alone makes it quiet", "inUnits === 0n && outUnits === 0n", "inUnits === 0n || outUnits === 0n"],
    ]),
    ...mistakesIn("src/books/pending.ts", BESIDE, [
      ["a final transaction stays pending", "signed.length === 0 || shown?.final", "signed.length === 0"],
      [
        "the fee of a signed transaction is not pending",
        'add(native, "out", largest(plans.map(({ maxFeeUnits }) => maxFeeUnits)))',
        "",
      ],
      [
        "a relayed deposit is not pending",
        'if (seen.sourceInitiated === null) add(request.from, "out", request.sourceUnits)\n',
        "if (seen.sourceInitiated === null) return\n",
      ],
      [
        "the units in the HTLC never come back",
        'if (seen.sourceRedeemed?.final !== true) add(request.from, "in", request.sourceUnits)',
        "",
      ],
      [
        "a payout to another wallet is pending for ours",
        "data.terms !== null && wallets.isOurs(data.request.to, data.terms.destinationOwner)",
        "data.terms !== null",
      ],
      ["the smallest fee of several attempts is pending", "value > most ? value : most", "value < most ? value : most"],
    ]),
    ...mistakesIn("src/books/valuation.ts", BESIDE, [
      [
        "the payout is valued with the source's value",
        "(units * quote.destinationFiat) / quote.destinationUnits",
        "(units * (quote.sourceFiat ?? 0n)) / quote.destinationUnits",
      ],
      [
        "an unknown price is zero",
        "!known || price === null || decimals === null ? null",
        "!known || price === null || decimals === null ? 0n",
      ],
    ]),
    ...mistakesIn("src/books/report.ts", BESIDE, [
      [
        "an abandoned order counts as a failure of the service",
        'outcome !== null && outcome !== "abandoned" && serviceOrderId',
        "outcome !== null && serviceOrderId",
      ],
      [
        "a loss against the quote is a gain",
        "-basisPoints(expected - value, expected)",
        "basisPoints(expected - value, expected)",
      ],
      [
        "the sent value uses the decimals of the received asset",
        "10n ** BigInt(decimalsOf(sent.asset))",
        "10n ** BigInt(decimalsOf(received.asset))",
      ],
    ]),
    ...mistakesIn("src/books/period.ts", BESIDE, [
      ["the last day is not part of a period", "+ (DATE.test(to) ? DAY_MS : 0)", ""],
      ["a month has three days", "month: 30 * DAY_MS", "month: 3 * DAY_MS"],
    ]),
    ...mistakesIn("src/books/accrue-affiliate.ts", BESIDE, [
      ["a week begins on Sunday", "(day.getUTCDay() || 7)", "day.getUTCDay()"],
      [
        "earnings of all addresses are one sum",
        '[week, asset, sameAddressKey(address)].join(" ")',
        '[week, asset].join(" ")',
      ],
    ]),
  ],
}
