import { configHash } from "#config/hash.ts"
import { openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfig } from "../open-config.ts"

/** Checks the file, the secrets and the keys, without asking anybody outside. Exit 78 with every problem when something is wrong. */
export async function checkCommand(invocation: Invocation): Promise<number> {
  const operand = invocation.operands[0]
  const { config, file } = openConfig(operand === undefined ? invocation : { ...invocation, config: operand })
  const chains = [...(await openChains(config, invocation.clock)).values()].map(({ chain, family, account }) => ({
    chain,
    family,
    account,
  }))
  const assets = config.assets.map(({ id }) => id)
  const rules = config.rules.map(({ id, kind, enabled }) => ({ id, kind, enabled }))
  const summary = {
    ok: true,
    file,
    hash: configHash(config),
    mode: config.mode,
    service: config.service.url,
    chains,
    assets,
    rules,
  }
  if (invocation.json) {
    invocation.print(plainJson(summary, 2))
    return EXIT.ok
  }
  const lines = [
    `${file} is in order (${config.mode}, hash ${summary.hash.slice(0, 12)})`,
    `service  ${config.service.url}`,
    ...chains.map(({ chain, family, account }) => `chain    ${chain} (${family}) ${account}`),
    ...assets.map((asset) => `asset    ${asset}`),
    ...rules.map(({ id, kind, enabled }) => `rule     ${id} (${kind})${enabled ? "" : " disabled"}`),
  ]
  invocation.print(lines.join("\n"))
  return EXIT.ok
}
