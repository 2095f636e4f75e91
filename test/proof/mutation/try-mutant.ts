import { basename, dirname, join } from "node:path"
import { mustExist } from "#lib/assert.ts"
import { type Collector, runTests } from "./collect-tests.ts"
import type { CoveredFile, CoveredTest } from "./cover-tests.ts"
import type { Mutant } from "./generate-mutants.ts"
import { createLoader } from "./load-modules.ts"
import { switchMutants } from "./switch-mutants.ts"

export type Trial = {
  /** Returns the test that noticed the mutant, or null. */
  readonly tryOut: (id: string) => Promise<string | null>
}

type Options = {
  readonly root: string
  readonly cache: string
  readonly read: (file: string) => string
  readonly collector: Collector
  readonly mutants: readonly (Mutant & { readonly id: string })[]
  readonly covered: readonly CoveredFile[]
  readonly alive: () => void
}

/** The tests that reach a mutant take no longer together, in the time that they took without it. */
const LONGEST_MUTANT_MS = 12_000
/** These tests of a file run before its other ones. */
const CHEAP_MS = 30
/** A mutant that is asked for so often, or that makes so many turns of loops, has no end. */
const MOST_QUESTIONS = 5_000_000
const MOST_TURNS = 20_000_000
/** The tests that noticed the last mutants of a function come first. */
const RECENT = 4

type Choice = { readonly file: string; readonly tests: readonly CoveredTest[] }

export async function createTrial(options: Options): Promise<Trial> {
  const { mutants, root, read, collector, cache, covered, alive } = options
  const numbers = new Map(mutants.map(({ id }, index) => [id, index + 1]))
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const questions = createQuestions(mutants.length)
  const loader = createLoader({
    root,
    ask: questions.ask,
    readText: (file) => {
      const own = byFile.get(file)
      if (own === undefined) return read(file)
      const switched = own.map((one) => ({ ...one, number: numbers.get(one.id) ?? 0 }))
      return switchMutants(read(file), switched)
    },
    replaced: { vitest: collector.api },
    cache: join(cache, "code"),
  })
  const unsound = new Set<string>()
  const recent = new Map<string, string[]>()
  /** The mutants that a test reaches without any of them, known once it has run. */
  const reached = new Map<string, ReadonlySet<number>>()
  // The questions of a module itself are asked once, when it is loaded.
  for (const file of byFile.keys()) await loader.load(file)
  const loadedWith = questions.take()

  /** Returns the index of the first test that fails, or null; -1 when the file cannot be loaded. */
  async function findFailure({ file, tests }: Choice, isLearning = false): Promise<number | null> {
    const failed: number[] = []
    try {
      loader.forget(file)
      questions.take()
      const test = await collector.collect(() => loader.load(file))
      const outside = new Set(questions.take())
      const known = new Map(tests.map((one) => [one.index, one]))
      await runTests({
        file: test,
        wanted: new Set(known.keys()),
        timeoutMs: (index) => Math.max(10_000, 50 * (known.get(index)?.ms ?? 0)),
        begins: () => {
          alive()
          for (const number of questions.take()) outside.add(number)
        },
        ended: ({ index, error }) => {
          if (error !== null) failed.push(index)
          else if (isLearning) {
            reached.set(`${file} ${index}`, new Set([...questions.take(), ...outside]))
          }
        },
        isOver: () => failed.length > 0 && !isLearning,
      })
    } catch {
      return -1
    }
    return failed[0] ?? null
  }

  /**
   * The tests of the choice that reach the mutant. Each test runs once without a mutant to tell.
   */
  async function narrow(number: number, { file, tests }: Choice): Promise<Choice | null> {
    const keyOf = ({ index }: CoveredTest): string => `${file} ${index}`
    const unknown = tests.filter((one) => !reached.has(keyOf(one)))
    if (unknown.length > 0) await findFailure({ file, tests: unknown }, true)
    for (const one of unknown) if (!reached.has(keyOf(one))) unsound.add(keyOf(one))
    const own = tests.filter((one) => {
      return loadedWith.has(number) || reached.get(keyOf(one))?.has(number) === true
    })
    const sound = own.filter((one) => !unsound.has(keyOf(one)))
    return sound.length === 0 ? null : { file, tests: sound }
  }

  /**
   * Switches the mutant on while these tests run. Its file is loaded anew if that asks questions.
   */
  async function judge(
    number: number,
    mutated: string,
    choice: Choice,
    isFresh = false,
  ): Promise<string | null> {
    alive()
    const anew = (): void => {
      if (loadedWith.has(number)) loader.forget(mutated)
    }
    anew()
    questions.switchOn(number)
    const failed = await findFailure(choice)
    questions.switchOn(0)
    anew()
    if (failed === null) return null
    const again = choice.tests.filter(({ index }) => failed === -1 || index === failed)
    const name = failed === -1 ? "the module" : (again[0]?.name ?? "")
    if ((await findFailure({ ...choice, tests: again })) === null) return `${choice.file} > ${name}`
    // This change or an earlier one may have left something behind; everything is loaded anew.
    loader.forgetAll()
    if ((await findFailure({ ...choice, tests: again })) !== null) {
      for (const { index } of again) unsound.add(`${choice.file} ${index}`)
    } else if (isFresh) return `${choice.file} > ${name}`
    const rest = choice.tests.filter(({ index }) => !unsound.has(`${choice.file} ${index}`))
    return rest.length === 0 ? null : judge(number, mutated, { ...choice, tests: rest }, true)
  }

  function choose(number: number, { file: mutated, place }: Mutant): readonly Choice[] {
    const isLoading = loadedWith.has(number)
    const isWanted = (file: string, { index, places }: CoveredTest): boolean => {
      if (unsound.has(`${file} ${index}`)) return false
      if (isLoading) return true
      return places.has(place) && reached.get(`${file} ${index}`)?.has(number) !== false
    }
    const choices = covered.flatMap(({ file, graph, tests }) => {
      if (!graph.has(mutated)) return []
      const own = tests.filter((one) => isWanted(file, one))
      return own.length === 0 ? [] : [{ file, tests: own }]
    })
    const rank = (choice: Choice): number => costOf(choice) * 4 ** distance(mutated, choice.file)
    return choices
      .toSorted((a, b) => rank(a) - rank(b))
      .flatMap(({ file, tests }) => {
        const isCheap = ({ ms }: CoveredTest): boolean => ms <= CHEAP_MS
        const parts = [tests.filter(isCheap), tests.filter((one) => !isCheap(one))]
        return parts.filter((own) => own.length > 0).map((own) => ({ file, tests: own }))
      })
  }

  return {
    tryOut: async (id) => {
      const number = numbers.get(id) ?? 0
      const mutant = mustExist(mutants[number - 1], "a mutant")
      const choices = choose(number, mutant)
      const first = (recent.get(mutant.place) ?? []).flatMap((by) => pick(choices, by))
      let left = LONGEST_MUTANT_MS
      for (const choice of [...first, ...choices]) {
        alive()
        if (left <= 0) return null
        const own = await narrow(number, choice)
        if (own === null) continue
        left -= costOf(own)
        const by = await judge(number, mutant.file, own)
        if (by === null) continue
        const others = (recent.get(mutant.place) ?? []).filter((one) => one !== by)
        recent.set(mutant.place, [by, ...others].slice(0, RECENT))
        return by
      }
      return null
    },
  }
}

