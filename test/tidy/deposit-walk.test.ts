import { expect, test } from "vitest"
import { importedFiles, readText, withoutComments } from "./sources.ts"

const ROOM = "src/engine/orders"
const README = readText(`${ROOM}/README.md`)

type Stop = { readonly file: string; readonly name: string }

test("the walk of a deposit is at most twelve files, each called by an earlier one", () => {
  const walk = readWalk(README)
  expect(walk[0]).toEqual({ file: `${ROOM}/worker.ts`, name: "createWorker" })
  expect(walk.at(-1)).toEqual({ file: `${ROOM}/outgoing-calls.ts`, name: "leaveOnce" })
  expect(walk.length).toBeLessThanOrEqual(12)
  expect(findStrays(walk)).toEqual([])
})

test("the check sees a file out of order, one that is left out, and a name that is gone", () => {
  const walk = readWalk(README)
  const without = (name: string): readonly Stop[] => walk.filter((stop) => stop.name !== name)
  expect(findStrays(walk.toReversed())).toContain(`${ROOM}/worker.ts createWorker`)
  expect(findStrays(without("entryOf"))).toContain(
    `${ROOM}/deposit/plan-transaction.ts planTransactionWork`,
  )
  const renamed = walk.map((stop) => ({ ...stop, name: `${stop.name}Gone` }))
  expect(findStrays(renamed)).toHaveLength(walk.length)
})

/** The list reads `1. \`file\`, \`name\`: its job`, with paths from the room or the root. */
function readWalk(text: string): readonly Stop[] {
  return [...text.matchAll(/^\d+\. `([^`]+)`, `(\w+)`:/gm)].map(([, path = "", name = ""]) => ({
    file: path.startsWith("src/") ? path : `${ROOM}/${path}`,
    name,
  }))
}

/** The stops with a name that is not in their file, or in no earlier file that imports theirs. */
function findStrays(walk: readonly Stop[]): readonly string[] {
  return walk
    .filter((stop, index) => {
      const earlier = walk.slice(0, index).map(({ file }) => file)
      const callers = earlier.filter((file) => importedFiles(file).includes(stop.file))
      const isCalled = index === 0 || callers.some((file) => hasName(file, stop.name))
      return !hasName(stop.file, stop.name) || !isCalled
    })
    .map(({ file, name }) => `${file} ${name}`)
}

function hasName(file: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(withoutComments(readText(file)))
}
