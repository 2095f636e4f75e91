import type { Ability } from "./not-so.ts"
import type { Scene } from "./scene.ts"

/**
 * One test of the port, for every family. `needs` names what a family may lack (`not-so.ts`): then the test is skipped with the
 * reason, and the test that the family says so itself runs instead.
 */
export type PortTest = {
  readonly name: string
  readonly needs?: Ability
  readonly run: (scene: Scene) => Promise<void>
}
