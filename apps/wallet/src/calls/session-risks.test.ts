import { compilePermissions, type Permission } from '@lanyard/session-keys'
import { describe, expect, test } from 'vitest'
import { findSessionRisks } from './session-risks.ts'

const shop = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const currencies = [
  { symbol: 'ETH', decimals: 18 },
  { symbol: 'USDC', decimals: 6, token },
] as const
const day = 86_400

function risksOf(permission: Permission, duration = day) {
  const compiled = compilePermissions([permission, { type: 'gas-fee-allowance', allowance: '100000' }], {
    validAfter: 1_000,
    validUntil: 1_000 + duration,
  })
  if (!compiled.ok) throw new TypeError(JSON.stringify(compiled.problems))
  return findSessionRisks(compiled.session, currencies).map(({ kind, level }) => `${level} ${kind}`)
}

describe('findSessionRisks', () => {
  const allowance = { type: 'erc20-token-allowance', token, allowance: '5' } as const

  test('default: no risk for named recipients, a known token and a day', () => {
    expect(risksOf({ ...allowance, to: [shop] })).toEqual([])
  })

  test('behavior: reports payments to anyone', () => {
    expect(risksOf(allowance)).toEqual(['note session-to-anyone'])
    expect(risksOf({ type: 'native-token-allowance', allowance: '5' })).toEqual(['note session-to-anyone'])
  })

  test('behavior: reports unknown tokens', () => {
    expect(risksOf({ ...allowance, token: shop, to: [token] })).toEqual(['note session-unknown-token'])
  })

  test("behavior: reports calls that are not counted, and calls that move the account's tokens", () => {
    const call = { type: 'contract-call', target: shop } as const
    expect(risksOf({ ...call, functions: ['play(uint256)'] })).toEqual(['note session-uncounted'])
    for (const name of [
      'transfer(address,uint256)',
      '0xa9059cbb',
      'safeTransferFrom(address,address,uint256)',
    ])
      expect(risksOf({ ...call, functions: [name] })).toEqual(['high session-moves-tokens'])
  })

  test('behavior: reports a session longer than a month', () => {
    expect(risksOf({ ...allowance, to: [shop] }, 32 * day)).toEqual(['note session-long'])
  })
})
