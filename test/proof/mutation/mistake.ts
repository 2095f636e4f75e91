import { readFileSync } from "node:fs"
import { applyEdit, type Edit } from "./edits.ts"
import type { Mutant } from "./generate-mutants.ts"

/** One mistake that a person could make in production code. The quick tests must notice it. */
export type Mistake = {
  /** The effect of the mistake, as a sentence. */
  readonly name: string
  readonly file: string
  /** The function's name, with the names of the functions around it where needed; empty: none. */
  readonly function: string
  readonly change: Edit
}

/** Mistakes of one kind, such as those that lose money. */
export type MistakesOfRoom = { readonly room: string; readonly mistakes: readonly Mistake[] }

/** By file and function: the effect of each mistake, and its change. */
type Places = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Edit>>>>>>

export function mistakesOf(room: string, files: Places): MistakesOfRoom {
  const mistakes = Object.entries(files).flatMap(([file, functions]) =>
    Object.entries(functions).flatMap(([name, changes]) =>
      Object.entries(changes).map(([effect, change]) => {
        return { name: effect, file, function: name, change }
      }),
    ),
  )
  return { room, mistakes }
}

/** The mistake as a change of its file's text. */
export function mutantOf(mistake: Mistake, text = readFileSync(mistake.file, "utf8")): Mutant {
  const { name, file } = mistake
  const place = `${file} ${mistake.function.split(".").at(-1) || "module"}`
  return { name, file, place, ...applyEdit(text, mistake.function, mistake.change) }
}
