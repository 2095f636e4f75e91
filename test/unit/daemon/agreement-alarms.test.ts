import { expect, test } from "vitest"
import { readAlarms } from "#daemon/views/read-alarms.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"

const NOW = 10_000_000
const FLAG = "agreement/base_sepolia/alarmed"

test("the error of a dead node is over when the endpoints agree again, and not a day later", () => {
  const journal = openJournal(":memory:")
  const reason = {
    code: "evm.unreachable",
    message: "No answer",
    chain: "base_sepolia",
    watch: "agreement",
  }
  journal.raiseAlert(NOW, reason)
  journal.writeFlag(FLAG, encodeJson(["chain.agreement_short", "evm.unreachable"]))
  const read = () =>
    readAlarms(journal, NOW + 60_000, (text) => text).map(({ closedMs }) => closedMs)
  expect(read()).toEqual([null])
  journal.writeFlag(FLAG, null)
  expect(read()).toEqual([NOW])
  journal.close()
})
