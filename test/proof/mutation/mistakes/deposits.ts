import { argumentIs, callIs, resultIs, valueIs, withoutEntry, withoutStatement } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** An order could deposit twice. */
export const depositsMistakes: MistakesOfRoom = {
  room: "deposits",
  mistakes: [
    {
      name: "a reserved coin is spent",
      file: "src/edges/chains/bitcoin/spend/plan-transactions.ts",
      function: "planInitiate",
      change: resultIs("height", "utxo.height !== null"),
    },
    {
      name: "a deposit in the mempool counts as absent",
      file: "src/edges/chains/bitcoin/legs/prove-unfunded.ts",
      function: "proveUnfunded",
      change: withoutStatement("isWaiting"),
    },
    {
      name: "an empty HTLC is proven although a deposit may still land",
      file: "src/edges/chains/evm/legs/prove-unfunded.ts",
      function: "findOpen",
      change: withoutEntry("mayLand"),
    },
    {
      name: "one expired deposit of two proves an empty HTLC",
      file: "src/edges/chains/solana/legs/prove-unfunded.ts",
      function: "judge",
      change: valueIs(
        "every",
        'verdicts.length === 0 || verdicts.some(({ status }) => status === "unfunded")',
      ),
    },
    {
      name: "a deposit expires although its swap account is open",
      file: "src/edges/chains/solana/legs/read-expiry.ts",
      function: "readExpiry",
      change: withoutStatement("isOpen"),
    },
    {
      name: "a plan keeps a nonce that is taken",
      file: "src/edges/chains/starknet/spend/build.ts",
      function: "bindStarknetPlan",
      change: resultIs(
        "invoke",
        "invoke.nonce !== '' ? plan : toPlan(wallet, plan, { ...invoke, nonce })",
      ),
    },
    {
      name: "a fill is signed without a claim",
      file: "src/engine/watches/gap-filler.ts",
      function: "fill",
      change: valueIs("reserve", "[]"),
    },
    {
      name: "a nonce of another order is bound",
      file: "src/engine/orders/deposit/bind-plan.ts",
      function: "listTaken",
      change: argumentIs("Set", 0, "own"),
    },
    {
      name: "the deposit is sent again without reading the chain",
      file: "src/engine/orders/deposit/broadcast-transaction.ts",
      function: "broadcastTransaction",
      change: valueIs("repeated", "track.sentAt !== null && !job.repeated"),
    },
    {
      name: "one excluded attempt excludes all attempts",
      file: "src/engine/orders/observe/observe-transaction.ts",
      function: "observeAttempts",
      change: valueIs("mined", '["mined", "excluded", "pending", "unseen"]'),
    },
    {
      name: "an exclusion counts before its rival is final",
      file: "src/engine/orders/observe/observe-transaction.ts",
      function: "toEvent",
      change: resultIs("excluded", '{ type: "transaction.excluded", by: seen.by }'),
    },
    {
      name: "the proof asks about the last signed transaction only",
      file: "src/engine/orders/observe/prove-unfunded.ts",
      function: "readProof",
      change: valueIs("signed", "listSourceSigned(context, data).slice(-1)"),
    },
    {
      name: "a claimed nonce is not reserved",
      file: "src/engine/orders/deposit/sign-transaction.ts",
      function: "signatureOf",
      change: valueIs("reserve", "[...hold]"),
    },
    {
      name: "an open claim is bound to another nonce after a restart",
      file: "src/engine/orders/deposit/sign-transaction.ts",
      function: "findStoredPlan",
      change: resultIs(
        "isSameTransaction",
        "isSameTransaction && plan.attempt > 0 ? open.plan : null",
      ),
    },
    {
      name: "a deposit is signed after its time",
      file: "src/engine/orders/deposit/sign-transaction.ts",
      function: "answerLateness",
      change: callIs("isTooLate", "job.nowMs < 0"),
    },
    {
      name: "a second signature needs to exclude none",
      file: "src/edges/journal/sqlite-signing-record.ts",
      function: "claimSignature",
      change: withoutStatement("refuseSecond"),
    },
    {
      name: "a settled gasless signature no longer counts",
      file: "src/edges/journal/sqlite-signing-record.ts",
      function: "",
      change: valueIs("deposit", '["deposit"]'),
    },
    {
      name: "a claim reserves nothing",
      file: "src/edges/journal/sqlite-signing-record.ts",
      function: "claimSignature",
      change: withoutStatement("for"),
    },
    {
      name: "a claim of stale work is accepted",
      file: "src/edges/journal/sqlite-signing-record.ts",
      function: "claimSignature",
      change: withoutStatement("cause"),
    },
    {
      name: "a deposit is voided although the relay has a signature",
      file: "src/core/order/guards.ts",
      function: "isVoidable",
      change: resultIs(
        "isSigned",
        'isSigned(context, "deposit") && context.transactions.deposit.mined === null',
      ),
    },
    {
      name: "a deposit is planned again after any exclusion",
      file: "src/core/order/guards.ts",
      function: "mayReplanDeposit",
      change: valueIs("isExpired", 'event.type === "transaction.excluded" && event.by !== ""'),
    },
    {
      name: "an abandoned order deposits again",
      file: "src/core/order/guards.ts",
      function: "mayReplanDeposit",
      change: valueIs("wanted", "context.replans < MAX_REPLANS"),
    },
    {
      name: "a deposit is planned again when its time is over",
      file: "src/core/order/guards.ts",
      function: "mayReplanDeposit",
      change: resultIs("isExpired", "isExpired && wanted"),
    },
    {
      name: "a signature in doubt counts as never submitted",
      file: "src/core/order/order-updates.ts",
      function: "submitted",
      change: valueIs("Math", "gasless.submissions"),
    },
    {
      name: "a second void is planned while one may land",
      file: "src/core/order/states/deposit.ts",
      function: "",
      change: valueIs("readonly", '[go("void-planning")]'),
    },
    {
      name: "an abandoned deposit is not voided",
      file: "src/core/order/states/deposit.ts",
      function: "",
      change: argumentIs("take onlyIf", 1, 'go("closing")'),
    },
    {
      name: "an operator ends an order with a signed deposit",
      file: "src/core/order/states/deposit.ts",
      function: "",
      change: argumentIs("take closing", 1, 'go("closing")'),
    },
    {
      name: "a submission in doubt is repeated before the chain is read",
      file: "src/core/order/states/gasless.ts",
      function: "",
      change: argumentIs("take storeReasons go", 1, 'again("gasless-submitting")'),
    },
    {
      name: "a fresh plan forgets the bytes that it replaces",
      file: "src/core/order/transaction-updates.ts",
      function: "withPlan",
      change: valueIs("earlierSigned", "[...(data.earlierSigned ?? [])]"),
    },
    {
      name: "two occurrences sell the same coins",
      file: "src/core/policy/evaluate.ts",
      function: "placeOccurrences",
      change: withoutStatement("countAsInFlight"),
    },
  ],
}
