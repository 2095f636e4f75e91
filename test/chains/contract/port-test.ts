import type { Ability } from "./missing-abilities.ts"
import type { Scene } from "./scene.ts"

type Run = (scene: Scene) => Promise<void>

/**
 * One test of the port, for every family. `needs` names an ability that a family may lack
 * (`missing-abilities.ts`). Then the suite skips the test with the reason, and runs a test that the
 * family itself refuses.
 */
export type PortTest = { readonly name: string; readonly needs?: Ability; readonly run: Run }

type NamedTests = Readonly<Record<string, Run | Omit<PortTest, "name">>>

export function portTests(tests: NamedTests): readonly PortTest[] {
  return Object.entries(tests).map(([name, test]) =>
    typeof test === "function" ? { name, run: test } : { name, ...test },
  )
}

export function needing(needs: Ability, run: Run): Omit<PortTest, "name"> {
  return { needs, run }
}
