/**
 * The environment in which a program of Node has a shifted clock. The module runs before the
 * program, and timers keep their pace. A library that replaces the clock below the program cannot
 * be used: it stops the timers of Node too.
 */
export function shiftClock(ms: number): Readonly<Record<string, string>> {
  const module = `
    const Real = Date
    globalThis.Date = class Date extends Real {
      constructor(...args) { args.length === 0 ? super(Real.now() + ${ms}) : super(...args) }
      static now() { return Real.now() + ${ms} }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}
