import { argumentIs, callIs, resultIs, valueIs } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** One endpoint is believed alone. */
export const agreementMistakes: MistakesOfRoom = {
  room: "agreement",
  mistakes: [
    {
      name: "one endpoint of many is enough by default",
      file: "src/edges/nodes/quorum/agree-on.ts",
      function: "neededAnswers",
      change: callIs("min", "1"),
    },
    {
      name: "the smallest group wins",
      file: "src/edges/nodes/quorum/agree-on.ts",
      function: "agreeOn",
      change: resultIs("a", "a.length - b.length"),
    },
    {
      name: "the highest head is the agreed head",
      file: "src/edges/nodes/quorum/agree-on.ts",
      function: "agreedHead",
      change: resultIs(
        "heads",
        "heads.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))[0] ?? null",
      ),
    },
    {
      name: "contradicting endpoints show a transaction as seen",
      file: "src/edges/chains/bitcoin/legs/observing.ts",
      function: "judgeDepth",
      change: valueIs("split", 'confirmations >= seen && proof.status !== "contradicted"'),
    },
    {
      name: "an unproven inclusion is final",
      file: "src/edges/chains/bitcoin/legs/observing.ts",
      function: "judgeDepth",
      change: valueIs("0", "at.agreed ? confirmations : 0"),
    },
    {
      name: "a spender is believed without its signature",
      file: "src/edges/chains/bitcoin/legs/prove-spend.ts",
      function: "proveSpend",
      change: resultIs("signature", '{ transaction, ...(spend ?? { by: "key", secret: null }) }'),
    },
    {
      name: "the hash of a raw transaction is believed",
      file: "src/edges/chains/bitcoin/spend/raw-transaction.ts",
      function: "parseRawTransaction",
      change: resultIs("transaction", "txid !== '' ? transaction : null"),
    },
    {
      name: "an error in a batch counts as an answer",
      file: "src/edges/nodes/rpc-client.ts",
      function: "sendBatch",
      change: callIs("reject answer", "question.resolve(null)"),
    },
    {
      name: "a chain without a finalized block ends at once",
      file: "src/edges/chains/evm/finality.ts",
      function: "isDeep",
      change: resultIs("tagged", "tagged === null || height <= tagged"),
    },
    {
      name: "a payout is final without agreement",
      file: "src/edges/chains/evm/observe-leg.ts",
      function: "locate",
      change: valueIs("final", "isDeep(finality.ending, height, heights)"),
    },
    {
      name: "a payout that one of two endpoints shows counts",
      file: "src/edges/chains/evm/observe-leg.ts",
      function: "mostCautious",
      change: valueIs("redeemed", "first(given.map(({ redeemed }) => redeemed))"),
    },
    {
      name: "an event of an orphaned block counts",
      file: "src/edges/chains/evm/legs/read-leg.ts",
      function: "describe",
      change: callIs("requireCanonical", "if (log.height < 0n) at.requireCanonical(placeOf(log))"),
    },
    {
      name: "the final block is the highest that any endpoint names",
      file: "src/edges/chains/evm/rpc.ts",
      function: "agreed",
      change: valueIs("height", "agreedHead(heights, 1)"),
    },
    {
      name: "too few endpoints show a leg as agreed",
      file: "src/edges/chains/solana/observe-leg.ts",
      function: "mergeReadings",
      change: valueIs("agreed", "!isSplit"),
    },
    {
      name: "a transaction is final without agreement",
      file: "src/edges/chains/starknet/legs/observe-transaction.ts",
      function: "describe",
      change: valueIs("final", "isDeepEnough(depths.ending, depth)"),
    },
    {
      name: "one endpoint proves that Ethereum accepted a block",
      file: "src/edges/chains/starknet/legs/observe.ts",
      function: "describePlace",
      change: valueIs("needed", "backed >= 1"),
    },
    {
      name: "a payout is believed before it is final",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "judgeEndings",
      change: argumentIs("counts payout isFinal", 1, "isSeen"),
    },
    {
      name: "a refund is believed before it is final",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "judgeEndings",
      change: argumentIs("counts refund isFinal", 1, "isSeen"),
    },
    {
      name: "only the payout's endpoints must agree",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "judgeEndings",
      change: valueIs("agreed", "isAgreed(payout.leg)"),
    },
    {
      name: "a node below the deposit's block makes the deposit vanish",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "isBehind",
      change: resultIs("initiated", "initiated === null && height < known - 1_000n"),
    },
  ],
}
