/** SQLSTATE of a refused login, and of a missing right (PostgreSQL's documentation, appendix A). */
const REFUSAL = /\((28\w{3}|42501)\)/

/**
 * The parts of the problem that a PostgreSQL without a good answer is. `advice`: the next step
 * after `error`. Pure.
 */
export function describeSilence(
  error: string | null,
  advice: string | undefined,
): { readonly what: string; readonly why: string; readonly todo: string } {
  const why = error === null ? "" : ` (${error.slice(0, 200)})`
  if (advice !== undefined && REFUSAL.test(error ?? "")) {
    const todo = `In this order: ${advice}; restart this member.`
    return { what: "has refused this member", why, todo }
  }
  const todo =
    "Repair PostgreSQL, its synchronous standby or the network; every member goes on by itself."
  return { what: "has not answered", why, todo }
}
