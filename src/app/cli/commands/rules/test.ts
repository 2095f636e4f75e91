import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "test",
  summary: "run the policy tests beside the configuration; needs no keys and no network",
  details:
    "Without FILES the tests are in policy.test.yaml and *.policy.test.yaml beside the " +
    "configuration. docs/POLICY-TESTS.md explains scenarios and properties.",
  operands: { files: { summary: "test files", optional: true, complete: "file", many: true } },
  options: {
    seed: {
      type: "number",
      min: 0,
      max: 2_147_483_647,
      default: 1,
      summary: "the seed of the random worlds",
    },
    worlds: {
      type: "number",
      min: 1,
      max: 100_000,
      default: 100,
      summary: "the random worlds for each property",
    },
    junit: { type: "text", value: "FILE", summary: "write the results as JUnit XML" },
    watch: { type: "flag", summary: "run the tests again after each change of a file" },
    init: {
      type: "flag",
      summary: "write policy.test.yaml with three examples for this configuration",
    },
  },
  examples: ["", "--init", "policy.test.yaml --junit policy.xml", "--watch --seed 7"],
  exitCodes: {
    0: "every test passed",
    1: "a test failed",
    78: "the configuration or a test file has mistakes, or there is no test file",
  },
  run: async (context, { operands, options }) =>
    (await import("../../actions/rules/run-policy-tests.ts")).runPolicyTests(context, {
      files: operands.files,
      ...options,
    }),
})
