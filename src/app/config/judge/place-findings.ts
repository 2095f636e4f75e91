import { formatPath, formatPlace } from "#schema/problem.ts"
import type { YamlSource } from "../yaml-source.ts"
import type { ConfigFinding, PlacedFinding } from "./finding.ts"

/** Adds the place of each finding in its file. Pure. */
export function placeFindings(
  findings: readonly ConfigFinding[],
  source: Pick<YamlSource, "positionOf">,
  file: string,
): PlacedFinding[] {
  return findings.map((finding) => {
    const { line, column } = source.positionOf(finding.path, "value")
    const path = formatPath(finding.path)
    return {
      ...finding,
      path,
      file,
      line,
      column,
      place: formatPlace({ file, line, column, path }),
    }
  })
}
