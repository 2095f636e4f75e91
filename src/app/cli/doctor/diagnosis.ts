/**
 * One check of `ballast doctor`: its subject, its result, and the advice to the operator (`null`
 * for none).
 */
export type Diagnosis = {
  readonly check: string
  readonly status: "ok" | "warn" | "fail"
  readonly found: string
  readonly todo: string | null
  /** The long text of a finding of `check`, for `--json`. */
  readonly explain?: string
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
