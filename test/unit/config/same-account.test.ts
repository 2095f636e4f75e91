import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { loadConfig } from "#config/load.ts"
import { compose } from "#daemon/compose.ts"
import { createReloader } from "#daemon/start/reload.ts"
import { silentLogger } from "#lib/log.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { ENV, FAMILIES, writeWallets } from "./wallet-of-families.ts"

// A watched wallet that is also a hot one: the other doors of `config.same_account`.

/** No server answers here, so each pause before another attempt may end at once. */
const clock = createHastyClock(60_000)
const FOLDER = mkdtempSync(join(tmpdir(), "same-account-"))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const write = (watched: ReadonlyMap<string, string>): string => writeWallets(FOLDER, watched)

test("a reload takes a watched wallet, and refuses it where it is the hot one", async () => {
  const file = write(new Map())
  const started = loadConfig(file, ENV)
  const live = await compose(started.config, { clock, log: silentLogger })
  const { reload } = createReloader(live, started, {
    source: () => loadConfig(file, ENV),
    onRead: () => undefined,
    onChange: async () => undefined,
  })
  const { settings } = live.context
  for (const [chain, , own] of FAMILIES) {
    write(new Map([[chain, own]]))
    const names = `vault_${chain} and ${chain} are one wallet`
    const message = expect.stringMatching(`^${names}.*\\(config.same_account\\)`)
    expect(await reload()).toMatchObject({ reasons: [{ code: "config.unsafe", message }] })
  }
  expect(live.context.settings).toBe(settings)
  const all = FAMILIES.map(([chain, , , another]) => [chain, another] as const)
  write(new Map(all))
  expect(await reload()).toMatchObject({ ok: true })
  expect(live.context.chains.size).toBe(8)
  live.context.journal.close()
})
