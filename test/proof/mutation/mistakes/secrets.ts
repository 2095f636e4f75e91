import { argumentIs, callIs, conditionIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** A secret is told too early, or a redemption is missed. */
export const secretsMistakes: MistakesOfRoom = {
  room: "secrets",
  mistakes: [
    {
      name: "a secret is told for a payout in two parts",
      file: "src/edges/chains/bitcoin/observe-leg.ts",
      function: "chooseFunding",
      change: conditionIs("isExact", false),
    },
    {
      name: "a payout of other terms is redeemed",
      file: "src/edges/chains/evm/legs/find-open-payout.ts",
      function: "isOpenPayout",
      change: resultIs(
        "entry",
        'entry === "unreadable" ? id.version !== "v1" : !entry.isFulfilled',
      ),
    },
    {
      name: "a closed payout is redeemed again",
      file: "src/edges/chains/evm/legs/find-open-payout.ts",
      function: "isOpenPayout",
      change: resultIs(
        "entry",
        'entry === "unreadable" ? id.version !== "v1" : hasTerms(entry, query)',
      ),
    },
    {
      name: "a redemption with any bytes behind it is signed",
      file: "src/edges/chains/evm/htlc.ts",
      function: "readRedeemSecret",
      change: resultIs("secret", "secret.length === 64 ? secret : null"),
    },
    {
      name: "a redeem with another secret counts",
      file: "src/edges/chains/solana/legs/read-leg.ts",
      function: "applyCall",
      change: withoutStatement("isSecretOf"),
    },
    {
      name: "a payout of another amount is redeemed",
      file: "src/edges/chains/solana/spend/redeem.ts",
      function: "hasTerms",
      change: resultIs(
        "initiator",
        "initiator === payout.initiator && redeemer === payout.redeemer && isSameHash",
      ),
    },
    {
      name: "the payout of another wallet is redeemed",
      file: "src/edges/chains/solana/spend/redeem.ts",
      function: "findOpenPayout",
      change: valueIs("isOurs", "payout.redeemer === payout.owner"),
    },
    {
      name: "no gas is kept for redemptions when their coin is sold",
      file: "src/engine/rules/admission.ts",
      function: "readKept",
      change: resultIs("context", "(context.settings.minNative.get(chain.chain) ?? 0n)"),
    },
    {
      name: "a process that stood still sends a redemption by an old reading",
      file: "src/engine/orders/deposit/broadcast-transaction.ts",
      function: "isOld",
      change: resultIs(
        "isReadingFresh",
        "false && !isReadingFresh(job.nowMs, job.context.clock.now())",
      ),
    },
    {
      name: "our secret is chosen without gas for a redemption at a spike",
      file: "src/engine/orders/deposit/choose-secret.ts",
      function: "findMissingReserve",
      change: argumentIs("judgeGas", 1, "deposits + 1n"),
    },
    {
      name: "an order whose secret is told waits for its deposit again",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "mayVanish",
      change: resultIs("agreed", 'agreed && (isOver || ownSecret?.hash !== "")'),
    },
    {
      name: "a process that stood still tells a secret by an old reading",
      file: "src/engine/orders/observe/reveal-secret.ts",
      function: "tellService",
      change: callIs("revealSecret", "serviceFor(context, data).revealSecret(orderId, secret)"),
    },
    {
      name: "everybody may read a backup",
      file: "src/edges/journal/disk/back-up-journal.ts",
      function: "backUpJournal",
      change: argumentIs("openSync", 2, "0o644"),
    },
  ],
}
