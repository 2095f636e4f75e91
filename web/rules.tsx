import type { JSX } from "preact"
import type { Overview } from "./answers.ts"
import { Act, type Change } from "./confirm.tsx"
import type { Desk } from "./desk.ts"
import { plain } from "./format.ts"
import { Card, Empty, Loaded, Pill, Reasons, Title, When } from "./parts.tsx"
import { PauseSwitch } from "./pause.tsx"

/** Each rule with its last decision and the reasons for it. */
export function RulesView({ overview, scopes }: Desk): JSX.Element {
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
                inFlight={orders.filter((order) => order.rule === rule.id).length}
                scopes={scopes}
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
  inFlight,
  scopes,
}: {
  rule: Rule
  inFlight: number
  scopes: readonly string[]
}): JSX.Element {
  const { id, kind, enabled, paused, next, last, verdict, reasons } = rule
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
      </div>
    </Card>
  )
}
