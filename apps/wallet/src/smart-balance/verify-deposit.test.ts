import { type AccountOwner, type Call, defaultVerifiers } from '@lanyard/accounts'
import { encodeAddSigner, encodeDeposit, encodeRemoveSigner, signerId } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import { verifyDeposit } from './verify-deposit.ts'

const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token = { symbol: 'USDC', decimals: 18, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const smartBalance = { address, token, unit: { symbol: 'USDC', decimals: 6 } } as const
const passkey: AccountOwner = { kind: 'passkey', x: 1n, y: 2n, verifiers: defaultVerifiers }
const expected = { smartBalance, amount: 100_000_000n, signers: [passkey] } as const
const deposit = (changed: Partial<Parameters<typeof encodeDeposit>[0]> = {}) =>
  encodeDeposit({
    token: token.token,
    smartBalance: address,
    amount: 100_000_000n,
    decimals: 18,
    ...changed,
  })
const pin = encodeAddSigner(address, signerId(passkey))

describe('verifyDeposit', () => {
  test('default', () => {
    expect(verifyDeposit(deposit(), expected)).toEqual(deposit())
    expect(verifyDeposit([...deposit(), pin], expected)).toEqual([...deposit(), pin])
  })

  test('behavior: does not pin a key that this device cannot verify', () => {
    const others = [
      encodeAddSigner(address, signerId({ ...passkey, verifiers: 1n })),
      encodeAddSigner(address, signerId({ kind: 'eoa', address: thief })),
    ]
    expect(verifyDeposit([...deposit(), ...others, pin], expected)).toEqual([...deposit(), pin])
    expect(verifyDeposit([...deposit(), ...others], expected)).toEqual(deposit())
  })

  test.each<[string, readonly Call[]]>([
    ['nothing', []],
    ['only an allowance', deposit().slice(0, 1)],
    ['another amount', deposit({ amount: 100_000_001n })],
    ['a larger allowance', deposit({ decimals: 20 })],
    ['another contract', deposit({ smartBalance: thief })],
    ['another token', deposit({ token: thief })],
    ['another order', deposit().toReversed()],
    ['an extra call', [...deposit(), { to: thief, value: 1n, data: '0x' }]],
    ['a pin at another contract', [...deposit(), { ...pin, to: thief }]],
    ['a pin with trailing bytes', [...deposit(), { ...pin, data: `${pin.data}00` }]],
    ['an unpin', [...deposit(), encodeRemoveSigner(address, signerId(passkey))]],
    ['value', deposit().map((call) => ({ ...call, value: 1n }))],
  ])('error: CALLS_DIFFER for %s', (_, calls) => {
    expect(() => verifyDeposit(calls, expected)).toThrow(expect.objectContaining({ code: 'CALLS_DIFFER' }))
  })
})
