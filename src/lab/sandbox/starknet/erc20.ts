import { type Calldata, type Contract, defineContract, type Frame, splitU256 } from "./contract.ts"
import { type Abi, fieldsOf, functionOf, U128, viewOf } from "./describe-abi.ts"
import { encodeShortString, selectorOf } from "./felt.ts"
import { require } from "./revert.ts"
import { type Storage, slotOf } from "./storage.ts"

/**
 * An ERC-20 with the interface and events of OpenZeppelin's Cairo component, plus `mint`, which
 * only `minter` may call. As on mainnet it has both spellings of the entry points: `balance_of` and
 * `balanceOf`.
 */
export function defineErc20(decimals: number, minter: bigint): Contract {
  const view = { balance_of: balanceOf, transfer_from: transferFrom, total_supply: totalSupply }
  const entryPoints = {
    ...view,
    balanceOf: view.balance_of,
    transferFrom: view.transfer_from,
    totalSupply: view.total_supply,
    decimals: () => [BigInt(decimals)],
    allowance: readAllowance,
    transfer,
    approve,
    mint: (frame: Frame, input: Calldata) => mint(frame, input, minter),
  }
  return defineContract(encodeShortString("local erc20"), entryPoints, ERC20_ABI)
}

const ADDRESS = "core::starknet::contract_address::ContractAddress"
const U256 = "core::integer::u256"
const BOOL = "core::bool"

/** The functions that clients of an ERC-20 read and call. */
const ERC20_ABI: Abi = [
  {
    type: "struct",
    name: U256,
    members: fieldsOf([
      ["low", U128],
      ["high", U128],
    ]),
  },
  {
    type: "enum",
    name: BOOL,
    variants: fieldsOf([
      ["False", "()"],
      ["True", "()"],
    ]),
  },
  {
    type: "interface",
    name: "openzeppelin_token::erc20::interface::IERC20",
    items: [
      viewOf("decimals", [], "core::integer::u8"),
      viewOf("total_supply", [], U256),
      viewOf("balance_of", [["account", ADDRESS]], U256),
      viewOf("balanceOf", [["account", ADDRESS]], U256),
      viewOf(
        "allowance",
        [
          ["owner", ADDRESS],
          ["spender", ADDRESS],
        ],
        U256,
      ),
      functionOf(
        "transfer",
        [
          ["recipient", ADDRESS],
          ["amount", U256],
        ],
        BOOL,
      ),
      functionOf(
        "transfer_from",
        [
          ["sender", ADDRESS],
          ["recipient", ADDRESS],
          ["amount", U256],
        ],
        BOOL,
      ),
      functionOf(
        "approve",
        [
          ["spender", ADDRESS],
          ["amount", U256],
        ],
        BOOL,
      ),
    ],
  },
]

const UNLIMITED = 2n ** 256n - 1n

export function balanceUnits(storage: Storage, token: bigint, owner: bigint): bigint {
  return storage.read(slotOf(token, "balance", owner))
}

/** Transfers units between two balances. Throws `starknet.reverted` if the balance is too small. */
export function transferUnits(
  storage: Storage,
  token: bigint,
  from: bigint,
  to: bigint,
  units: bigint,
): void {
  const held = balanceUnits(storage, token, from)
  require(held >= units, "ERC20: insufficient balance")
  storage.write(slotOf(token, "balance", from), held - units)
  storage.write(slotOf(token, "balance", to), balanceUnits(storage, token, to) + units)
}

/** The keys and data of a `Transfer` event; sender and recipient are indexed. */
export function transferEvent(
  from: bigint,
  to: bigint,
  units: bigint,
): { keys: bigint[]; data: bigint[] } {
  return { keys: [selectorOf("Transfer"), from, to], data: splitU256(units) }
}

function balanceOf({ self, storage }: Frame, input: Calldata): bigint[] {
  const owner = input.address()
  input.end()
  return splitU256(balanceUnits(storage, self, owner))
}

function totalSupply({ self, storage }: Frame, input: Calldata): bigint[] {
  input.end()
  return splitU256(storage.read(slotOf(self, "supply")))
}

function readAllowance({ self, storage }: Frame, input: Calldata): bigint[] {
  const owner = input.address()
  const spender = input.address()
  input.end()
  return splitU256(storage.read(slotOf(self, "allowance", owner, spender)))
}

function transfer(frame: Frame, input: Calldata): bigint[] {
  const to = input.address()
  const units = input.u256()
  input.end()
  send(frame, frame.caller, to, units)
  return [1n]
}

function approve({ self, caller, storage, emit }: Frame, input: Calldata): bigint[] {
  const spender = input.address()
  const units = input.u256()
  input.end()
  require(spender !== 0n, "ERC20: approve to 0")
  storage.write(slotOf(self, "allowance", caller, spender), units)
  emit([selectorOf("Approval"), caller, spender], splitU256(units))
  return [1n]
}

function transferFrom(frame: Frame, input: Calldata): bigint[] {
  const from = input.address()
  const to = input.address()
  const units = input.u256()
  input.end()
  const slot = slotOf(frame.self, "allowance", from, frame.caller)
  const allowed = frame.storage.read(slot)
  require(allowed >= units, "ERC20: insufficient allowance")
  if (allowed !== UNLIMITED) frame.storage.write(slot, allowed - units)
  send(frame, from, to, units)
  return [1n]
}

function send({ self, storage, emit }: Frame, from: bigint, to: bigint, units: bigint): void {
  require(to !== 0n, "ERC20: transfer to 0")
  transferUnits(storage, self, from, to, units)
  const event = transferEvent(from, to, units)
  emit(event.keys, event.data)
}

function mint({ self, caller, storage, emit }: Frame, input: Calldata, minter: bigint): bigint[] {
  const to = input.address()
  const units = input.u256()
  input.end()
  require(caller === minter, "ERC20: only the faucet mints")
  storage.write(slotOf(self, "supply"), storage.read(slotOf(self, "supply")) + units)
  storage.write(slotOf(self, "balance", to), balanceUnits(storage, self, to) + units)
  const event = transferEvent(0n, to, units)
  emit(event.keys, event.data)
  return [1n]
}
