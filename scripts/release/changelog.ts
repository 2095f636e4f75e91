/** A person reads the changes of a release at once, or not at all. */
export const MOST_LINES = 25
const OPEN = "## Unreleased"

/** The lines of each head of the changelog, blank ones left out. */
export function readSections(text: string): ReadonlyMap<string, readonly string[]> {
  const [, ...parts] = text.split(/^## /m)
  return new Map(
    parts.map((part) => {
      const [head = "", ...lines] = part.split("\n")
      return [head, lines.filter((line) => line.trim() !== "")]
    }),
  )
}

/**
 * The changelog with its open section under the version and the day. Throws an error for a section
 * that has no line or too many, and for a version that is there already.
 */
export function closeSection(text: string, version: string, day: string): string {
  const sections = readSections(text)
  const lines = sections.get("Unreleased") ?? []
  if (lines.length === 0) throw new Error("CHANGELOG.md has nothing under Unreleased")
  if (lines.length > MOST_LINES)
    throw new Error(`CHANGELOG.md has ${lines.length} lines under Unreleased, not ${MOST_LINES}`)
  if ([...sections.keys()].some((head) => head.split(" ")[0] === version))
    throw new Error(`CHANGELOG.md has ${version} already`)
  return text.replace(OPEN, `${OPEN}\n\n## ${version} - ${day}`)
}
