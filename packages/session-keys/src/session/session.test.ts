import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { decodeSessionState, type SessionStateOnChain } from './session.ts'

const target: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const rule = { target, selector: '0x12345678', counterparty: zeroAddress, maxValue: 5n } as const
const session = {
  validAfter: 1,
  validUntil: 2,
  maxOperations: 3,
  feePerOperation: 4n,
  paymaster: zeroAddress,
  allowances: [{ token: target, amount: 6n, period: 7 }],
} as const
const state = { id: `0x${'1d'.repeat(32)}`, nonceKey: 8n, operationsLeft: 9, left: [10n] } as const

const withKinds = (...kinds: number[]): SessionStateOnChain => ({
  ...state,
  session: { ...session, rules: kinds.map((kind) => ({ kind, ...rule })) },
})

test('default', () => {
  expect(decodeSessionState(withKinds(0, 1, 2))).toEqual({
    ...state,
    session: {
      ...session,
      rules: [
        { kind: 'native', ...rule },
        { kind: 'call', ...rule },
        { kind: 'token', ...rule },
      ],
    },
  })
})

test('error: MALFORMED', () => {
  expect(() => decodeSessionState(withKinds(0, 3))).toThrow(expect.objectContaining({ code: 'MALFORMED' }))
})
