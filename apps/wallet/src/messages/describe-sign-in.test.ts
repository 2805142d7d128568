import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { describeSignIn } from './describe-sign-in.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const now = new Date('2026-06-01T12:00:00Z')
const request = { origin: 'https://app.example:8443', account, chainId: 31337, now } as const
const fields: SiweMessage = {
  domain: 'app.example:8443',
  address: account,
  uri: 'https://app.example:8443/login',
  version: '1',
  chainId: 31337,
  nonce: 'a1b2c3d4e5',
  statement: 'Welcome back',
  resources: ['https://app.example/terms'],
}

describe('describeSignIn', () => {
  test('default', () => {
    expect(describeSignIn(createSiweMessage(fields), request)).toEqual({
      domain: 'app.example:8443',
      statement: 'Welcome back',
      resources: ['https://app.example/terms'],
      expiresAt: undefined,
      problems: [],
    })
  })

  test.each(['Hello', '', 'app.example wants you to sign in with your Ethereum account:'])(
    'behavior: %j is not a sign-in',
    (text) => {
      expect(describeSignIn(text, request)).toBeUndefined()
    },
  )

  test.each([
    ['otherDomain', { domain: 'app.example' }],
    ['otherUri', { uri: 'https://evil.example/login' }],
    ['otherAccount', { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }],
    ['otherChain', { chainId: 1 }],
    ['expired', { expirationTime: now }],
  ] as const)('behavior: %s', (problem, changed) => {
    expect(describeSignIn(createSiweMessage({ ...fields, ...changed }), request)?.problems).toEqual([problem])
  })
})
