/** A place or an act that the palette finds by its words. */
export type Command = {
  readonly name: string
  /** The keys that do the same. */
  readonly keys?: string | undefined
  readonly act: () => void
}

const MOST_SHOWN = 9

/** Each word must stand in the name; an id of an order leads to it, though no list has it. */
export function findCommands(
  commands: readonly Command[],
  text: string,
  openOrder: (id: string) => void,
): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/)
  const found = commands.filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  )
  const [id = ""] = /^[0-9a-f]{32}$/.exec(text.trim()) ?? []
  const order = { name: `Order ${id}`, act: () => openOrder(id) }
  return (id === "" ? found : [order, ...found]).slice(0, MOST_SHOWN)
}
