import { argumentIs, callIs, resultIs, valueIs, withoutEntry, withoutStatement } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** An order could deposit twice. */
export const depositsMistakes = mistakesOf("deposits", {
  "src/edges/chains/bitcoin/spend/plan-transactions.ts": {
    planInitiate: { "a reserved coin is spent": resultIs("height", "utxo.height !== null") },
  },
  "src/edges/chains/bitcoin/legs/prove-unfunded.ts": {
    proveUnfunded: { "a deposit in the mempool counts as absent": withoutStatement("isWaiting") },
  },
  "src/edges/chains/evm/legs/prove-unfunded.ts": {
    findOpen: {
      "an empty HTLC is proven although a deposit may still land": withoutEntry("mayLand"),
    },
  },
  "src/edges/chains/solana/legs/prove-unfunded.ts": {
    judge: {
      "one expired deposit of two proves an empty HTLC": valueIs(
        "every",
        'verdicts.length === 0 || verdicts.some(({ status }) => status === "unfunded")',
      ),
    },
  },
  "src/edges/chains/solana/legs/read-expiry.ts": {
    readExpiry: {
      "a deposit expires although its swap account is open": withoutStatement("isOpen"),
    },
  },
  "src/edges/chains/starknet/spend/build.ts": {
    bindStarknetPlan: {
      "a plan keeps a nonce that is taken": resultIs(
        "invoke",
        "invoke.nonce !== '' ? plan : toPlan(wallet, plan, { ...invoke, nonce })",
      ),
    },
  },
  "src/engine/watches/gap-filler.ts": {
    fill: { "a fill is signed without a claim": valueIs("reserve", "[]") },
  },
  "src/engine/orders/deposit/bind-plan.ts": {
    listTaken: { "a nonce of another order is bound": argumentIs("Set", 0, "own") },
  },
  "src/engine/orders/deposit/broadcast-transaction.ts": {
    broadcastTransaction: {
      "the deposit is sent again without reading the chain": valueIs(
        "repeated",
        "track.sentAt !== null && !job.repeated",
      ),
    },
  },
  "src/engine/orders/observe/observe-transaction.ts": {
    observeAttempts: {
      "one excluded attempt excludes all attempts": valueIs(
        "pending",
        '["mined", "excluded", "pending", "unseen"]',
      ),
    },
    toEvent: {
      "an exclusion counts before its rival is final": resultIs(
        "excluded",
        '{ type: "transaction.excluded", by: seen.by }',
      ),
    },
  },
  "src/engine/orders/observe/prove-unfunded.ts": {
    readProof: {
      "the proof asks about the last signed transaction only": valueIs(
        "signed",
        "listSourceSigned(context, data).slice(-1)",
      ),
    },
  },
  "src/engine/orders/deposit/sign-transaction.ts": {
    signatureOf: { "a claimed nonce is not reserved": valueIs("reserve", "[...hold]") },
    findStoredPlan: {
      "an open claim is bound to another nonce after a restart": resultIs(
        "isSameTransaction",
        "isSameTransaction && plan.attempt > 0 ? open.plan : null",
      ),
    },
    answerLateness: { "a deposit is signed after its time": callIs("isTooLate", "job.nowMs < 0") },
  },
  "src/edges/journal/sqlite-signing-record.ts": {
    claimSignature: {
      "a second signature needs to exclude none": withoutStatement("refuseSecond"),
      "a claim reserves nothing": withoutStatement("for"),
      "a claim of stale work is accepted": withoutStatement("cause"),
    },
    "": { "a settled gasless signature no longer counts": valueIs("deposit", '["deposit"]') },
  },
  "src/core/order/guards.ts": {
    isVoidable: {
      "a deposit is voided although the relay has a signature": resultIs(
        "isSigned",
        'isSigned(context, "deposit") && context.transactions.deposit.mined === null',
      ),
    },
    mayReplanDeposit: {
      "a deposit is planned again after any exclusion": valueIs(
        "isExpired",
        'event.type === "transaction.excluded" && event.by !== ""',
      ),
      "an abandoned order deposits again": valueIs("wanted", "context.replans < MAX_REPLANS"),
      "a deposit is planned again when its time is over": resultIs(
        "isExpired",
        "isExpired && wanted",
      ),
    },
  },
  "src/core/order/order-updates.ts": {
    submitted: {
      "a signature in doubt counts as never submitted": valueIs("Math", "gasless.submissions"),
    },
  },
  "src/core/order/states/deposit.ts": {
    "": {
      "a second void is planned while one may land": valueIs("readonly", '[go("void-planning")]'),
      "an abandoned deposit is not voided": argumentIs("take onlyIf", 1, 'go("closing")'),
      "an operator ends an order with a signed deposit": argumentIs(
        "take closing",
        1,
        'go("closing")',
      ),
    },
  },
  "src/core/order/states/gasless.ts": {
    "": {
      "a submission in doubt is repeated before the chain is read": argumentIs(
        "take storeReasons go confirming",
        1,
        'again("gasless-submitting")',
      ),
    },
  },
  "src/core/order/transaction-updates.ts": {
    withPlan: {
      "a fresh plan forgets the bytes that it replaces": valueIs(
        "earlierSigned",
        "[...(data.earlierSigned ?? [])]",
      ),
    },
  },
  "src/core/policy/evaluate.ts": {
    placeOccurrences: {
      "two occurrences sell the same coins": withoutStatement("countAsInFlight"),
    },
  },
})
