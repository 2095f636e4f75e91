import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { type LoggedSignature, openSignatureLog } from "../../../src/edges/signer/signature-log.ts"

/* A disk of its own needs root. */
const dir = mkdtempSync(join(tmpdir(), "ballast-signer-disk-"))
const hasDisk =
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", dir]).status === 0
afterAll(() => void spawnSync("umount", ["-l", dir]))

test.skipIf(!hasDisk)(
  "the signer's record takes a thousand redemptions on a full disk, and no more deposits",
  () => {
    const signatures = openSignatureLog(join(dir, "signatures.db"))
    expect(signatures.hasSpace()).toBe(true)
    fillDisk()
    let at = 0
    while (signatures.hasSpace() && at < 20_000) signatures.add(redemption(at++))
    expect(signatures.hasSpace()).toBe(false)
    const last = at + 1_000
    while (at < last) signatures.add(redemption(at++))
    expect(signatures.find("toy", String(last - 1))).not.toBeNull()
    signatures.close()
  },
)

function redemption(at: number): LoggedSignature {
  const name = String(at)
  return {
    atMs: at,
    order: name,
    chain: toChainId("toy"),
    account: "us",
    action: "redeem",
    digest: name,
    resources: [`nonce:${name}`],
    secretHash: null,
    group: name,
    charges: new Map([["toy:coin", 1n]]),
  }
}

function fillDisk(): void {
  for (const size of [64 * 1024, 4_096])
    try {
      for (;;) appendFileSync(join(dir, "fill"), Buffer.alloc(size))
    } catch {
      // The disk is full for this size.
    }
}
