import { z } from "zod"
import { choice, integer, ownAmount, text } from "#schema/leaves.ts"
import { orNone, section, withDefault } from "#schema/section.ts"

const assetLimit = section({
  per_signature: orNone(
    ownAmount,
    "The most that one signature may spend or approve, without the network fee. Without it " +
      "guards.max_order applies, where that is in the asset's own unit.",
  ),
  per_hour: orNone(
    ownAmount,
    "The most that signatures of one hour may spend together, highest network fees included.",
  ),
  per_day: orNone(ownAmount, "The same for 24 hours."),
})

export const signerSchema = section({
  run: withDefault(
    choice(["child", "inside"]),
    "child",
    "Where the keys are in live mode: in a signer process that the daemon starts (child), or " +
      "in the daemon itself (inside).",
  ),
  socket: orNone(
    text(/^\/\S/, "an absolute path"),
    "The Unix socket of a signer that another supervisor runs (`ballast signer`), for " +
      "example as another user. Then the daemon starts none.",
  ),
  data_dir: orNone(
    text(/\S/, "a path"),
    "The folder of the signer's record and of its socket. " +
      "Without it the folder signer in data_dir.",
  ),
  limits: withDefault(
    z.record(z.string(), assetLimit, { error: "expected a map of asset to limits" }),
    {},
    "What the signer signs at most, by asset or <chain>:native; it counts by itself. These " +
      "limits hold even if an attacker controls the daemon.",
  ),
  refund_key: withDefault(
    choice(["own", "any"]),
    "any",
    "Bitcoin: own signs a deposit only if our key can refund it; any leaves that to a " +
      "service that ignores source.delegate.",
  ),
  signatures_per_hour: withDefault(
    integer(1, 1_000_000),
    2_000,
    "The most signatures of one hour.",
  ),
})
