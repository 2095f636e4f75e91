import type { JSX } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"

/** A place or an act that the palette finds by its words. */
export type Command = {
  readonly name: string
  /** The keys that do the same. */
  readonly keys?: string | undefined
  readonly act: () => void
}

const MOST_SHOWN = 9

/** Find or do: words narrow the list, arrows choose, Enter acts. */
export function Palette(props: { commands: readonly Command[]; onClose: () => void }): JSX.Element {
  const { commands, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  useEffect(() => dialog.current?.showModal(), [])
  const found = findCommands(commands, text)
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
    <dialog ref={dialog} class="palette" aria-label="Find or do" onClose={onClose}>
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
    </dialog>
  )
}

/** Each word must stand in the name; an id of an order leads to it, though no list has it. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/)
  const found = commands.filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  )
  const [id = ""] = /^[0-9a-f]{32}$/.exec(text.trim()) ?? []
  const order = {
    name: `Order ${id}`,
    act: () => {
      location.hash = `#/orders/${id}`
    },
  }
  return (id === "" ? found : [order, ...found]).slice(0, MOST_SHOWN)
}
