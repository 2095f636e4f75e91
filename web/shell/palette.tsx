import type { JSX } from "preact"
import { useId, useState } from "preact/hooks"
import { Dialog } from "../dialog.tsx"
import { type Command, findCommands } from "./find-commands.ts"

/** Find or do: words narrow the list, arrows choose, Enter acts. */
export function Palette(props: {
  commands: readonly Command[]
  onOrder: (id: string) => void
  onClose: () => void
}): JSX.Element {
  const { commands, onClose } = props
  const list = useId()
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const found = findCommands(commands, text, props.onOrder)
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    onClose()
    command.act()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(found.length, 1))
    }
    if (event.key === "Enter") {
      event.preventDefault()
      run(found[at])
    }
  }
  return (
    <Dialog class="palette" label="Find or do" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Find or do"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found.length === 0 ? undefined : `${list}-${at}`}
        placeholder="A view, an order, a rule, an act"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label="Found">
        {found.map((command, index) => (
          <button
            key={command.name}
            type="button"
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            {command.name}
            {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
          </button>
        ))}
      </div>
      {found.length === 0 ? <p class="empty">Nothing has these words.</p> : null}
    </Dialog>
  )
}
