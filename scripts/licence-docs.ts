import { listLockedPackages } from "./locked-packages.ts"

/** docs/LICENCES.md. */
export function describeLicences(): string {
  const byLicence = Map.groupBy(listLockedPackages(), ({ licence }) => licence)
  const rows = [...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([licence, packages]) =>
        `| ${licence} | ${packages.length} | ` +
        `${packages.map(({ name, version }) => `${name} ${version}`).join(", ")} |`,
    )
  return [
    "# Licences",
    "Ballast is under the [MIT licence](../LICENSE). These are the packages that `npm ci " +
      "--omit=dev` installs, from the lockfile. `npm run generate`",
    "writes this file, and `npm run sbom` prints the same packages with their hashes as a " +
      "CycloneDX list for a release.",
    "",
    "| licence | number | packages |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n")
}
