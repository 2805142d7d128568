import { type Call, encodeAddOwner, encodeRemoveOwner } from '@lanyard/accounts'
import { safeAbi } from '@lanyard/onchain'
import { encodeRevoke, sessionKeyId } from '@lanyard/session-keys'
import { encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { verifyRevocation } from './verify-revocation.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const sessionKeys = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const expected = { account, sessionKeys, keyId: sessionKeyId(key) } as const

const alone = encodeRevoke({ account, sessionKeys, key })
const whole = (parameters: Partial<Parameters<typeof encodeRevoke>[0]> = {}) =>
  encodeRevoke({
    account,
    sessionKeys,
    key,
    remove: { owners: [sessionKeys, other], modules: [other, sessionKeys] },
    ...parameters,
  })

describe('verifyRevocation', () => {
  test('default', () => {
    expect(verifyRevocation(alone, expected)).toEqual({ revoke: alone[0], removal: [] })
  })

  test("behavior: accepts the contract's removal with the last session", () => {
    expect(verifyRevocation(whole(), expected)).toEqual({ revoke: alone[0], removal: whole().slice(1) })
    expect(whole()).toHaveLength(3)
  })

  const step = (data: Call['data']): Call => ({ to: account, value: 0n, data })
  const raised = encodeFunctionData({
    abi: safeAbi,
    functionName: 'removeOwner',
    args: [other, sessionKeys, 2n],
  })
  const otherModule = encodeFunctionData({
    abi: safeAbi,
    functionName: 'disableModule',
    args: [sessionKeys, other],
  })
  const removeHuman = encodeRemoveOwner({ account, owner: other, owners: [sessionKeys, other] })
  test.each<[string, readonly Call[]]>([
    ['nothing', []],
    ['no revocation', whole().slice(1)],
    ['the session of another key', whole({ key: other })],
    ['another contract', whole({ sessionKeys: other })],
    ['another account', whole({ account: other })],
    ['the removal of an owner', [...alone, removeHuman]],
    ['a higher threshold', [...alone, step(raised)]],
    ['the removal of another module', [...alone, step(otherModule)]],
    ['a new owner', [...alone, encodeAddOwner({ account, owner: other })]],
    ['a duplicate step', [...whole(), ...whole().slice(1, 2)]],
    ['a payment', [...alone, { to: other, value: 1n, data: '0x' }]],
    [
      'value with the removal',
      [
        ...alone,
        ...whole()
          .slice(1)
          .map((call) => ({ ...call, value: 1n })),
      ],
    ],
    ['value', whole().map((call) => ({ ...call, value: 1n }))],
  ])('error: %s', (_, calls) => {
    expect(() => verifyRevocation(calls, expected)).toThrow('something other than what you asked for')
  })
})
