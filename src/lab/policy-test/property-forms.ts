import { balanceForms } from "./forms/balance-forms.ts"
import { orderForms } from "./forms/order-forms.ts"
import { spendingForms } from "./forms/spending-forms.ts"
import { timeForms } from "./forms/time-forms.ts"
import type { Names, Property, PropertyForm } from "./property.ts"
import { WordProblem } from "./read-words.ts"

/** Every form of a property, in the order of the documentation. */
export const PROPERTY_FORMS: readonly PropertyForm[] = [
  ...balanceForms,
  ...orderForms,
  ...spendingForms,
  ...timeForms,
]

/** The property that a line states, or the problem of the line. */
export function parseProperty(line: string, names: Names): Property | { readonly problem: string } {
  const text = line.trim().replace(/\s+/g, " ")
  for (const form of PROPERTY_FORMS) {
    try {
      const parsed = form.parse(text, names)
      if (parsed?.ok) return { text, ...parsed.property }
      if (parsed !== null) return { problem: parsed.problem }
    } catch (error) {
      if (error instanceof WordProblem) return { problem: error.message }
      throw error
    }
  }
  const known = PROPERTY_FORMS.map(({ example }) => `"${example}"`).join(", ")
  return { problem: `this is not a property that the test knows; expected a line such as ${known}` }
}
