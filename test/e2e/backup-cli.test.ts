import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openJournal } from "#journal/sqlite-journal.ts"
import { runBallast } from "../support/e2e-cli.ts"

test("ballast backup copies the journal of a directory in use, and reports a missing journal", async () => {
  const dir = mkdtempSync(join(tmpdir(), "backup-cli-"))
  const config = join(dir, "ballast.yaml")
  const text = {
    service: { url: "http://127.0.0.1:1", app_id: "x" },
    data_dir: join(dir, "data"),
    chains: {},
    assets: {},
    rules: [],
  }
  writeFileSync(config, JSON.stringify(text))
  const to = join(dir, "copy.db")
  const early = await runBallast(["backup", "--config", config, "--to", to])
  expect(early.code).toBe(1)
  expect(early.stderr).toContain("[journal.missing]")
  const journal = openJournal(join(dir, "data", "journal.db"))
  journal.writeFlag("pause", "for a test")
  const made = await runBallast(["backup", "--config", config, "--to", to, "--json"])
  journal.close()
  const unmounted = await runBallast([
    "backup",
    "--config",
    config,
    "--to",
    join(dir, "mnt", "copy.db"),
  ])
  expect(unmounted).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[journal.backup_folder]"),
  })
  expect(existsSync(join(dir, "mnt"))).toBe(false)
  expect(made).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(made.stdout)).toMatchObject({ file: to, orders: 0, events: 0 })
  const copy = openJournal(to)
  expect(copy.readFlag("pause")).toBe("for a test")
  copy.close()
  const again = await runBallast(["backup", "--config", config, "--to", to])
  expect(again.stderr).toContain("[journal.backup_exists]")
})
