import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take a minute or more. Begun last, one of them would keep a processor waiting for the
 * others' end.
 */
const SLOW: readonly string[] = [
  "smoke/smoke.test.ts",
  "release/artefacts.test.ts",
  "contract/chain-port.test.ts",
  "cluster/servers.test.ts",
  "interop/gas-swaps.test.ts",
  "interop/gasless-swaps.test.ts",
  "sandbox/solana/start-validator.test.ts",
  "sandbox/starknet/htlc-cairo.test.ts",
  "solana/agreement.test.ts",
  "adversary/adversary.test.ts",
  "property/mutants.test.ts",
  "e2e/refund.test.ts",
  "e2e/crash.test.ts",
  "e2e/own-secret-crash.test.ts",
  "e2e/planted-order-faults.test.ts",
  "e2e/dashboard.test.ts",
  "e2e/watchtower.test.ts",
  "e2e/recover.test.ts",
  "e2e/tutorial.test.ts",
  "e2e/cctp.test.ts",
  "e2e/cluster.test.ts",
]

/**
 * Begins the slow files of each project first, in a fresh clone too, where no earlier run has
 * measured them.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOW.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? SLOW.length : at
    }
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b))
  }
}
