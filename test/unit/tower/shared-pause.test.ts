import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { familyOf } from "#chains/families.ts"
import { openGuardedOrder } from "#cli/rescue/open-guarded-order.ts"
import { loadTower } from "#config/tower.ts"
import { chainOf } from "#domain/asset.ts"
import { destinationQuery } from "#engine/orders/leg-queries.ts"
import { systemClock } from "#lib/clock.ts"
import { createPacesOf } from "#nodes/paces.ts"
import { encodeOrder } from "#order/step.ts"
import { sampleData } from "../../support/sample-job.ts"
import { SLOWNESS } from "../../support/slowness.ts"
import { serve } from "../nodes/askers.ts"

/* A tower guards a folder of orders with one node for each chain. */

test("the orders of a tower share the pause of a node that limits its requests", async () => {
  const node = await serve(() => ({ status: 429, headers: { "retry-after": "120" }, body: "" }))
  onTestFinished(node.stop)
  const sample = sampleData()
  const sourceOwner = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
  const data = { ...sample, request: { ...sample.request, sourceOwner } }
  const { from, to } = data.request
  const tower = openTower(node.url, [chainOf(from), chainOf(to)])
  const pacesOf = createPacesOf(systemClock)
  const memory = { hasSent: () => false, noteSent: () => undefined }
  const identities = Object.fromEntries(
    tower.chains.map((chain) => [chain.chain, familyOf(chain).identityOf(chain)]),
  )
  const assets = [from, to].map((id) => ({
    id,
    chain: chainOf(id),
    decimals: 8,
    token: null,
    htlc: [],
  }))
  const watch = {
    order: encodeOrder({ state: "completed", data }),
    secret: null,
    assets,
    identities,
    redemptions: [],
  }
  const open = () => openGuardedOrder(watch, tower, { clock: systemClock, memory, pacesOf })
  const orders = await Promise.all([open(), open()])
  for (const { data: guarded, destination } of orders) {
    const { port } = destination
    const asked = port.observeLeg(destinationQuery(guarded, port.traits)).catch(() => null)
    // Only an answer tells of the pause.
    await expect.poll(() => node.seen.length).toBe(1)
    await Promise.race([asked, systemClock.sleep(200 * SLOWNESS)])
  }
  expect(node.seen).toHaveLength(1)
})

function openTower(url: string, [source, destination]: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), "ballast-tower-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, "tower.yaml")
  const chains = {
    [`${source}`]: { rpc: [url], key: "env:TOWER_KEY" },
    [`${destination}`]: { esplora: [url] },
  }
  writeFileSync(file, JSON.stringify({ chains }))
  return loadTower(file, { TOWER_KEY: "11".repeat(32) })
}
