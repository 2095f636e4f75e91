import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { loadCryptoki } from "./cryptoki.ts"

test("a library that other users can change is not loaded", () => {
  const library = join(mkdtempSync(join(tmpdir(), "ballast-library-")), "token.so")
  writeFileSync(library, "")
  chmodSync(library, 0o666)
  expect(() => loadCryptoki(library)).toThrow(
    expect.objectContaining({
      code: "pkcs11.module_open",
      message: expect.stringContaining(`chmod go-w ${library}`),
    }),
  )
})
