import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { readProfiles } from "../../../bench/read-profile.ts"

const ROOT = join(import.meta.dirname, "../../..")

test("a profile names files inside the checkout and no path of the machine", () => {
  const urlOf = (file: string): string => pathToFileURL(join(ROOT, file)).href
  const frames = [
    ["encode", urlOf("src/core/order/step.ts")],
    ["", urlOf("dist/bundled/chunk-2OJC3BR3.js")],
    ["load", join(ROOT, "dist/bundled/signer-2OJC3BR3.js")],
    ["mod", urlOf("node_modules/@noble/curves/modular.js")],
    ["other", "file:///elsewhere/src/tools/other.js"],
    ["compile", "node:internal/vm"],
    ["(program)", ""],
  ] as const
  const folder = mkdtempSync(join(tmpdir(), "profile-"))
  writeFileSync(
    join(folder, "a.cpuprofile"),
    JSON.stringify({
      nodes: frames.map(([functionName, url], id) => ({
        id,
        callFrame: { functionName, url, lineNumber: 20 },
      })),
      samples: frames.map((_frame, id) => id),
      timeDeltas: frames.map((_frame, id) => 100 - id),
    }),
  )
  const { places, functions } = readProfiles(folder)
  expect(functions.map(({ name }) => name)).toEqual([
    "encode, src/core/order/step.ts",
    "code outside functions, the built program and its libraries",
    "load, the built program and its libraries",
    "mod, @noble/curves/modular.js",
    "other, code outside the checkout",
    "compile, node:internal/vm",
    "(program)",
  ])
  expect(places.map(({ name }) => name)).toEqual([
    "the built program and its libraries",
    "src/core/order",
    "signing (libsecp256k1, noble, viem)",
    "code outside the checkout",
    "loading of modules",
    "Node",
  ])
})
