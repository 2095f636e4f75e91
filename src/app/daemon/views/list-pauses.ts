import { readPause } from "#domain/pause.ts"

/** One sentence for each pause in force, with the command that lifts it. */
export function listPauses(
  journal: { readonly readFlag: (key: string) => string | null },
  chains: readonly string[],
  rules: readonly { readonly id: string }[],
): readonly string[] {
  const pause = readPause(journal)
  const ids = (pause?.alarms ?? []).map(({ id }) => id).join(",")
  const lift = ids === "" ? "ballast resume" : `ballast resume --acknowledge ${ids}`
  const why = pause === null || pause.reason === null ? "" : ` (${pause.reason})`
  const all =
    pause === null ? [] : [`everything, by ${pause.by}${why}; no order is opened until \`${lift}\``]
  const parts = [...chains.map((name) => ["chain", name]), ...rules.map(({ id }) => ["rule", id])]
  const paused = parts.filter(([what, name]) => journal.readFlag(`pause/${what}/${name}`) !== null)
  return [
    ...all,
    ...paused.map(
      ([what, name]) => `the ${what} ${name} until \`ballast resume --${what} ${name}\``,
    ),
  ]
}
