/**
 * The condition of a rule: a flag that must hold, or a combination. The trace checker evaluates it,
 * and the model gets the same condition as Promela text.
 */
export type Guard<Flag extends string> =
  | Flag
  | { readonly not: Guard<Flag> }
  | { readonly all: readonly Guard<Flag>[] }
  | { readonly any: readonly Guard<Flag>[] }

export function evaluateGuard<Flag extends string>(
  guard: Guard<Flag>,
  holds: (flag: Flag) => boolean,
): boolean {
  if (typeof guard === "string") return holds(guard)
  if ("not" in guard) return !evaluateGuard(guard.not, holds)
  if ("all" in guard) return guard.all.every((part) => evaluateGuard(part, holds))
  return guard.any.some((part) => evaluateGuard(part, holds))
}

export function formatGuard<Flag extends string>(
  guard: Guard<Flag>,
  format: (flag: Flag) => string,
): string {
  if (typeof guard === "string") return format(guard)
  if ("not" in guard) return `!${formatGuard(guard.not, format)}`
  const [parts, operator] = "all" in guard ? [guard.all, "&&"] : [guard.any, "||"]
  return `(${parts.map((part) => formatGuard(part, format)).join(` ${operator} `)})`
}
