import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

type Node = { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string } }
type Profile = {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Where the processor time of the profiles in a folder goes, largest share first, without waiting. Shares of 1. */
export function readProfiles(folder: string): readonly { readonly place: string; readonly share: number }[] {
  const times = new Map<string, number>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"))) {
    // CAST: V8 writes its profiles in this shape.
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile
    const byId = new Map(nodes.map((node) => [node.id, node]))
    for (const [index, id] of samples.entries()) {
      const node = byId.get(id)
      const place = node === undefined ? null : placeOf(node)
      if (place !== null) times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0))
    }
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times].map(([place, time]) => ({ place, share: time / all })).toSorted((a, b) => b.share - a.share)
}

/** The room, package or part of Node that runs; `null` while the process waits. */
function placeOf({ callFrame: { functionName, url } }: Node): string | null {
  if (functionName === "(idle)") return null
  if (functionName === "(garbage collector)") return "garbage collector"
  const room = /\/src\/([^/]+)\//.exec(url)?.[1]
  if (room !== undefined) return `src/${room}`
  const [name] = url.split("/node_modules/").slice(1).slice(-1)
  if (name !== undefined)
    return name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/")
  return /\/(bench|test)\//.test(url) ? "the bench's chains and service" : "Node with SQLite"
}
