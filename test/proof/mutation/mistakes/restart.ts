import { argumentIs, callIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** A crash or a long stop leads to another result. */
export const restartMistakes = mistakesOf("restart", {
  "src/engine/rules/limit-clock.ts": {
    readLimitTime: {
      "windows go back with the clock": callIs("max", "Math.min(nowMs, confirmed.ms)"),
    },
  },
  "src/engine/orders/outgoing-calls.ts": {
    "": {
      "bytes are sent before they are on disk": valueIs(
        "ChainPort",
        '["signTransaction", "signTypedData"]',
      ),
      "an order is made before its quote is on disk": valueIs(
        "ServicePort",
        '["submitSignature", "revealSecret"]',
      ),
    },
  },
  "src/engine/orders/deposit/broadcast-transaction.ts": {
    isOld: {
      "a process that stood still sends a deposit after its window": resultIs(
        "leadsToDeposit",
        "false",
      ),
    },
  },
  "src/engine/orders/deposit/submit-signature.ts": {
    isOld: {
      "a process that stood still submits a signature after its window": resultIs(
        "isTooLateNow",
        "false",
      ),
    },
  },
  "src/engine/orders/worker.ts": {
    perform: {
      "a crash makes a write look like a first try": valueIs("tries", "data.tries === 0"),
    },
    begin: { "work sends although its row is gone": withoutStatement("refuseIfGone") },
  },
  "src/edges/journal/disk/back-up-journal.ts": {
    backUpJournal: { "a backup overwrites an earlier one": callIs("existsSync to", "to === file") },
  },
  "src/edges/journal/disk/durability.ts": {
    durableHere: {
      "results are released before their sync": resultIs(
        "steps",
        "steps.isPending() ? steps.committed().then(() => undefined) : Promise.resolve()",
      ),
    },
  },
  "src/edges/journal/disk/group-commit.ts": {
    createSavepoint: {
      "a step that throws leaves half of itself": argumentIs("exec rollback", 0, '"release step"'),
    },
    step: {
      "half of a group is committed before the rest": callIs(
        "runSavepoint",
        'if (count === 3) db.exec("commit; begin immediate")\n    ' +
          "runSavepoint(body, (error) => end(writeFailed(error)))",
      ),
    },
    flush: { "a refused group counts as written": argumentIs("end writeFailed", 0, "null") },
  },
  "src/edges/journal/schema-version.ts": {
    migrationsAfter: { "a migration runs twice": argumentIs("slice", 0, "0") },
  },
  "src/edges/journal/disk/open-database.ts": {
    migrate: {
      "a migration is not one transaction": argumentIs(
        "exec",
        0,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code
        "`${sql}; pragma user_version = ${reached}`",
      ),
    },
  },
  "src/edges/journal/orders.ts": {
    commitStep: { "signed bytes are not stored": withoutStatement("signedBeside") },
  },
  "src/edges/journal/disk/write-ahead-log.ts": {
    sync: { "a failed sync counts as done": resultIs("error", "resolve()") },
  },
})
