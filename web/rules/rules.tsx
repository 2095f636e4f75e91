import type { JSX } from "preact"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { Flows, Overview } from "../answers.ts"
import { listComing, listRuns } from "../charts/list-coming.ts"
import { RunStrip } from "../charts/run-strip.tsx"
import { UpcomingStrip } from "../charts/upcoming-strip.tsx"
import { Act, type Change } from "../confirm.tsx"
import type { Desk } from "../desk.ts"
import { plain } from "../format.ts"
import { useLive } from "../live.ts"
import { PauseSwitch } from "../overview/pause.tsx"
import { Card, Empty, Fiat, Loaded, Pill, Reasons, Title, When } from "../parts.tsx"
import { pairIn } from "./rule-pairs.ts"
import { type RuleFields, ruleSentence } from "./rule-sentence.ts"

/** Each rule with its last decision and the reasons for it. */
export function RulesView({ overview, scopes, known }: Desk): JSX.Element {
  const fields = useLive<AnswerOf<"Rules">>("rules", 30_000)
  const flows = useLive<Flows>("flows", 30_000)
  return (
    <>
      <Title note="Each rule with its last decision, and why it decided so.">Rules</Title>
      <Loaded live={overview}>
        {({ rules, orders }) => (
          <div class="grid even">
            {rules.map((rule) => (
              <RuleCard
                key={rule.id}
                rule={rule}
                flights={orders.filter((order) => order.rule === rule.id)}
                scopes={scopes}
                fields={fields.value?.rules.find(({ id }) => id === rule.id) ?? null}
                known={known}
                week={flows.value?.rules.find(({ name }) => name === rule.id) ?? null}
              />
            ))}
            {rules.length === 0 ? <Empty>The configuration has no rules.</Empty> : null}
          </div>
        )}
      </Loaded>
    </>
  )
}

type Rule = Overview["rules"][number]

function RuleCard({
  rule,
  flights,
  scopes,
  fields,
  known,
  week,
}: {
  rule: Rule
  flights: Overview["orders"]
  scopes: readonly string[]
  fields: RuleFields | null
  known: Desk["known"]
  week: Flows["rules"][number] | null
}): JSX.Element {
  const { id, kind, paused, verdict, reasons } = rule
  const coming = listComing(listRuns(id, fields?.upcoming ?? []), flights)
  const resume: Change = {
    title: `Resume the rule ${id}?`,
    word: "resume",
    button: "Resume",
    path: "resume",
    body: { rule: id },
    children: <p>The rule decides again at its next time.</p>,
  }
  return (
    <Card title={id} note={plain(kind)} link={`#/decisions/${encodeURIComponent(id)}`}>
      {fields === null ? null : <p class="sentence">{ruleSentence(fields, known)}</p>}
      <RuleLine rule={rule} inFlight={flights.length} />
      {fields === null ? null : (
        <RunStrip
          runs={fields.runs}
          whyOf={({ reasons: why }) =>
            why.map((one) => known.humane(one, pairIn(fields)).message).join("; ")
          }
        />
      )}
      {coming.length === 0 || paused ? null : <UpcomingStrip coming={coming} />}
      {week === null ? null : (
        <p class="quiet">
          In 7 days: {week.completed} of {week.orders} orders completed ·{" "}
          <Fiat fiat={week.volumeFiat} /> moved · <Fiat fiat={week.costFiat} /> cost
          {week.costBps === null ? "" : `, ${week.costBps} bps`}
        </p>
      )}
      <p>
        {verdict === null ? (
          <span class="quiet">It has not decided yet.</span>
        ) : verdict === "proposed" ? (
          <b>It proposed a swap.</b>
        ) : (
          <b>It did nothing, because:</b>
        )}
      </p>
      <Reasons reasons={reasons} />
      <div class="actions">
        <PauseSwitch scope={{ rule: id }} paused={paused} scopes={scopes}>
          <Act change={resume} scope="operate" scopes={scopes} />
        </PauseSwitch>
        <a class="button" href={`#/decisions/${encodeURIComponent(id)}`}>
          All decisions
        </a>
        <a class="button" href={`#/simulate/${encodeURIComponent(id)}`}>
          Try a change
        </a>
      </div>
    </Card>
  )
}

function RuleLine({ rule, inFlight }: { rule: Rule; inFlight: number }): JSX.Element {
  const { enabled, paused, next, last } = rule
  return (
    <p class="line">
      {!enabled ? (
        <Pill tone="calm">not enabled</Pill>
      ) : paused ? (
        <Pill tone="warn">paused</Pill>
      ) : (
        <Pill tone="good">on</Pill>
      )}
      <span>
        Next: <When at={next} />
      </span>
      <span>
        Last: <When at={last} />
      </span>
      {inFlight === 0 ? null : <span>{inFlight} in flight</span>}
    </p>
  )
}
