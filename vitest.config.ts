import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    reporters: ["default", "./test/support/closing-line.ts"],
    testTimeout: 10_000,
  },
})
