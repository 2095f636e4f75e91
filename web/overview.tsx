import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Overview } from "./answers.ts"
import { Act, type Change } from "./confirm.tsx"
import type { Desk } from "./desk.ts"
import { nameChain, type Tone } from "./format.ts"
import { limitText } from "./limits.tsx"
import { OrderRows } from "./orders.tsx"
import { Card, Copy, Empty, Loaded, Meter, Pill, Say, When } from "./parts.tsx"
import { HoldingBar } from "./treasury.tsx"

/** The answer to "how is it?": one sentence, then what needs a person, then everything else. */
export function OverviewView({ overview, scopes }: Desk): JSX.Element {
  return (
    <Loaded live={overview}>
      {(value) => (
        <>
          <Verdict overview={value} scopes={scopes} />
          <Problems overview={value} />
          <div class="grid">
            <Card title="Orders in flight" link="#/orders" wide>
              <OrderRows
                orders={value.orders.slice(0, SHOWN_ORDERS)}
                none="No order is in flight."
              />
              {value.orders.length <= SHOWN_ORDERS ? null : (
                <p class="rest">
                  <a href="#/orders">All {value.orders.length} orders in flight</a>
                </p>
              )}
            </Card>
            <Card title="Treasury" link="#/treasury">
              {value.treasury.map((holding) => (
                <HoldingBar key={holding.asset} holding={holding} />
              ))}
            </Card>
            <div class="column">
              <Next overview={value} />
              <Limits overview={value} />
              <Health overview={value} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** More would push the treasury and the nodes off the first screens of a phone. */
const SHOWN_ORDERS = 6

const LEVELS = { ok: "All is well", attention: "Needs attention", trouble: "Trouble" } as const

function Verdict({
  overview,
  scopes,
}: {
  overview: Overview
  scopes: readonly string[]
}): JSX.Element {
  const { level, verdict, mode, pause } = overview
  return (
    <section class={`verdict ${level}`} aria-label="Verdict">
      <div>
        <p class="level">
          {LEVELS[level]} · {mode ?? "unknown"} mode{pause === null ? "" : " · paused"}
        </p>
        <h1 tabIndex={-1}>
          <Say text={verdict} />
        </h1>
        {pause === null ? null : (
          <p>
            Paused by {pause.by} <When at={pause.at} />
            {pause.reason === null || pause.by === "alarm" ? "." : `: ${pause.reason}.`}
          </p>
        )}
      </div>
      <div class="actions">
        {pause === null ? (
          <PauseAll scopes={scopes} />
        ) : (
          <ResumeAll overview={overview} scopes={scopes} />
        )}
      </div>
    </section>
  )
}

function PauseAll({ scopes }: { scopes: readonly string[] }): JSX.Element {
  const change: Change = {
    title: "Pause everything?",
    word: "pause",
    button: "Pause",
    path: "pause",
    body: {},
    children: (
      <p>
        Ballast accepts no new order and signs no new deposit. Orders that have deposited go on:
        they are watched, and refunded when the time comes.
      </p>
    ),
  }
  return <Act change={change} scope="operate" scopes={scopes} />
}

/** A pause by alarms ends only when each alarm is acknowledged. */
function ResumeAll({
  overview,
  scopes,
}: {
  overview: Overview
  scopes: readonly string[]
}): JSX.Element {
  const alarms = overview.pause?.alarms ?? []
  const [acknowledged, setAcknowledged] = useState<readonly string[]>([])
  const change: Change = {
    title: "Resume?",
    word: "resume",
    button: "Resume",
    path: "resume",
    body: { acknowledge: acknowledged },
    children:
      alarms.length === 0 ? (
        <p>Rules make orders again at their next time.</p>
      ) : (
        <fieldset>
          <legend>Acknowledge each alarm that you have dealt with</legend>
          {alarms.map(({ id, message }) => (
            <label key={id} class="check">
              <input
                type="checkbox"
                checked={acknowledged.includes(id)}
                onChange={(event) => {
                  const rest = acknowledged.filter((one) => one !== id)
                  setAcknowledged(event.currentTarget.checked ? [...rest, id] : rest)
                }}
              />
              {message}
            </label>
          ))}
        </fieldset>
      ),
  }
  return <Act change={change} scope="operate" scopes={scopes} main />
}

function Problems({ overview }: { overview: Overview }): JSX.Element | null {
  const rest = overview.problems.filter(({ needsPerson }) => !needsPerson)
  const shown = [...overview.tasks, ...rest]
  if (shown.length === 0) return null
  return (
    <section class="problems" aria-label="Problems">
      <h2>{overview.tasks.length > 0 ? "Needs you" : "Worth knowing"}</h2>
      <ul>
        {shown.map(
          ({
            level,
            code,
            sentence,
            meaning,
            todo,
            command,
            order,
            deadline,
            left,
            needsPerson,
          }) => (
            <li key={`${code} ${sentence}`} class={level}>
              <p>
                <Pill tone={level === "trouble" ? "bad" : "warn"}>
                  {needsPerson ? "for you" : "by itself"}
                </Pill>{" "}
                <b>
                  <Say text={sentence} />
                </b>
              </p>
              <p>{meaning}</p>
              <p>
                <Say text={todo} />
              </p>
              <p class="line">
                {deadline === null ? null : (
                  <span>
                    Time left: <b>{left}</b>
                  </span>
                )}
                {order === null ? null : <a href={`#/orders/${order}`}>Open the order</a>}
                {command === null ? null : (
                  <span class="hash">
                    <code>{command}</code>
                    <Copy text={command} what="the command" />
                  </span>
                )}
              </p>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

function Next({ overview }: { overview: Overview }): JSX.Element {
  return (
    <Card title="Next" link="#/rules">
      {overview.next.length === 0 ? <Empty>No rule is due.</Empty> : null}
      <dl class="pairs">
        {overview.next.slice(0, 5).map(({ rule, at }) => (
          <div key={rule}>
            <dt>
              <a href={`#/decisions/${encodeURIComponent(rule)}`}>{rule}</a>
            </dt>
            <dd>
              <When at={at} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Limits({ overview }: { overview: Overview }): JSX.Element {
  const top = overview.limits.toSorted((a, b) => b.percent - a.percent).slice(0, 3)
  return (
    <Card title="Limits used" link="#/limits">
      {top.map(({ name, used, max, unit, percent }) => (
        <div key={name} class="limit">
          <p>
            <Say text={name} /> <span class="quiet">{limitText(used, max, unit)}</span>
          </p>
          <Meter percent={percent} label={`${name}: ${percent}%`} />
        </div>
      ))}
    </Card>
  )
}

const STATES: Readonly<Record<string, Tone>> = {
  good: "good",
  slow: "warn",
  degraded: "warn",
  resting: "warn",
  silent: "bad",
  failing: "bad",
  unknown: "calm",
}

function Health({ overview }: { overview: Overview }): JSX.Element {
  const { nodes, services } = overview
  return (
    <Card title="Nodes and services">
      <dl class="pairs">
        {nodes.map(({ chain, state, lastAnswer, endpoints, needed }) => (
          <div key={chain}>
            <dt title={endpoints.map(({ host }) => host).join(", ")}>
              {nameChain(chain)}{" "}
              <small class="block">
                {endpoints.length} node{endpoints.length === 1 ? "" : "s"}, {needed} must agree
              </small>
            </dt>
            <dd>
              <When at={lastAnswer} /> <Pill tone={STATES[state] ?? "calm"}>{state}</Pill>
            </dd>
          </div>
        ))}
        {services.map(({ name, state, lastAnswer, inFlight }) => (
          <div key={name}>
            <dt>
              Service {name} <small>{inFlight} in flight</small>
            </dt>
            <dd>
              <When at={lastAnswer} /> <Pill tone={STATES[state] ?? "calm"}>{state}</Pill>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
