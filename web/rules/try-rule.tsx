import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { drawCosts, drawSwaps, sayDays } from "#backtest/plot/draw-plots.ts"
import { drawSvg } from "#backtest/plot/draw-svg.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { Simulation } from "../answers.ts"
import { Drawn } from "../charts/drawn.tsx"
import { FanPlot } from "../charts/fan.tsx"
import type { Desk } from "../desk.ts"
import { nameAsset } from "../format.ts"
import { useLive } from "../live.ts"
import { Card, Copy, Empty, Loaded, Table, Title } from "../parts.tsx"
import { saveFile } from "../save-file.ts"
import { ask, Refused } from "../session.ts"
import { Tabs } from "../tabs.tsx"
import { changeText, fileText, type RuleKey, ruleKeysOf, sliderOf } from "./rule-changes.ts"
import { ruleSentence } from "./rule-sentence.ts"
import { type Comparison, compareSubjects, verdictOf } from "./try-verdict.ts"

const NOTE =
  "Runs the rules with and without a change in the same random markets. Nothing is changed: the " +
  "file is yours to edit."
const SPANS = [7, 30, 90] as const
const RUNS = 20

/** A change of one rule, simulated before it is copied into the file; of the first one at first. */
export function SimulateView({ detail, known }: Desk): JSX.Element {
  const rules = useLive<AnswerOf<"Rules">>("rules", 60_000)
  return (
    <>
      <Title note={NOTE}>Simulate{detail === null ? "" : ` ${detail}`}</Title>
      <Loaded live={rules}>
        {({ rules: all }) => {
          const able = all
            .map((rule) => ({ rule, keys: ruleKeysOf(rule, known) }))
            .filter(({ keys }) => keys.length > 0)
          const chosen = detail === null ? able[0] : able.find(({ rule }) => rule.id === detail)
          return (
            <>
              <Tabs
                parts={able.map(({ rule: { id } }) => ({ id: placeOf(id), name: id }))}
                shown={placeOf(chosen?.rule.id ?? "")}
                label="Rule"
              />
              {chosen === undefined ? (
                <Empty>This page cannot try a change of such a rule.</Empty>
              ) : (
                <Trial
                  key={chosen.rule.id}
                  id={chosen.rule.id}
                  sentence={ruleSentence(chosen.rule, known)}
                  keys={chosen.keys}
                  known={known}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** The place of the trial of a rule. */
export function placeOf(rule: string): string {
  return `simulate/${encodeURIComponent(rule)}`
}

type Result = {
  readonly change: string
  readonly text: string
  readonly askedDays: number
  readonly found: Simulation
}

function Trial(props: {
  id: string
  sentence: string
  keys: readonly RuleKey[]
  known: Desk["known"]
}): JSX.Element {
  const { id, sentence, keys, known } = props
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [days, setDays] = useState<number>(30)
  const [state, setState] = useState<Result | Refused | "asking" | null>(null)
  const change = changeText(keys, typed)
  const simulate = async (event: Event): Promise<void> => {
    event.preventDefault()
    setState("asking")
    setState(await askSimulation(id, change, days, fileText(id, keys, typed)))
  }
  const result = state === null || state === "asking" || state instanceof Refused ? null : state
  return (
    <>
      <div class="grid" aria-live="polite">
        {result === null ? null : (
          <VerdictCard id={id} result={result} isOld={result.change !== change} />
        )}
      </div>
      <Card title="The change" wide>
        <p class="sentence">{sentence}</p>
        <form class="fields trial" onSubmit={simulate}>
          {keys.map((one) => (
            <Field
              key={one.key}
              of={one}
              value={typed[one.key] ?? one.text}
              onValue={(value) => setTyped({ ...typed, [one.key]: value })}
            />
          ))}
          <div class="line">
            {SPANS.map((span) => (
              <button
                key={span}
                type="button"
                class="chip"
                aria-pressed={span === days}
                onClick={() => setDays(span)}
              >
                {span} days
              </button>
            ))}
            <button type="submit" class="main" disabled={change === "" || state === "asking"}>
              {state === "asking" ? "Simulating…" : "Simulate"}
            </button>
          </div>
        </form>
        {state instanceof Refused ? (
          <p class="notice bad" role="alert">
            {state.message}
          </p>
        ) : null}
      </Card>
      {result === null ? null : <Outcome id={id} result={result} known={known} />}
    </>
  )
}

/** The old and the new value, in a field and, for a number, on a slider. */
function Field(props: {
  of: RuleKey
  value: string
  onValue: (value: string) => void
}): JSX.Element {
  const {
    of: { key, label, text },
    value,
    onValue,
  } = props
  const slider = sliderOf(text)
  const before = text === "" ? "not set" : text
  return (
    <div>
      <label for={`try-${key}`}>
        {label}{" "}
        <span class="quiet">
          {value === text ? (text === "" ? before : `now ${text}`) : `${before} → `}
          {value === text ? null : <b>{value}</b>}
        </span>
      </label>
      <input
        id={`try-${key}`}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {slider === null ? null : (
        <input
          type="range"
          aria-label={`Slider: ${label}`}
          min="0"
          max={slider.most}
          step={slider.step}
          value={Number.parseFloat(value)}
          onInput={({ currentTarget }) => onValue(slider.textOf(currentTarget.valueAsNumber))}
        />
      )}
    </div>
  )
}

async function askSimulation(
  rule: string,
  change: string,
  days: number,
  text: string,
): Promise<Result | Refused> {
  const query = new URLSearchParams({ rule, change, days: String(days), seeds: String(RUNS) })
  try {
    // CAST: the daemon's own answer.
    const found = (await ask("GET", `simulate?${query}`)) as Simulation
    return { change, text, askedDays: days, found }
  } catch (cause) {
    if (cause instanceof Refused) return cause
    throw cause
  }
}

/** Above the change, so that it stays in sight while the change is made. */
function VerdictCard(props: { id: string; result: Result; isOld: boolean }): JSX.Element {
  const { id, result, isOld } = props
  const { found, askedDays, text } = result
  return (
    <section class="card wide" aria-label="What the change would do">
      {isOld ? <p class="notice warn">This is of the change before; simulate again.</p> : null}
      <div class="verdict-line">
        <p class="sentence">
          <b>{verdictOf(found, id, askedDays)}</b>
        </p>
        <span class="actions">
          <button type="button" data-key="export" onClick={() => exportPlots(id, found)}>
            Export SVG
          </button>
          <CopyChange text={text} />
        </span>
      </div>
      <p class="note">
        {found.seeds.count} runs in random markets, the same for both. The real one is another.
      </p>
    </section>
  )
}

/** The lines for the file: a person writes it, and no page does. */
function CopyChange({ text }: { text: string }): JSX.Element {
  const [done, setDone] = useState(false)
  const copy = (): void => void navigator.clipboard?.writeText(text).then(() => setDone(true))
  return (
    <button type="button" class="main" onClick={copy}>
      {done ? "Copied: it goes into the file" : "Copy this change"}
    </button>
  )
}

/** The file of `ballast simulate --plot`. */
function exportPlots(id: string, { plots, subjects, scenario: { days } }: Simulation): void {
  saveFile(`simulate-${id}.svg`, "image/svg+xml", drawSvg({ plots, subjects, days }))
}

function Outcome(props: { id: string; result: Result; known: Desk["known"] }): JSX.Element {
  const { id, result, known } = props
  const { found, text } = result
  const { days } = found.scenario
  const { subjects } = found
  return (
    <div class="grid halves">
      {found.plots.flatMap((plot) =>
        ["As it is", "With the change"].map((title, at) => (
          <Card
            key={`${plot.asset} ${title}`}
            title={title}
            note={`${nameAsset(plot.asset).symbol} · half, and nine of ten runs`}
          >
            <FanPlot plot={plot} subject={at} days={days} title={title} />
          </Card>
        )),
      )}
      <Card title={`Cost of ${sayDays(days)}`} note="each column counts runs">
        <Drawn draw={(width) => drawCosts(subjects, days, width)} />
        <h3>When it would swap</h3>
        <Drawn draw={(width) => drawSwaps(subjects, days, width)} />
      </Card>
      <Card title="Side by side" note="the middle run">
        <SideBySide compared={compareSubjects(found, id, known)} />
      </Card>
      <Card title="For the file" note={<Copy text={text} what="the change" />} wide>
        <pre class="file">{text}</pre>
        <p class="note">
          Then <code>ballast check</code> and <code>ballast reload</code>.
        </p>
      </Card>
    </div>
  )
}

function SideBySide({ compared }: { compared: readonly Comparison[] }): JSX.Element {
  return (
    <Table
      caption="The rules as they are and with the change"
      figures
      columns={["", "As it is", "Changed", "Difference"]}
      rows={compared.map(({ name, now, changed, difference }) => ({
        key: name,
        cells: [name, now, changed, difference],
      }))}
    />
  )
}
