import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../dialog.tsx"
import { areKeysOn, switchKeys } from "./keys.ts"

const KEYS = [
  ["g h", "Overview"],
  ["g t", "Treasury"],
  ["g o", "Orders"],
  ["g r", "Rules"],
  ["g s", "Simulate"],
  ["g ,", "Settings"],
  ["/ or Ctrl K", "Find or do"],
  ["j k, ↓ ↑", "Next and previous line of a list, or task"],
  ["o, Enter", "Open it"],
  ["a", "Approve; elsewhere, the most urgent approval"],
  ["f", "Filter"],
  ["e", "Export"],
  ["p p", "Pause everything"],
  [".", "Times as clock times, or as ages"],
  ["?", "This list"],
] as const

/** The keys of the page, and the switch for all of them. */
export function KeyHelp({ onClose }: { onClose: () => void }): JSX.Element {
  const [on, setOn] = useState(areKeysOn)
  return (
    <Dialog labelledBy="key-help" onClose={onClose}>
      <h2 id="key-help">Keys</h2>
      <dl class="pairs">
        {KEYS.map(([keys, means]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget: { checked } }) => {
            switchKeys(checked)
            setOn(checked)
          }}
        />
        Single keys act outside of fields
      </label>
      <footer>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}
