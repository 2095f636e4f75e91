import { isDeepStrictEqual } from "node:util"

/**
 * The part of Vitest's test API that the quick tests use, so that a loaded test file can run many
 * times in one process. `expect` and `vi` are Vitest's own.
 */
type Hook = () => unknown
type Suite = {
  readonly name: string
  readonly parent: Suite | null
  readonly members: (Suite | Case)[]
  readonly before: Hook[]
  readonly after: Hook[]
  readonly beforeEach: Hook[]
  readonly afterEach: Hook[]
}
type Case = { readonly index: number; readonly name: string; readonly run: Hook }

/** `finished` has what the running test left for its end. */
export type TestFile = {
  readonly root: Suite
  readonly names: readonly string[]
  readonly finished: Hook[]
}

/** What happened to one test: its processor time, and an error or null when it passed. */
export type Ran = { readonly index: number; readonly ms: number; readonly error: unknown }

/** Time of the processor, which does not depend on the other work of the machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

type Body = (...args: readonly unknown[]) => unknown
type Named = (name: string, ...rest: readonly unknown[]) => void

export type Collector = {
  /** The module that stands in for `vitest`. */
  readonly api: Readonly<Record<string, unknown>>
  readonly collect: (load: () => Promise<unknown>) => Promise<TestFile>
}

export function createCollector(vitest: Readonly<Record<string, unknown>>): Collector {
  let current = newSuite("", null)
  let names: string[] = []
  let bodies: Hook[] = []
  const finished: Hook[] = []
  const addCase = (name: string, run: Hook): void => {
    current.members.push({ index: names.length, name, run })
    const path: string[] = []
    for (let at: Suite | null = current; at !== null; at = at.parent) path.unshift(at.name)
    names.push([...path.slice(1), name].join(" > "))
  }
  const addSuite = (name: string, run: Hook): void => {
    const suite = newSuite(name, current)
    current.members.push(suite)
    bodies.push(() => {
      current = suite
      return run()
    })
  }
  const hook = (kind: "before" | "after" | "beforeEach" | "afterEach") => (run: Hook) => {
    current[kind].push(run)
  }
  const test = withForms(addCase)
  const describe = withForms(addSuite)
  return {
    api: {
      ...vitest,
      __esModule: true,
      test,
      it: test,
      describe,
      expect: withPoll(vitest["expect"]),
      beforeAll: hook("before"),
      afterAll: hook("after"),
      beforeEach: hook("beforeEach"),
      afterEach: hook("afterEach"),
      onTestFinished: (run: Hook) => finished.push(run),
    },
    collect: async (load) => {
      current = newSuite("", null)
      names = []
      const root = current
      bodies = []
      await load()
      // A suite may name what the file defines below it, so its body waits for the whole file.
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) await body()
      return { root, names, finished }
    },
  }
}

function newSuite(name: string, parent: Suite | null): Suite {
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] }
  return { name, parent, members: [], ...hooks }
}

/** `test`, `test.each`, `test.for`, `test.skipIf` and so on, all of which end in `add`. */
function withForms(add: (name: string, run: Hook) => void): Named {
  const one: Named = (name, ...rest) => {
    const run = bodyOf(rest)
    if (run !== null) add(String(name), () => run({}))
  }
  const nothing: Named = () => {}
  const each =
    (spread: boolean) =>
    (rows: readonly unknown[]): Named =>
    (name, ...rest) => {
      const run = bodyOf(rest)
      if (run === null) return
      for (const [index, row] of rows.entries()) {
        const args = spread && Array.isArray(row) ? row : [row]
        add(`${name} #${index}`, () => run(...args))
      }
    }
  const idle = Object.assign(nothing, { each: () => nothing, for: () => nothing })
  const forms = { each: each(true), for: each(false), skip: idle, todo: idle }
  const form: Named = Object.assign(one, {
    ...forms,
    skipIf: (is: unknown) => (is ? idle : form),
    runIf: (is: unknown) => (is ? form : idle),
    sequential: one,
    concurrent: one,
  })
  return form
}

function bodyOf(rest: readonly unknown[]): Body | null {
  // CAST: the only function among the arguments of a test is its body.
  return (rest.find((one) => typeof one === "function") as Body | undefined) ?? null
}

