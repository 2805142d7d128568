import { smartBalanceAbi } from '@lanyard/onchain'
import { probeGas } from '@lanyard/smart-balance'
import {
  type Address,
  concat,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  size,
} from 'viem'
import { type Findings, finding } from '../finding.ts'
import type { Subject } from '../subject.ts'

/**
 * What postOp takes for an answer of the probe (a sixteenth less than its gas), and 5,000 less than that: here
 * nothing is transferred, so the token does not write two balances.
 */
const sufficientGas = probeGas - probeGas / 16n - 5_000n

const payable = encodeErrorResult({ abi: smartBalanceAbi, errorName: 'LoanPayable' })

/**
 * Whether postOp can tell if the settlement token refuses every transfer. A token that needs more gas makes
 * accounts owe failFees while it is paused.
 */
export async function checkProbe({ network }: Subject, smartBalance: Address): Promise<Findings> {
  const data = encodeFunctionData({ abi: smartBalanceAbi, functionName: 'probe', args: [0n] })
  const { data: answer = '0x' } = await network.call((client) =>
    client.call({ data: answerOf(smartBalance, data, sufficientGas) }),
  )
  if (answer === payable) return []
  return finding('TOKEN_PROBE_FAILED', {
    message:
      "The settlement token refuses a transfer from SmartBalance to itself, or the transfer costs more gas than SmartBalance's probe has. In the latter case, accounts would owe failFees whenever the token is paused.",
    expected: `an answer of probe(0) with ${sufficientGas} gas`,
    seen: answer === '0x' ? 'none' : answer,
    fix: `Look whether the token is paused or blocks SmartBalance. If it does neither, do not lend on this network: \`lanyard pause --network ${network.chainId}\`.`,
  })
}

/**
 * Creation code that makes a call with limited gas and returns the answer, whether or not it reverted. An RPC
 * reports a call that runs out of gas in many ways.
 */
const answerOf = (to: Address, data: Hex, gas: bigint): Hex => {
  const length = numberToHex(size(data), { size: 1 })
  const head = concat([
    // CODECOPY(0, 46, length): the calldata is behind the code.
    concat(['0x60', length, '0x602e5f39']),
    // CALL(gas, to, 0, 0, length, 0, 0)
    concat(['0x5f5f60', length, '0x5f5f73', to, '0x62', numberToHex(gas, { size: 3 }), '0xf150']),
    // RETURN of the answer
    '0x3d5f5f3e3d5ff3',
  ])
  return concat([head, data])
}
