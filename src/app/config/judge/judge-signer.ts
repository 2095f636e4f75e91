import { findWatched } from "#chains/watch-only.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/** What a defect of the daemon could cost, where real money is at stake. */
export function judgeSigner({ config, isReal }: Judged): ConfigFinding[] {
  if (!isReal) return []
  const { run, socket, limits } = config.signer
  const isInside = run === "inside" && socket === null
  const held = config.chains.filter(({ key }) => findWatched(key) === null)
  const unlimited = config.assets.filter(
    ({ id, chain }) =>
      held.some((one) => one.chain === chain) &&
      limits.every(({ asset, perDay }) => asset !== id || perDay === null),
  )
  if (isInside) {
    const message = "the daemon holds the keys itself, so a defect in it could cost everything"
    return [findingOf("keysInside", { path: ["signer", "run"], message, todo: "write run: child" })]
  }
  const subjects = unlimited.map(({ id }) => id)
  if (subjects.length === 0) return []
  const found = `the signer has no per_day for ${subjects.join(", ")}`
  const message = `${found}, so an attacker who controls the daemon could sell all of it`
  const todo = `write limits: { "${subjects[0]}": { per_day: "AMOUNT" } }, in the asset's own unit`
  return [findingOf("signerUnlimited", { path: ["signer", "limits"], subjects, message, todo })]
}
