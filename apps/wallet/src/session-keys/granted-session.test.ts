import { compilePermissions, describePermissions } from '@lanyard/session-keys'
import { type Address, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ListedSession, toGrantedSession, warningsOf } from './granted-session.ts'

const shop = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** In the service's format, which omits zeros. */
const listed: ListedSession = {
  network: 31_337,
  keyId: zeroHash,
  state: 'active',
  validAfter: 1_000,
  validUntil: 2_000,
  maxOperations: 100,
  operationsLeft: 99,
  feePerOperation: '10000',
  allowances: [
    { token, period: 86_400, amount: '5000000', left: '3000000' },
    { period: 0, amount: '7', left: '7' },
  ],
  rules: [
    { kind: 'token', target: token, selector: '0xa9059cbb', maxValue: '0' },
    { kind: 'native', target: shop, maxValue: '7' },
  ],
  description: ['Anything at all.'],
}

describe('toGrantedSession', () => {
  test('default', () => {
    const compiled = compilePermissions(
      [
        { type: 'erc20-token-allowance', token, allowance: '5000000', period: 86_400 },
        { type: 'native-token-allowance', allowance: '7', to: [shop] },
        { type: 'gas-fee-allowance', allowance: '1000000' },
      ],
      { validAfter: 1_000, validUntil: 2_000 },
    )
    const granted = toGrantedSession(listed)
    expect({ ok: true, session: granted.session }).toEqual(compiled)
    expect(granted).toMatchObject({ operationsLeft: 99, left: [3_000_000n, 7n] })
  })

  test("behavior: ignores the service's description", () => {
    const { session } = toGrantedSession(listed)
    const native = { symbol: 'ETH', decimals: 18 }
    expect(describePermissions(session, { native }).join(' ')).not.toContain('Anything at all')
  })
})

describe('warningsOf', () => {
  const took = (amount: string, of?: typeof token) => [
    { state: 'included', success: true, spent: [{ ...(of && { token: of }), amount }] },
  ]

  test('default: warns of a limit for anyone that one operation took', () => {
    expect(warningsOf(toGrantedSession(listed), took('5000000', token))).toEqual(['emptied-at-once'])
  })

  test('behavior: a limit for named recipients is meant to be taken whole', () => {
    const allowances = listed.allowances.map((allowance) => ({ ...allowance, to: [shop] as Address[] }))
    const granted = toGrantedSession({ ...listed, allowances })
    expect(warningsOf(granted, took('7'))).toEqual([])
    expect(warningsOf(granted, took('5000000', token))).toEqual([])
  })
})
