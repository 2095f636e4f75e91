import { expect, test } from "vitest"
import type { RuleDecision } from "#engine/rules/decide/decide-tick.ts"
import { waitFlag } from "#engine/rules/decide/fee-waits.ts"
import { noteFeeWait } from "#engine/rules/decide/note-fee-wait.ts"

const RULE = "sweep"
const OWN = { rule: RULE, occurrence: null, untilMs: 500 }
const SATISFIED = "policy.below_keep"
const UNREAD = "policy.view_incomplete"

type Scene = {
  readonly known?: string | null
  readonly fees?: readonly object[]
  readonly code?: string
  readonly occurrence?: string | null
}

/** What is written: the flag and its value. */
function note({ known = null, fees, code = SATISFIED, occurrence = null }: Scene) {
  const written: (readonly [string, string | null])[] = []
  const view = fees === undefined ? {} : { fees }
  const declined = [{ rule: RULE, occurrence, reasons: [{ code, message: "" }] }]
  const answer = { inputs: { view }, evaluation: { declined, proposals: [] } }
  const entry = { rule: RULE, occurrence }
  // CAST: only these parts of a decision are read.
  const decision = { entry, round: { number: 1, answer, results: new Map() } } as unknown
  noteFeeWait(
    {
      readFlag: (key) => (key === waitFlag(RULE) ? known : null),
      writeFlag: (key, value) => void written.push([key, value]),
    },
    // CAST: as above.
    decision as RuleDecision,
  )
  return written
}

test.each<[string, Scene, readonly (string | null)[]]>([
  ["is written once the sale may wait", { fees: [OWN] }, ["500"]],
  ["stays as it was first written", { known: "400", fees: [OWN] }, []],
  ["is not that of another rule", { fees: [{ ...OWN, rule: "other" }] }, []],
  ["is not that of an occurrence", { fees: [{ ...OWN, occurrence: "today" }] }, []],
  ["is none without fees", {}, []],
  ["ends once the rule wants no sale", { known: "400", fees: [] }, [null]],
  ["ends where the view has no fees at all", { known: "400" }, [null]],
  ["stays while the rule cannot tell", { known: "400", fees: [], code: UNREAD }, []],
  ["is nothing of an occurrence's own", { known: "400", fees: [], occurrence: "today" }, []],
  ["is not written for an occurrence", { fees: [OWN], occurrence: "today" }, []],
])("the time at which a patient sale must go %s", (_what, scene, values) => {
  expect(note(scene)).toEqual(values.map((value) => [waitFlag(RULE), value]))
})
