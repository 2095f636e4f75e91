/** The left menu: each group of readers with its pages, in the order in which they are read. */
export const MENU: readonly (readonly [group: string, files: readonly string[]])[] = [
  ["Begin", ["README.md", ...docs("TUTORIAL", "GO-LIVE", "INSTALL", "TRUST")]],
  [
    "Operate",
    docs(
      "RUN",
      "SECURE",
      "OBSERVE",
      "RECOVER",
      "RUNBOOK",
      "CLUSTER",
      "DESK",
      "AGENTS",
      "BOOKS",
      "POLICY-TESTS",
      "SUPPORT",
    ),
  ],
  [
    "Look up",
    [
      ...docs("COMMANDS", "CONFIG", "ERRORS", "HTTP", "GLOSSARY", "FAULTS", "LICENCES"),
      "CHANGELOG.md",
    ],
  ],
  [
    "Understand",
    [
      ...docs("THREATS", "RELIABILITY", "PERFORMANCE", "POLICY-BENCH", "ARCHITECTURE"),
      "docs/adr/README.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
    ],
  ],
]

function docs(...names: readonly string[]): readonly string[] {
  return names.map((name) => `docs/${name}.md`)
}