type Questions = {
  readonly ask: (number: number) => boolean
  readonly switchOn: (number: number) => void
  /** The mutants that were asked for since the last time. */
  readonly take: () => Set<number>
}

function createQuestions(count: number): Questions {
  const isTouched = new Uint8Array(count + 1)
  let touched: number[] = []
  let active = 0
  let asked = 0
  let turns = 0
  const ask = (number: number): boolean => {
    if (number === 0) {
      turns += 1
      if (active !== 0 && turns > MOST_TURNS) throw new Error("a loop has no end")
      return false
    }
    if (isTouched[number] === 0) {
      isTouched[number] = 1
      touched.push(number)
    }
    if (number !== active) return false
    asked += 1
    if (asked > MOST_QUESTIONS) throw new Error("the mutant has no end")
    return true
  }
  return {
    ask,
    switchOn: (number) => {
      active = number
      asked = 0
      turns = 0
    },
    take: () => {
      const found = new Set(touched)
      for (const number of touched) isTouched[number] = 0
      touched = []
      return found
    },
  }
}

/** The one test that has noticed another mutant, if it reaches this one too. */
function pick(choices: readonly Choice[], by: string): readonly Choice[] {
  return choices.flatMap(({ file, tests }) => {
    const own = tests.filter(({ name }) => `${file} > ${name}` === by)
    return own.length === 0 ? [] : [{ file, tests: own }]
  })
}

function costOf({ tests }: Choice): number {
  return 5 + tests.reduce((sum, { ms }) => sum + ms, 0)
}

/** A test with the name of the changed file is nearest, then those of its folder and its room. */
function distance(mutated: string, test: string): number {
  if (basename(test, ".test.ts") === basename(mutated, ".ts")) return 0
  const own = dirname(mutated).split("/")
  const other = dirname(test).split("/")
  if (own.join() === other.join()) return 1
  // `src/core/guards`: a wing, then the room; the room of the engine is its wing.
  const room = own[1] === "engine" ? "engine" : (own[2] ?? "")
  return other.includes(room) ? 2 : 3
}
