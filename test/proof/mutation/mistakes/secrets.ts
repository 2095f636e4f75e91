import { argumentIs, callIs, conditionIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** A secret is told too early, or a redemption is missed. */
export const secretsMistakes = mistakesOf("secrets", {
  "src/edges/chains/bitcoin/observe-leg.ts": {
    chooseFunding: { "a secret is told for a payout in two parts": conditionIs("isExact", false) },
  },
  "src/edges/chains/evm/legs/find-open-payout.ts": {
    isOpenPayout: {
      "a payout of other terms is redeemed": resultIs(
        "entry",
        'entry === "unreadable" ? id.version !== "v1" : !entry.isFulfilled',
      ),
      "a closed payout is redeemed again": resultIs(
        "entry",
        'entry === "unreadable" ? id.version !== "v1" : hasTerms(entry, query)',
      ),
    },
  },
  "src/edges/chains/evm/htlc.ts": {
    readRedeemSecret: {
      "a redemption with any bytes behind it is signed": resultIs(
        "secret",
        "secret.length === 64 ? secret : null",
      ),
    },
  },
  "src/edges/chains/solana/legs/read-leg.ts": {
    applyCall: { "a redeem with another secret counts": withoutStatement("isSecretOf") },
  },
  "src/edges/chains/solana/spend/redeem.ts": {
    hasTerms: {
      "a payout of another amount is redeemed": resultIs(
        "initiator",
        "initiator === payout.initiator && redeemer === payout.redeemer && isSameHash",
      ),
    },
    findOpenPayout: {
      "the payout of another wallet is redeemed": valueIs(
        "isOurs",
        "payout.redeemer === payout.owner",
      ),
    },
  },
  "src/engine/rules/admission.ts": {
    readKept: {
      "no gas is kept for redemptions when their coin is sold": resultIs(
        "context",
        "(context.settings.minNative.get(chain.chain) ?? 0n)",
      ),
    },
  },
  "src/engine/orders/deposit/broadcast-transaction.ts": {
    isOld: {
      "a process that stood still sends a redemption by an old reading": resultIs(
        "isReadingFresh",
        "false && !isReadingFresh(job.nowMs, job.context.clock.now())",
      ),
    },
  },
  "src/engine/orders/deposit/choose-secret.ts": {
    findMissingReserve: {
      "our secret is chosen without gas for a redemption at a spike": argumentIs(
        "judgeGas",
        1,
        "deposits + 1n",
      ),
    },
  },
  "src/engine/orders/observe/observe-order.ts": {
    mayVanish: {
      "an order whose secret is told waits for its deposit again": resultIs(
        "agreed",
        'agreed && (isOver || ownSecret?.hash !== "")',
      ),
    },
  },
  "src/engine/orders/observe/reveal-secret.ts": {
    tellService: {
      "a process that stood still tells a secret by an old reading": callIs(
        "revealSecret",
        "serviceFor(context, data).revealSecret(orderId, secret)",
      ),
    },
  },
  "src/edges/journal/disk/back-up-journal.ts": {
    backUpJournal: { "everybody may read a backup": argumentIs("openSync", 2, "0o644") },
  },
})
