import type { JSX } from "preact"
import { formatSpan } from "#health/format-span.ts"
import type { Alert, Overview } from "../answers.ts"
import type { Desk } from "../desk.ts"
import { clockTime } from "../format.ts"
import { useLive } from "../live.ts"
import { Card, Empty, Loaded, Pill, Say, Title, When } from "../parts.tsx"
import { OnMachine, placeOf } from "./needs-you.tsx"

const NOTE =
  "An alarm is open as long as its cause lasts. A pause by an alarm ends when a person " +
  "acknowledges it (Resume, on the overview)."

/** Open alarms first, then those that are over. */
export function AlarmsView({ overview }: Desk): JSX.Element {
  const alerts = useLive<{ alerts: readonly Alert[] }>("alerts?limit=100", 10_000)
  return (
    <>
      <Title note={NOTE}>Alarms</Title>
      <Loaded live={alerts}>
        {(value) => {
          const open = value.alerts.filter(({ closed }) => closed === null)
          const problems = overview.value?.problems ?? []
          const over = value.alerts.filter(({ closed }) => closed !== null)
          return (
            <>
              <Card title={open.length === 0 ? "No alarm is open" : `${open.length} open`} wide>
                {open.length === 0 ? (
                  <Empty>Nothing needs you here.</Empty>
                ) : (
                  <AlarmList alerts={open} problems={problems} />
                )}
              </Card>
              {over.length === 0 ? null : (
                <Card title="Over" note={`${over.length} of the last 100`} wide>
                  <AlarmList alerts={over} />
                </Card>
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

type Problems = Overview["problems"]

function AlarmList({
  alerts,
  problems = [],
}: {
  alerts: readonly Alert[]
  problems?: Problems
}): JSX.Element {
  return (
    <ul class="plain alarms">
      {alerts.map(({ at, order, reason, closed }) => (
        <li key={`${at} ${reason.code} ${order}`}>
          <p>
            <Pill tone={closed === null ? "bad" : "calm"}>
              {closed === null
                ? "open"
                : `over after ${formatSpan(Date.parse(closed) - Date.parse(at))}`}
            </Pill>{" "}
            <b title={reason.code}>
              <Say text={reason.message} />
            </b>
          </p>
          <p class="line quiet">
            <span title={at}>{clockTime(at)}</span>
            <When at={at} />
            {order === null ? null : <a href={`#/orders/${order}`}>Order {order.slice(0, 8)}</a>}
          </p>
          <Remedy
            problem={problems.find((one) => one.code === reason.code && one.order === order)}
          />
        </li>
      ))}
    </ul>
  )
}

/** The meaning for the money and the remedy, as the overview has them. */
function Remedy({ problem }: { problem: Problems[number] | undefined }): JSX.Element | null {
  if (problem === undefined) return null
  const { meaning, todo } = problem
  const place = placeOf(problem)
  return (
    <>
      <p>
        {meaning} <Say text={todo} />
      </p>
      {place === null ? null : (
        <a class="button" href={place.href}>
          {place.name}
        </a>
      )}
      <OnMachine problem={problem} />
    </>
  )
}
