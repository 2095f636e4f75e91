import { defineConfig } from "vitest/config"

/** Whole processes on real local chains come after everything else, so that a slow machine is not asked for both at once. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["./test/support/private-tmpdir.ts"],
    // The published client prints its steps, and the output of a passed test helps nobody.
    silent: "passed-only",
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/interop/**"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          // They mostly wait for blocks and polls, so that three files fit on two cores.
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // The published client of live deployments against the sandbox, and its formats against ours.
          name: "interop",
          include: ["test/interop/**/*.test.ts"],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
