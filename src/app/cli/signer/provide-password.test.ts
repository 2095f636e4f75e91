import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { providePassword } from "./provide-password.ts"

const PASSWORD = "BALLAST_KEYSTORE_PASSWORD"
const KEYSTORE = 'chains: { base: { key: "keystore:ks.json" } }'

async function ask(
  files: { yaml: string; dotEnv?: string },
  choice: { passwordStdin: boolean; terminal: boolean },
) {
  const folder = mkdtempSync(join(tmpdir(), "ballast-password-"))
  writeFileSync(join(folder, "ballast.yaml"), files.yaml)
  if (files.dotEnv !== undefined) writeFileSync(join(folder, ".env"), files.dotEnv)
  const env: NodeJS.ProcessEnv = {}
  const asked: string[] = []
  const desk = {
    terminal: choice.terminal,
    ask: async (question: string) => {
      asked.push(question)
      return "typed"
    },
  }
  await providePassword({ config: join(folder, "ballast.yaml"), sandbox: false, env }, choice, desk)
  return { asked: asked.length, password: env[PASSWORD] }
}

const terminal = { passwordStdin: false, terminal: true }

test("a terminal is asked once for the password of a keystore that the configuration names", async () => {
  expect(await ask({ yaml: KEYSTORE }, terminal)).toEqual({ asked: 1, password: "typed" })
})

test("nothing is asked when .env has the password, or only a comment names a keystore", async () => {
  const dotEnv = `${PASSWORD}=tr0ub4dor#3x`
  expect(await ask({ yaml: KEYSTORE, dotEnv }, terminal)).toEqual({
    asked: 0,
    password: "tr0ub4dor#3x",
  })
  expect(await ask({ yaml: "# keystore:ks.json" }, terminal)).toEqual({
    asked: 0,
    password: undefined,
  })
})

test("without a terminal only --password-stdin reads the password", async () => {
  const away = { passwordStdin: false, terminal: false }
  expect(await ask({ yaml: KEYSTORE }, away)).toEqual({ asked: 0, password: undefined })
  expect(await ask({ yaml: KEYSTORE }, { ...away, passwordStdin: true })).toEqual({
    asked: 1,
    password: "typed",
  })
})
