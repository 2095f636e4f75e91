import { argumentIs, callIs, resultIs, valueIs } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** One endpoint is believed alone. */
export const agreementMistakes = mistakesOf("agreement", {
  "src/edges/nodes/quorum/agree-on.ts": {
    neededAnswers: { "one endpoint of many is enough by default": callIs("min", "1") },
    agreeOn: { "the smallest group wins": resultIs("a", "a.length - b.length") },
    agreedHead: {
      "the highest head is the agreed head": resultIs(
        "heads",
        "heads.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))[0] ?? null",
      ),
    },
  },
  "src/edges/chains/bitcoin/legs/observing.ts": {
    judgeDepth: {
      "contradicting endpoints show a transaction as seen": valueIs(
        "split",
        'confirmations >= seen && proof.status !== "contradicted"',
      ),
      "an unproven inclusion is final": valueIs("0", "at.agreed ? confirmations : 0"),
    },
  },
  "src/edges/chains/bitcoin/legs/prove-spend.ts": {
    proveSpend: {
      "a spender is believed without its signature": resultIs(
        "signature",
        '{ transaction, ...(spend ?? { by: "key", secret: null }) }',
      ),
    },
  },
  "src/edges/chains/bitcoin/spend/raw-transaction.ts": {
    parseRawTransaction: {
      "the hash of a raw transaction is believed": resultIs(
        "transaction",
        "txid !== '' ? transaction : null",
      ),
    },
  },
  "src/edges/nodes/rpc-client.ts": {
    sendBatch: {
      "an error in a batch counts as an answer": callIs("reject answer", "question.resolve(null)"),
    },
  },
  "src/edges/chains/evm/finality.ts": {
    isDeep: {
      "a chain without a finalized block ends at once": resultIs(
        "tagged",
        "tagged === null || height <= tagged",
      ),
    },
  },
  "src/edges/chains/evm/observe-leg.ts": {
    locate: {
      "a payout is final without agreement": valueIs(
        "final",
        "isDeep(finality.ending, height, heights)",
      ),
    },
    mostCautious: {
      "a payout that one of two endpoints shows counts": valueIs(
        "redeemed",
        "first(given.map(({ redeemed }) => redeemed))",
      ),
    },
  },
  "src/edges/chains/evm/legs/read-leg.ts": {
    describe: {
      "an event of an orphaned block counts": callIs(
        "requireCanonical",
        "if (log.height < 0n) at.requireCanonical(placeOf(log))",
      ),
    },
  },
  "src/edges/chains/evm/rpc.ts": {
    agreed: {
      "the final block is the highest that any endpoint names": valueIs(
        "height",
        "agreedHead(heights, 1)",
      ),
    },
  },
  "src/edges/chains/solana/observe-leg.ts": {
    mergeReadings: { "too few endpoints show a leg as agreed": valueIs("agreed", "!isSplit") },
  },
  "src/edges/chains/starknet/legs/observe-transaction.ts": {
    describe: {
      "a transaction is final without agreement": valueIs(
        "final",
        "isDeepEnough(depths.ending, depth)",
      ),
    },
  },
  "src/edges/chains/starknet/legs/observe.ts": {
    describePlace: {
      "one endpoint proves that Ethereum accepted a block": valueIs("needed", "backed >= 1"),
    },
  },
  "src/engine/orders/observe/observe-order.ts": {
    judgeEndings: {
      "a payout is believed before it is final": argumentIs("counts payout isFinal", 1, "isSeen"),
      "a refund is believed before it is final": argumentIs("counts refund isFinal", 1, "isSeen"),
      "only the payout's endpoints must agree": valueIs("agreed", "isAgreed(payout.leg)"),
    },
    isBehind: {
      "a node below the deposit's block makes the deposit vanish": resultIs(
        "initiated",
        "initiated === null && height < known - 1_000n",
      ),
    },
  },
})
