import { PROPERTY_FORMS } from "#policy-test/property-forms.ts"

/** The table of properties in docs/POLICY-TESTS.md, from the forms that the parser knows. */
export function describeProperties(): string {
  const rows = PROPERTY_FORMS.map(
    ({ form, example, means }) => `| \`${form}\` | \`${example}\` | ${means} |`,
  )
  return ["| property | example | means |", "|---|---|---|", ...rows].join("\n")
}

/** The text of docs/POLICY-TESTS.md with the table as the code has it now. */
export function refreshPropertyTable(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/POLICY-TESTS.md lacks the marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${describeProperties()}\n${END}${rest}`
}

const BEGIN = "<!-- properties:start -->"
const END = "<!-- properties:end -->"
