import type { Names, Property, PropertyForm } from "../property.ts"

/** A form from its pattern with named groups. `build` may throw a `WordProblem`. */
export function defineForm(form: {
  readonly form: string
  readonly example: string
  readonly means: string
  readonly pattern: string
  readonly build: (word: (name: string) => string, names: Names) => Omit<Property, "text">
}): PropertyForm {
  const pattern = new RegExp(`^${form.pattern}$`)
  return {
    form: form.form,
    example: form.example,
    means: form.means,
    parse: (line, names) => {
      const groups = pattern.exec(line)?.groups
      if (groups === undefined) return null
      return { ok: true, property: form.build((name) => groups[name] ?? "", names) }
    },
  }
}
