import type { ConfigFinding, Judged } from "./finding.ts"

/** What a defect of the daemon could cost, where real money is at stake. */
export function judgeSigner({ config, isReal }: Judged): ConfigFinding[] {
  if (!isReal) return []
  const { run, socket, limits } = config.signer
  const isInside = run === "inside" && socket === null
  const unlimited = config.assets.filter(({ id }) =>
    limits.every(({ asset, perDay }) => asset !== id || perDay === null),
  )
  return [
    ...(isInside
      ? [
          finding(
            "config.keys_inside",
            ["signer", "run"],
            "the daemon holds the keys itself, so a defect in it could cost everything",
            "write run: child",
          ),
        ]
      : []),
    ...(unlimited.length > 0 && !isInside
      ? [
          finding(
            "config.signer_unlimited",
            ["signer", "limits"],
            `the signer has no per_day for ${unlimited.map(({ id }) => id).join(", ")}, so an attacker who controls the daemon could sell all of it`,
            `write limits: { "${unlimited[0]?.id}": { per_day: "AMOUNT" } }, in the asset's own unit`,
          ),
        ]
      : []),
  ]
}

function finding(code: string, path: readonly string[], message: string, todo: string): ConfigFinding {
  return { code, severity: "warn", path, message, todo }
}
