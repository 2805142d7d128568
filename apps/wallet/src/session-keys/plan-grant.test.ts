import type { Call } from '@lanyard/accounts'
import type { SmartBalance } from '@lanyard/calls'
import { sessionKeysAddress, smartBalanceAddress } from '@lanyard/devnet'
import { compilePermissions, encodeGrant } from '@lanyard/session-keys'
import { describe, expect, test } from 'vitest'
import { requireKnownContract, verifyGrant } from './plan-grant.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const sessionKeys = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const thief = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

function compile(allowance = '5000000', validUntil = 2_000) {
  const compiled = compilePermissions(
    [
      { type: 'erc20-token-allowance', token, allowance, to: [thief] },
      { type: 'gas-fee-allowance', allowance: '1000000' },
    ],
    { validAfter: 1_000, validUntil },
  )
  if (!compiled.ok) throw new TypeError(JSON.stringify(compiled.problems))
  return compiled.session
}

const expected = { account, sessionKeys, key, session: compile() } as const
const grant = (changed: Partial<Parameters<typeof encodeGrant>[0]> = {}) =>
  encodeGrant({ ...expected, isOwner: false, isModule: false, ...changed })

describe('verifyGrant', () => {
  test('default', () => {
    expect(verifyGrant(grant(), expected)).toEqual(grant())
    expect(grant()).toHaveLength(3)
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
  ])('behavior: adds no owner or module that already exists (owner %s, module %s)', (isOwner, isModule) => {
    const calls = grant({ isOwner, isModule })
    expect(verifyGrant(calls, expected)).toEqual(calls)
  })

  const tail = grant().slice(0, 2)
  test.each<[string, readonly Call[]]>([
    ['nothing', []],
    ['no grant', tail],
    ['another key', grant({ key: thief })],
    ['another amount', grant({ session: compile('5000001') })],
    ['a longer time', grant({ session: compile('5000000', 2_001) })],
    ['an extra rule', grant({ session: { ...compile(), rules: [...compile().rules, ...compile().rules] } })],
    ['a paymaster', grant({ session: { ...compile(), paymaster: thief } })],
    ['another contract', grant({ sessionKeys: thief })],
    ['another account', grant({ account: thief })],
    ['another owner', [...grant({ sessionKeys: thief }).slice(0, 1), ...grant({ isOwner: true })]],
    ['an extra call', [...grant(), { to: thief, value: 1n, data: '0x' }]],
    ['value', grant().map((call) => ({ ...call, value: 1n }))],
    ['trailing bytes', grant().map((call) => ({ ...call, data: `${call.data}00` as const }))],
    ['twice', [...grant(), ...grant({ isOwner: true, isModule: true })]],
    ['another order', grant().toReversed()],
  ])('error: %s', (_, calls) => {
    expect(() => verifyGrant(calls, expected)).toThrow('something other than what you asked for')
  })
})

const settlementToken = {
  symbol: 'USDC',
  decimals: 6,
  token: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
} as const
const smartBalance: SmartBalance = {
  address: smartBalanceAddress,
  token: settlementToken,
  unit: settlementToken,
}

describe('requireKnownContract', () => {
  test('default', () => {
    requireKnownContract({ sessionKeys: sessionKeysAddress, smartBalance })
  })

  test.each([
    ['another contract', { sessionKeys: smartBalanceAddress, smartBalance }],
    ['one without combined balance protection', { sessionKeys: sessionKeysAddress, smartBalance: undefined }],
  ])('error: %s', (_, network) => {
    expect(() => requireKnownContract(network)).toThrow(
      'a session keys contract that this wallet does not know',
    )
  })
})
