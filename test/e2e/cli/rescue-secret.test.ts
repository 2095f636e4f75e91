import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { decodeKeystore } from "#config/secrets/keystore.ts"
import { sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { SecretDecision } from "#ports/signing-record.ts"
import { describeRescue, type Rescue } from "../../../src/app/cli/rescue/describe-rescue.ts"
import { findSecret } from "../../../src/app/cli/rescue/find-secret.ts"
import {
  openRescue,
  RESCUE_PASSWORD,
  sealRescue,
} from "../../../src/app/cli/rescue/sealed-rescue.ts"
import { runBallast } from "../../support/e2e-cli.ts"
import { sampleData } from "../../support/sample-job.ts"

const KEY = new Secret("5e".repeat(32), "env:SECRET_KEY")
const keeper = createSecretKeeper(KEY, "main")
const SERVICE = "main"
const REQUEST = { service: SERVICE, nonce: "7" }
const SECRET = keeper.derive(REQUEST).reveal()
const OWN = {
  nonce: "7",
  hash: keeper.hashOf(REQUEST),
  status: "revealed",
  revealedAt: 1,
  isTold: true,
} as const
const CONFIG = { secrets: { key: KEY }, treasury: "main" }

describe("the secret in the rescue data", () => {
  const find = (...decisions: SecretDecision[]) =>
    findSecret({ ownSecret: OWN, service: SERVICE }, decisions, CONFIG)

  test("is there once the journal has decided to tell it", () => {
    expect(find("reveal")).toEqual({ secret: SECRET, why: null })
  })

  test.each([[[]], [["withhold"]], [["reveal", "lost"]]] as [SecretDecision[]][])(
    "is not there after %j",
    (decisions) => {
      const found = find(...decisions)
      expect(found).toMatchObject({ secret: null, why: expect.stringMatching(/^not given/) })
      expect(JSON.stringify(found)).not.toContain(SECRET)
    },
  )

  test("is not there with another key, without a key, or where the service chose it", () => {
    const other = { ...CONFIG, treasury: "other" }
    const none = { ...CONFIG, secrets: { key: null } }
    for (const config of [other, none, null])
      expect(findSecret({ ownSecret: OWN, service: SERVICE }, ["reveal"], config)).toMatchObject({
        secret: null,
      })
    expect(findSecret({ ownSecret: null, service: SERVICE }, ["reveal"], CONFIG)).toMatchObject({
      secret: null,
    })
  })
})

describe("an encrypted rescue file", () => {
  const env = { [RESCUE_PASSWORD]: "a long password" }
  const file = (): string => join(mkdtempSync(join(tmpdir(), "rescue-")), "order.rescue")

  async function sealed(): Promise<{ path: string; rescue: Rescue }> {
    const rescue = await describeRescue({ state: "revealed", data: sampleData() }, NO_CONFIG, {
      secret: SECRET,
      why: null,
    })
    const path = file()
    await sealRescue({ env }, path, { rescue, watch: null })
    return { path, rescue }
  }

  test("opens with its password alone, with all amounts, and only for its owner", async () => {
    const { path, rescue } = await sealed()
    expect(await openRescue({ env }, path)).toEqual({ rescue, watch: null })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, "utf8")).not.toContain(rescue.order)
    await expect(
      openRescue({ env: { [RESCUE_PASSWORD]: "another password" } }, path),
    ).rejects.toMatchObject({
      code: "rescue.password",
    })
  })

  test.each([
    [
      "a flipped byte of the secret text",
      (text: string) => flip(text, "ciphertext"),
      "rescue.password",
    ],
    ["a flipped byte of the salt", (text: string) => flip(text, "salt"), "rescue.password"],
    ["its first half alone", (text: string) => text.slice(0, text.length / 2), "rescue.file"],
    ["nothing in it", () => "", "rescue.file"],
    ["another form of file", () => "[1]", "rescue.file"],
    [
      "a later keystore",
      (text: string) => text.replace('"ballast_keystore": 1', '"ballast_keystore": 2'),
      "rescue.version",
    ],
    [
      "a later content",
      () => sealKeystore({ kind: "rescue", text: '{"version":2}' }, env[RESCUE_PASSWORD]),
      "rescue.version",
    ],
  ])("with %s is refused by name", async (_name, change, code) => {
    const { path } = await sealed()
    writeFileSync(path, change(readFileSync(path, "utf8")))
    await expect(openRescue({ env }, path)).rejects.toMatchObject({ code, disposition: "refused" })
  })

  test("is shown by the command without journal and configuration", async () => {
    const { path, rescue } = await sealed()
    const shown = await runBallast(["rescue", "--open", path, "--json"], { env })
    expect(shown, shown.stderr).toMatchObject({ code: 0 })
    expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(plainJson(rescue)))
    const wrong = await runBallast(["rescue", "--open", path], {
      env: { [RESCUE_PASSWORD]: "another password" },
    })
    expect(wrong).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("[rescue.password]"),
    })
    expect(await runBallast(["rescue", "5f3a", "--open", path], { env })).toMatchObject({
      code: 64,
    })
  })

  test("never replaces a file, and needs a long password", async () => {
    const { path, rescue } = await sealed()
    await expect(sealRescue({ env }, path, { rescue, watch: null })).rejects.toMatchObject({
      code: "rescue.file",
    })
    const short = { [RESCUE_PASSWORD]: "short" }
    await expect(sealRescue({ env: short }, file(), { rescue, watch: null })).rejects.toMatchObject(
      {
        code: "rescue.file",
      },
    )
  })

  test("is no keystore, and a keystore is no rescue file", async () => {
    const { path } = await sealed()
    expect(() => decodeKeystore(readFileSync(path, "utf8"), "a long password")).toThrow(
      "rescue file",
    )
    const keystore = file()
    const text = sealKeystore({ kind: "key", text: "aa" }, "a long password")
    writeFileSync(keystore, text)
    await expect(openRescue({ env }, keystore)).rejects.toMatchObject({ code: "rescue.file" })
  })
})

/** Changes the first byte of a field in base64. */
function flip(text: string, field: string): string {
  // CAST: `sealRescue` wrote it.
  const sealed = JSON.parse(text) as Record<string, string>
  const bytes = Buffer.from(sealed[field] ?? "", "base64")
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  return JSON.stringify({ ...sealed, [field]: bytes.toString("base64") })
}

const NO_CONFIG = { chains: [], assets: [], routes: [], services: [] }
