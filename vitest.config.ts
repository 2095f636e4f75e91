import { defineConfig } from "vitest/config"
import { refuseLocalChains } from "./test/support/refuse-local-chains.ts"
import { SlowFirst } from "./test/support/slow-first.ts"

/** `--hookTimeout` is not taken over by a project, and an emulated processor needs minutes. */
const UNIT_TIMEOUT = "BALLAST_EMULATED" in process.env ? 600_000 : 20_000

/** A test's folder says its cost; `npm run` lists a command for each (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["./test/support/private-tmpdir.ts"],
    setupFiles: ["./test/support/fixed-seed.ts"],
    sequence: { sequencer: SlowFirst },
    // A poll waits for a fact. Its bound only ends a test that would wait for ever, so it is long
    // enough for any machine.
    expect: { poll: { timeout: 60_000 } },
    // The published client prints its steps, and the output of a passed test does not help.
    silent: "passed-only",
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      {
        extends: true,
        plugins: [refuseLocalChains()],
        test: {
          // No process, no chain: the files of a worker share their modules, because loading them
          // takes longer than most tests.
          name: "unit",
          include: ["src/**/*.test.ts", "test/unit/**/*.test.ts"],
          setupFiles: ["./test/support/guard-unit-test.ts"],
          isolate: false,
          testTimeout: UNIT_TIMEOUT,
          hookTimeout: UNIT_TIMEOUT,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // The project's own rules of sources and documents, which `npm run check` asks.
          name: "tidy",
          include: ["test/tidy/**/*.test.ts"],
          isolate: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // Properties, models, simulations and mistakes: many cases of the pure rooms and the
          // engine.
          name: "proof",
          include: ["test/proof/**/*.test.ts"],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          // One room against the real other side: local chains, PostgreSQL, the published client.
          name: "chains",
          include: ["test/chains/**/*.test.ts", "test/cases/**/*.test.ts"],
          maxWorkers: 4,
          testTimeout: 90_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          // Whole processes on real local chains. They mostly wait for blocks and polls, so that
          // three files fit on two cores.
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          // The one test of the real thing in `npm test`. It mostly waits, while the unit tests of
          // the same group compute.
          name: "smoke",
          include: ["test/smoke/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Long runs with new seeds, which no CI waits for: `npm run campaign` has their longer
          // forms.
          name: "campaign",
          include: ["test/campaign/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
