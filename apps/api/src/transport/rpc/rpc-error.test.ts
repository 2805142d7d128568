import { type ErrorCode, errorTable, LanyardError } from '@lanyard/contracts'
import { expect, test } from 'vitest'
import { toRpcError } from './rpc-error.ts'

const codes: Partial<Record<ErrorCode, number>> = {
  INVALID_INPUT: -32602,
  UNKNOWN_NETWORK: -32602,
  UNKNOWN_WALLET: -32602,
  UNSUPPORTED_SIGNATURE_TYPE: -32602,
  FEE_TOO_LOW: -32602,
  OPERATION_IN_FLIGHT: -32602,
  TOO_MANY_BUILDS: -32005,
  OPERATION_REFUSED: -32500,
  INSUFFICIENT_FUNDS: -32500,
  REBUILD: -32500,
  PAYMASTER_REFUSED: -32501,
  SPONSORSHIP_SUSPENDED: -32501,
  GAS_OWED: -32504,
  INVALID_SIGNATURE: -32507,
  SIGNATURE_OVER_TEXT: -32507,
  SIGNATURE_COMPACT: -32507,
  SIGNATURE_MALLEABLE: -32507,
  VERIFICATION_FAILED: -32507,
  EXECUTION_REVERTED: -32521,
  UNAUTHORIZED: 4100,
  FORBIDDEN: 4100,
}

test.each(Object.keys(errorTable) as ErrorCode[])('default: %s', (code) => {
  expect(toRpcError(new LanyardError(code))).toMatchObject({ code: codes[code] ?? -32603, data: { code } })
})

test('behavior: a validity error of the entry point is -32503 for any code of the service', () => {
  const error = new LanyardError('REBUILD', { details: { entryPointCode: 'AA22', validUntil: '0x1' } })
  expect(toRpcError(error)).toMatchObject({
    code: -32503,
    message: expect.stringMatching(/^AA22: /),
    data: { code: 'REBUILD', validUntil: '0x1' },
  })
})

test("behavior: the message starts with the entry point's message", () => {
  const of = (entryPointCode: string, reason?: string) =>
    toRpcError(new LanyardError('INSUFFICIENT_FUNDS', { details: { entryPointCode, reason } })).message
  expect(of('AA21')).toMatch(/^AA21 didn't pay prefund: /)
  expect(of('AA23', 'AA23 reverted')).toMatch(/^AA23 reverted: /)
  expect(of('AA23', 'other')).toMatch(/^AA23: /)
})
