import type { JSX } from "preact"
import type { Overview, Summary } from "../answers.ts"
import { money } from "../format.ts"
import { Card, Copy, Say } from "../parts.tsx"
import { pressAct } from "../shell/keys.ts"
import { rankTasks } from "./rank-tasks.ts"

type Problem = Overview["problems"][number]

/** Each cause once: what a person must do first, by what is at stake; then what ends by itself. */
export function NeedsYou({
  overview,
  summary,
}: {
  overview: Overview
  summary: Summary | null
}): JSX.Element {
  const stakeOf = (one: Problem): string | null => stakeIn(summary, one)
  const tasks = rankTasks(overview.tasks, stakeOf)
  const others = overview.problems.filter(({ needsPerson }) => !needsPerson)
  if (tasks.length + others.length === 0)
    return (
      <Card title="Needs you">
        <p class="quiet">✓ Nothing. {overview.verdict}</p>
      </Card>
    )
  return (
    <Card
      title={tasks.length > 0 ? "Needs you" : "Worth knowing"}
      note={tasks.length > 1 ? "most at stake first" : undefined}
    >
      <ul class="plain tasks">
        {[...tasks, ...others].map((one) => (
          <Task
            key={`${one.code} ${one.sentence}`}
            problem={one}
            stake={stakeOf(one)}
            stops={isLoss(one) && overview.pause === null}
          />
        ))}
      </ul>
    </Card>
  )
}

/** The value of its order, or of what a wallet lost. */
function stakeIn(summary: Summary | null, { order, about, code }: Problem): string | null {
  if (order !== null) return summary?.open.find((one) => one.order === order)?.fiat ?? null
  if (code !== LOSS) return null
  return summary?.assets.find(({ asset }) => asset === about)?.unbookedFiat ?? null
}

const LOSS = "books.difference"

function isLoss({ code, kind }: Problem): boolean {
  return code === LOSS || kind === "theft"
}

const SHAPES = { trouble: "✕", attention: "▲" } as const

function Task(props: { problem: Problem; stake: string | null; stops: boolean }): JSX.Element {
  const { problem, stake, stops } = props
  const { level, sentence, meaning, todo, deadline, left, needsPerson } = problem
  const place = needsPerson ? placeOf(problem) : null
  return (
    <li class={level}>
      <span class="shape" aria-hidden="true">
        {SHAPES[level]}
      </span>
      <div>
        <p>
          <b>
            <Say text={sentence} />
          </b>
          {stake === null ? null : <span class="stake">{money(stake)}</span>}
        </p>
        <p class="note">
          {meaning} <Say text={todo} />
          {needsPerson ? null : " (ends by itself)"}
        </p>
        <OnMachine problem={problem} />
      </div>
      {deadline === null && place === null && !stops ? null : (
        <p class="do">
          {deadline === null ? null : (
            <span>
              Time left: <b>{left}</b>
            </span>
          )}
          {stops ? (
            <button type="button" class="stop" onClick={() => pressAct("pause")}>
              Pause everything
            </button>
          ) : null}
          {place === null ? null : (
            <a class={stops ? "button" : "button main"} href={place.href} data-row>
              {place.name}
            </a>
          )}
        </p>
      )}
    </li>
  )
}

/** For a problem without a link to a view that has the act. */
export function OnMachine({ problem }: { problem: Problem }): JSX.Element | null {
  const { command, needsPerson } = problem
  if (command === null || (needsPerson && placeOf(problem) !== null)) return null
  return (
    <details class="small">
      <summary>On the daemon's machine</summary>
      <p class="hash">
        <code>{command}</code>
        <Copy text={command} what="the command" />
      </p>
    </details>
  )
}

/** The view that has the button; `null` where only the machine itself can be mended. */
export function placeOf({
  order,
  kind,
  about,
}: Problem): { readonly name: string; readonly href: string } | null {
  if (order !== null && kind === "approval")
    return { name: "Review", href: `#/orders/${order}/approve` }
  if (order !== null) return { name: "Open the order", href: `#/orders/${order}` }
  if (kind === "rule" || (kind === "pause" && about?.startsWith("rule ") === true))
    return { name: "Open the rules", href: "#/rules" }
  if (kind === "limit") return { name: "Open the limits", href: "#/limits" }
  if (kind === "gas") return { name: "Open the treasury", href: "#/treasury" }
  if (kind === "books") return { name: "Open the books", href: "#/books" }
  return null
}
