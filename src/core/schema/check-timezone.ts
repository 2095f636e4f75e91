import { nearestName } from "#lib/nearest-name.ts"
import { describeFound } from "./describe-found.ts"
import type { Path } from "./problem.ts"
import { textAt } from "./read-path.ts"
import type { ReferenceWorld } from "./reference-world.ts"

/** Reports the `timezone` key of the map at `path` when it names no IANA time zone. */
export function checkTimezone(world: ReferenceWorld, path: Path): void {
  const zone = textAt(world.root, [...path, "timezone"])
  if (zone === null || isTimezone(zone)) return
  const near = nearestName(zone, Intl.supportedValuesOf("timeZone"))
  const hint = near === null ? "" : `; did you mean ${near}?`
  world.report(
    [...path, "timezone"],
    `expected an IANA time zone such as Europe/Zurich, found ${describeFound(zone)}${hint}`,
  )
}

/**
 * `Intl` also accepts offsets such as +01:00. They have no daylight saving time, so the check
 * refuses them.
 */
function isTimezone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== ""
  } catch {
    // Intl throws a RangeError for an unknown zone.
    return false
  }
}
