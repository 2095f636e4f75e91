import { argumentIs, callIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** A crash or a long stop leads to another result. */
export const restartMistakes: MistakesOfRoom = {
  room: "restart",
  mistakes: [
    {
      name: "windows go back with the clock",
      file: "src/engine/rules/limit-clock.ts",
      function: "readLimitTime",
      change: callIs("max", "Math.min(nowMs, confirmed.ms)"),
    },
    {
      name: "bytes are sent before they are on disk",
      file: "src/engine/orders/outgoing-calls.ts",
      function: "",
      change: valueIs("ChainPort", '["signTransaction", "signTypedData"]'),
    },
    {
      name: "an order is made before its quote is on disk",
      file: "src/engine/orders/outgoing-calls.ts",
      function: "",
      change: valueIs("ServicePort", '["submitSignature", "revealSecret"]'),
    },
    {
      name: "a process that stood still sends a deposit after its window",
      file: "src/engine/orders/deposit/broadcast-transaction.ts",
      function: "isOld",
      change: resultIs("leadsToDeposit", "false"),
    },
    {
      name: "a process that stood still submits a signature after its window",
      file: "src/engine/orders/deposit/submit-signature.ts",
      function: "isOld",
      change: resultIs("isTooLateNow", "false"),
    },
    {
      name: "a crash makes a write look like a first try",
      file: "src/engine/orders/worker.ts",
      function: "perform",
      change: valueIs("tries", "data.tries === 0"),
    },
    {
      name: "work sends although its row is gone",
      file: "src/engine/orders/worker.ts",
      function: "begin",
      change: withoutStatement("refuseIfGone"),
    },
    {
      name: "a backup overwrites an earlier one",
      file: "src/edges/journal/disk/back-up-journal.ts",
      function: "backUpJournal",
      change: callIs("existsSync to", "to === file"),
    },
    {
      name: "results are released before their sync",
      file: "src/edges/journal/disk/durability.ts",
      function: "durableHere",
      change: resultIs(
        "steps",
        "steps.isPending() ? steps.committed().then(() => undefined) : Promise.resolve()",
      ),
    },
    {
      name: "a step that throws leaves half of itself",
      file: "src/edges/journal/disk/group-commit.ts",
      function: "createSavepoint",
      change: argumentIs("exec rollback", 0, '"release step"'),
    },
    {
      name: "half of a group is committed before the rest",
      file: "src/edges/journal/disk/group-commit.ts",
      function: "step",
      change: callIs(
        "runSavepoint",
        'if (count === 3) db.exec("commit; begin immediate")\n    ' +
          "runSavepoint(body, (error) => end(writeFailed(error)))",
      ),
    },
    {
      name: "a refused group counts as written",
      file: "src/edges/journal/disk/group-commit.ts",
      function: "flush",
      change: argumentIs("end writeFailed", 0, "null"),
    },
    {
      name: "a migration runs twice",
      file: "src/edges/journal/schema-version.ts",
      function: "migrationsAfter",
      change: argumentIs("slice", 0, "0"),
    },
    {
      name: "a migration is not one transaction",
      file: "src/edges/journal/disk/open-database.ts",
      function: "migrate",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code
      change: argumentIs("exec", 0, "`${sql}; pragma user_version = ${reached}`"),
    },
    {
      name: "signed bytes are not stored",
      file: "src/edges/journal/orders.ts",
      function: "commitStep",
      change: withoutStatement("signedBeside"),
    },
    {
      name: "a failed sync counts as done",
      file: "src/edges/journal/disk/write-ahead-log.ts",
      function: "sync",
      change: resultIs("error", "resolve()"),
    },
  ],
}
