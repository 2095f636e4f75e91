/** One check of `ballast doctor`: what was looked at, what was found, and what to do about it (`null` where nothing is to be done). */
export type Diagnosis = {
  readonly check: string
  readonly status: "ok" | "warn" | "fail"
  readonly found: string
  readonly todo: string | null
}

export function healthy(check: string, found: string): Diagnosis {
  return { check, status: "ok", found, todo: null }
}

export function doubtful(check: string, found: string, todo: string): Diagnosis {
  return { check, status: "warn", found, todo }
}

export function broken(check: string, found: string, todo: string): Diagnosis {
  return { check, status: "fail", found, todo }
}
