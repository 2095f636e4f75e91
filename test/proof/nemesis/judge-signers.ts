import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

type Signature = {
  readonly order: string
  readonly chain: string
  readonly account: string
  readonly action: string
  readonly digest: string
  readonly resources: readonly string[]
  readonly secretHash: string | null
}

/**
 * Reads the records of all signers. Two deposits for one order must exclude each other on their
 * chain: they are the same bytes, or they use the same nonce or input. Returns a sentence for each
 * pair that does not.
 */
export function judgeSigners(files: readonly string[]): {
  readonly signatures: number
  readonly violations: readonly string[]
} {
  const all = files.filter(existsSync).flatMap(readSignatures)
  const deposits = new Map<string, Signature[]>()
  for (const signature of all.filter(({ secretHash }) => secretHash !== null))
    deposits.set(signature.order, [...(deposits.get(signature.order) ?? []), signature])
  const violations = [...deposits].flatMap(([order, signatures]) =>
    signatures.flatMap((one, index) =>
      signatures
        .slice(index + 1)
        .filter((other) => !excludeEachOther(one, other))
        .map(
          (other) =>
            `order ${order} has two deposits that could both land: ${show(one)} and ${show(other)}`,
        ),
    ),
  )
  return { signatures: all.length, violations }
}

function excludeEachOther(one: Signature, other: Signature): boolean {
  if (one.digest === other.digest) return true
  const isSamePlace = one.chain === other.chain && one.account === other.account
  return isSamePlace && one.resources.some((name) => other.resources.includes(name))
}

function show({ action, digest, resources }: Signature): string {
  return `${action} ${digest.slice(0, 12)} with ${resources.join(", ")}`
}

function readSignatures(file: string): Signature[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = db
      .prepare(
        "select order_id, chain, account, action, digest, resources, secret_hash from signatures",
      )
      .all()
    return rows.map((row) => ({
      order: String(row["order_id"]),
      chain: String(row["chain"]),
      account: String(row["account"]),
      action: String(row["action"]),
      digest: String(row["digest"]),
      // CAST: the signer writes a list of names.
      resources: JSON.parse(String(row["resources"])) as string[],
      secretHash: row["secret_hash"] === null ? null : String(row["secret_hash"]),
    }))
  } finally {
    db.close()
  }
}
