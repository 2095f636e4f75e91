type Ranked = { readonly level: string; readonly deadline: string | null }

/** Trouble first, then by the value at stake, then the earliest deadline. */
export function rankTasks<Task extends Ranked>(
  tasks: readonly Task[],
  stakeOf: (task: Task) => string | null,
): readonly Task[] {
  const stake = (task: Task): number => Math.abs(Number(stakeOf(task) ?? 0))
  return tasks.toSorted(
    (a, b) =>
      Number(b.level === "trouble") - Number(a.level === "trouble") ||
      stake(b) - stake(a) ||
      (a.deadline ?? "~").localeCompare(b.deadline ?? "~"),
  )
}
