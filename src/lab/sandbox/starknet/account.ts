import { ec } from "starknet"
import {
  type Calldata,
  type Contract,
  defineContract,
  type Frame,
  readCalldata,
} from "./contract.ts"
import { type Abi, FELT_ARRAY, fieldsOf, functionOf, viewOf } from "./describe-abi.ts"
import { encodeShortString, formatAddress, formatFelt } from "./felt.ts"
import { type Storage, slotOf } from "./storage.ts"

/** The class hash of OpenZeppelin's account preset 0.17. The addresses of accounts depend on it. */
export const ACCOUNT_CLASS = 0x540d7f5ec7ecf317e68d48564934cb99259781b1ee3cedbbc37ec5337f8e688n

/**
 * An account like OpenZeppelin's preset: one Stark key, SRC-6 `is_valid_signature`, multicall
 * `__execute__`.
 */
export function defineAccount(): Contract {
  const entryPoints = {
    __execute__: execute,
    is_valid_signature: isValidSignature,
    isValidSignature,
    get_public_key: ({ self, storage }: Frame) => [storage.read(publicKeySlot(self))],
  }
  return defineContract(ACCOUNT_CLASS, entryPoints, ACCOUNT_ABI)
}

const FELT = "core::felt252"

/** SRC-6, and the public key. */
const ACCOUNT_ABI: Abi = [
  {
    type: "struct",
    name: "core::starknet::account::Call",
    members: fieldsOf([
      ["to", "core::starknet::contract_address::ContractAddress"],
      ["selector", FELT],
      ["calldata", "core::array::Span::<core::felt252>"],
    ]),
  },
  {
    type: "interface",
    name: "openzeppelin_account::interface::ISRC6",
    items: [
      functionOf(
        "__execute__",
        [["calls", "core::array::Array::<core::starknet::account::Call>"]],
        "core::array::Array::<core::array::Span::<core::felt252>>",
      ),
      viewOf(
        "is_valid_signature",
        [
          ["hash", FELT],
          ["signature", FELT_ARRAY],
        ],
        FELT,
      ),
      viewOf("get_public_key", [], FELT),
    ],
  },
]

export function publicKeySlot(account: bigint): string {
  return slotOf(account, "public_key")
}

/**
 * Verifies a Stark signature `[r, s]` over `hash` with the account's key. It returns false for
 * malformed signatures and never throws.
 */
export function isSignedBy(
  storage: Storage,
  account: bigint,
  hash: bigint,
  signature: readonly bigint[],
): boolean {
  const [r, s] = signature
  const publicKey = storage.read(publicKeySlot(account))
  if (signature.length !== 2 || r === undefined || s === undefined || publicKey === 0n) return false
  // The account stores only the x coordinate, so both points with this x are valid keys.
  return ["02", "03"].some((parity) =>
    verifies(r, s, hash, `${parity}${formatAddress(publicKey).slice(2)}`),
  )
}

function verifies(r: bigint, s: bigint, hash: bigint, compressedKey: string): boolean {
  try {
    return ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), formatFelt(hash), compressedKey)
  } catch {
    // The library throws for values outside the ranges of the curve; such a signature is invalid.
    return false
  }
}

function isValidSignature({ self, storage }: Frame, input: Calldata): bigint[] {
  const hash = input.felt()
  const signature = input.array()
  input.end()
  return [isSignedBy(storage, self, hash, signature) ? encodeShortString("VALID") : 0n]
}

/**
 * `__execute__(calls: Array<Call>)`, each call `{to, selector, calldata: Array<felt252>}`. The
 * array can be empty.
 */
function execute(frame: Frame, input: Calldata): bigint[] {
  const results: bigint[] = []
  const count = Number(input.u32())
  for (let index = 0; index < count; index++) {
    const to = input.address()
    const selector = input.felt()
    const calldata = input.array()
    const returned = frame.call(to, selector, calldata)
    results.push(BigInt(returned.length), ...returned)
  }
  input.end()
  return [BigInt(count), ...results]
}

/** The number of calls in a multicall, for the gas estimate. */
export function countCalls(calldata: readonly bigint[]): number {
  return Number(readCalldata(calldata).felt())
}
