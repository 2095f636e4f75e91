/**
 * The environment in which a program of Node has a clock that a file shifts, by the milliseconds
 * that it holds. The module runs before the program and reads the file every tenth of a second.
 * Timers keep their pace, as they do when the clock of a machine is set.
 */
export function shiftClockByFile(file: string): Readonly<Record<string, string>> {
  const module = `
    import { readFileSync } from "node:fs"
    const Real = Date
    let shift = 0
    const read = () => {
      try { shift = Number(readFileSync(${JSON.stringify(file)}, "utf8")) || 0 } catch {}
    }
    read()
    setInterval(read, 100).unref()
    globalThis.Date = class Date extends Real {
      constructor(...args) { args.length === 0 ? super(Real.now() + shift) : super(...args) }
      static now() { return Real.now() + shift }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}
