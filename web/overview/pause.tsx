import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Overview } from "../answers.ts"
import { Act, type Change } from "../confirm.tsx"
import { refreshAll, useNow } from "../live.ts"
import { useRefusal, When } from "../parts.tsx"
import { change, Refused } from "../session.ts"

type Scope = { readonly rule?: string }
type Props = { readonly scope: Scope; readonly paused: boolean; readonly scopes: readonly string[] }

/** Undo takes back a slip. Later a person resumes with the words. */
const UNDO_MS = 20_000

/**
 * To stop is the fastest act: one tap, no dialogue. The same button takes it back for a moment;
 * then `children`, the slow way, is in its place.
 */
export function PauseSwitch({
  scope,
  paused,
  scopes,
  children,
}: Props & { children: JSX.Element | null }): JSX.Element {
  const now = useNow()
  const [pausedMs, setPausedMs] = useState<number | null>(null)
  const [error, setError] = useState<Refused | null>(null)
  const refusal = useRefusal("operate", scopes)
  const leftMs = pausedMs === null ? 0 : pausedMs + UNDO_MS - now
  async function act(path: "pause" | "resume"): Promise<void> {
    try {
      await change(path, scope)
      setError(null)
      setPausedMs(path === "pause" ? Date.now() : null)
      refreshAll()
    } catch (cause) {
      if (cause instanceof Refused) setError(cause)
    }
  }
  return (
    <span class="actions">
      {error === null ? null : (
        <span class="notice bad" role="alert">
          {error.message}
        </span>
      )}
      {paused && leftMs > 0 ? (
        <button type="button" onClick={() => void act("resume")}>
          Undo ({Math.ceil(leftMs / 1_000)} s)
        </button>
      ) : paused ? (
        children
      ) : (
        <button
          type="button"
          class="stop"
          data-key={scope.rule === undefined ? "pause" : undefined}
          disabled={refusal !== null}
          title={refusal ?? "No new order and no new deposit. Orders that have deposited go on."}
          onClick={() => void act("pause")}
        >
          Pause
        </button>
      )}
    </span>
  )
}

export function PauseAll({
  overview,
  scopes,
}: {
  overview: Overview
  scopes: readonly string[]
}): JSX.Element {
  return (
    <PauseSwitch scope={{}} paused={overview.pause !== null} scopes={scopes}>
      {null}
    </PauseSwitch>
  )
}

/** On every view: by whom, since when and why, and the slow way out at its end. */
export function PauseNote(props: {
  overview: Overview | null
  scopes: readonly string[]
}): JSX.Element | null {
  const { overview, scopes } = props
  if (overview === null || overview.pause === null) return null
  const { by, at, reason } = overview.pause
  return (
    <section class="notice warn pause-note" aria-label="Paused">
      <p>
        ▲ <b>Paused</b> by {by} <When at={at} />
        {reason === null || by === "alarm" ? "." : `: ${reason}.`} No new order and no new deposit;
        orders under way go on.
      </p>
      <ResumeAll overview={overview} scopes={scopes} />
    </section>
  )
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
  return <Act change={change} scope="operate" scopes={scopes} />
}
