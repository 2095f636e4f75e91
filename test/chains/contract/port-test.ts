import type { Ability } from "./missing-abilities.ts"
import type { Scene } from "./scene.ts"

/**
 * One test of the port, for every family. `needs` names an ability that a family may lack
 * (`missing-abilities.ts`). Then the suite skips the test with the reason, and runs a test that the
 * family itself refuses.
 */
export type PortTest = {
  readonly name: string
  readonly needs?: Ability
  readonly run: (scene: Scene) => Promise<void>
}
