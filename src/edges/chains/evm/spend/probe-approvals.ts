import { type Address, concatHex, type Hex, numberToHex, size } from "viem"
import { encodeApprove } from "../htlc.ts"
import type { EvmClient } from "../nodes/endpoint.ts"

/**
 * Does an approval replace another one? Some tokens (USDT) refuse to change an allowance that is
 * not zero.
 *
 * The node runs a small program that approves twice in its own name. It is the code of a contract
 * that is never created, so every node can run it (`eth_call` without a receiver), and it needs no
 * allowance of ours.
 */
export async function canReplaceApproval(
  client: EvmClient,
  token: Address,
  spender: Address,
): Promise<boolean> {
  const { data } = await client.call({
    data: buildProbe(
      token,
      [1n, 2n].map((units) => encodeApprove(spender, units)),
      "success",
    ),
  })
  return data === concatHex([numberToHex(1n, { size: 32 }), numberToHex(1n, { size: 32 })])
}

/**
 * Calls the token with each call data, and returns one word for each: 1 for success, or the first
 * word of the answer.
 */
export function buildProbe(token: Address, calls: readonly Hex[], word: ProbeWord): Hex {
  const length = calls.reduce((sum, call) => sum + size(call), 0)
  let offset = 0
  const steps = calls.map((call, index) => {
    const place = { offset, length: size(call), resultAt: length + 32 * index }
    const step = callAndStore(token, place, word)
    offset += size(call)
    return step
  })
  const end = concatHex([push(32 * calls.length), push(length), OP.return])
  // Each `push` has a fixed length, so the length of the program is known before its own place is
  // written into it.
  const body = (codeLength: number): Hex =>
    concatHex([push(length), push(codeLength), push(0), OP.codecopy, ...steps, end])
  return concatHex([body(size(body(0))), ...calls])
}

type ProbeWord = "success" | "answer"

function callAndStore(
  token: Address,
  at: { readonly offset: number; readonly length: number; readonly resultAt: number },
  word: ProbeWord,
): Hex {
  const answer = word === "answer" ? [push(32), push(at.resultAt)] : [push(0), push(0)]
  const kept = word === "answer" ? [OP.pop] : [push(at.resultAt), OP.mstore]
  const argumentsOfCall = [...answer, push(at.length), push(at.offset), push(0)]
  return concatHex([...argumentsOfCall, OP.push20, token, OP.gas, OP.call, ...kept])
}

function push(value: number): Hex {
  return concatHex([OP.push2, numberToHex(value, { size: 2 })])
}

const OP = {
  codecopy: "0x39",
  pop: "0x50",
  mstore: "0x52",
  gas: "0x5a",
  push2: "0x61",
  push20: "0x73",
  call: "0xf1",
  return: "0xf3",
} as const
