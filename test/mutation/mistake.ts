/**
 * One realistic mistake in production code: the text `find` of `file` becomes `replace`. The fast tests must notice it.
 *
 * `find` occurs exactly once in the file, so that a changed file shows which mistakes are out of date.
 */
export type Mistake = {
  /** What the mistake does, as a sentence about its effect. */
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Test files or folders to run first, where the room's own are not the ones that should notice. */
  readonly tests?: readonly string[]
  /** The tests that run before the room's own, in stages; a stage runs when the ones before it noticed nothing. */
  readonly stages?: readonly (readonly string[])[]
  /** The innermost named function around a generated mutant; empty outside of functions. */
  readonly within?: string
  /** Why no test can notice it, or need not: the code then means the same. A listed survivor must survive. */
  readonly survives?: string
}

/** The mistakes of one room, and the tests that should notice them, fastest first. */
export type MistakesOfRoom = {
  readonly room: string
  readonly tests: readonly string[]
  readonly mistakes: readonly Mistake[]
  /** A program wrote the mistakes. One that no test noticed and that the compiler refuses is no mistake that anyone could ship; it does not count. */
  readonly isGeneric?: true
}

/** A mistake without its file. The last place is the reason why it survives. */
export type ShortMistake = readonly [name: string, find: string, replace: string, survives?: string]

/** Several mistakes in one file. `tests` run first, and should notice them. */
export function mistakesIn(file: string, tests: readonly string[], mistakes: readonly ShortMistake[]): Mistake[] {
  return mistakes.map(([name, find, replace, survives]) => ({
    ...{ name, file, find, replace, tests },
    ...(survives === undefined ? {} : { survives }),
  }))
}