/** `expect.poll` of Vitest needs its own runner, so this one asks by itself. */
function withPoll(expect: unknown): unknown {
  // CAST: it is Vitest's `expect`.
  const own = expect as (value: unknown) => object
  const poll = (read: () => unknown, options: { timeout?: number; interval?: number } = {}) => {
    const until = Date.now() + (options.timeout ?? 1000)
    const attempt = async (path: readonly string[], args: readonly unknown[]): Promise<void> => {
      for (;;) {
        try {
          let at: unknown = own(await read())
          for (const key of path.slice(0, -1)) at = Reflect.get(at as object, key)
          const call: unknown = Reflect.get(at as object, path.at(-1) ?? "")
          // CAST: the last name of the chain is a matcher.
          return (call as Body).apply(at, [...args]) as undefined
        } catch (error) {
          if (Date.now() > until) throw error
          await new Promise((done) => setTimeout(done, options.interval ?? 20))
        }
      }
    }
    const chain = (path: readonly string[]): unknown =>
      new Proxy(() => {}, {
        get: (_, key) => chain([...path, String(key)]),
        apply: (_target, _self, args: readonly unknown[]) => attempt(path, args),
      })
    return chain([])
  }
  return new Proxy(own, {
    get: (target, key) => (key === "poll" ? poll : Reflect.get(target, key)),
  })
}

type RunOptions = {
  readonly file: TestFile
  readonly wanted: ReadonlySet<number>
  /** The longest time of one test or hook. */
  readonly timeoutMs: (index: number) => number
  readonly begins?: (index: number) => void
  readonly ended: (ran: Ran) => void
  /** Leaves out the rest. */
  readonly isOver: () => boolean
}

/** Runs the wanted tests in the order of the file. A failed hook fails the tests that need it. */
export async function runTests(options: RunOptions): Promise<void> {
  await runSuite(options.file.root, [], options)
}

async function runSuite(suite: Suite, outer: readonly Suite[], options: RunOptions): Promise<void> {
  const wanted = casesOf(suite).filter(({ index }) => options.wanted.has(index))
  if (wanted.length === 0 || options.isOver()) return
  const path = [...outer, suite]
  const undo: Hook[] = []
  const startedAt = processorMs()
  try {
    for (const one of suite.before) await keepUndo(one, undo, HOOK_MS)
    for (const member of suite.members) {
      if (options.isOver()) break
      if ("members" in member) await runSuite(member, path, options)
      else if (options.wanted.has(member.index)) await runCase(member, path, options)
    }
  } catch (error) {
    const ms = processorMs() - startedAt
    for (const { index } of wanted) options.ended({ index, ms, error })
  } finally {
    for (const one of [...undo, ...suite.after].reverse()) await quietly(one)
  }
}

const HOOK_MS = 20_000

async function runCase(member: Case, path: readonly Suite[], options: RunOptions): Promise<void> {
  const { index } = member
  const undo: Hook[] = []
  options.begins?.(index)
  const startedAt = processorMs()
  let error: unknown = null
  try {
    const limit = options.timeoutMs(index)
    for (const { beforeEach } of path) {
      for (const one of beforeEach) await keepUndo(one, undo, limit)
    }
    await within(member.run, limit)
  } catch (thrown) {
    error = thrown ?? new Error("nothing was thrown")
  }
  const each = path.flatMap(({ afterEach }) => afterEach)
  for (const one of [...options.file.finished.splice(0), ...undo, ...each].reverse()) {
    try {
      await within(one, HOOK_MS)
    } catch (thrown) {
      error ??= thrown
    }
  }
  options.ended({ index, ms: processorMs() - startedAt, error })
}

/** A function that a hook returns undoes it. */
async function keepUndo(hook: Hook, undo: Hook[], ms: number): Promise<void> {
  const result: unknown = await within(hook, ms)
  // CAST: Vitest calls a returned function without arguments.
  if (typeof result === "function") undo.push(result as Hook)
}

async function quietly(hook: Hook): Promise<void> {
  try {
    await within(hook, HOOK_MS)
  } catch {
    // A failed clean-up judges no test.
  }
}

/** On a busy machine a test may take so many times its limit, as long as it gets no processor. */
const MOST_TURNS = 10

async function within(run: Hook, ms: number): Promise<unknown> {
  const startedAt = processorMs()
  const result = run()
  if (!(result instanceof Promise)) return result
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, fail) => {
    const wait = (turns: number): void => {
      timer = setTimeout(() => {
        if (turns > 1 && processorMs() - startedAt < ms / 2) wait(turns - 1)
        else fail(new Error(`not over after ${ms} ms`))
      }, ms)
    }
    wait(MOST_TURNS)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}

function casesOf(suite: Suite): readonly Case[] {
  return suite.members.flatMap((one) => ("members" in one ? casesOf(one) : [one]))
}

/** Tests of one name stand at different places when the file changed meanwhile. */
export function isSameFile(a: readonly string[], b: readonly string[]): boolean {
  return isDeepStrictEqual(a, b)
}
