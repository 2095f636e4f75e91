import { expect, test } from "vitest"
import { openConfigForReading } from "./open-config.ts"

test("the line about the treasury says which keys are play keys", () => {
  const told: string[] = []
  const tell = (line: string): void => void told.push(line)
  openConfigForReading({ config: null, sandbox: true, env: {}, tell })
  expect(told).toEqual([
    expect.stringMatching(/^Treasury .* · .*sandbox\.yaml · PLAY KEYS, never fund$/),
  ])
})
