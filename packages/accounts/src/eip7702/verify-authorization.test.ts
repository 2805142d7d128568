import { numberToHex, type SignedAuthorization } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { delegatedDeployment } from './deployment.ts'
import { verifyAuthorization } from './verify-authorization.ts'

const owner = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'43'.repeat(32)}`)
const chainId = 31337
const { delegate } = delegatedDeployment

async function codeOf(authorization: SignedAuthorization): Promise<string> {
  const result = await verifyAuthorization(authorization, { eoa: owner.address, chainId })
  return result.ok ? 'ok' : result.code
}
const unsigned = { chainId, address: delegate, nonce: 7 }
const signed = await owner.signAuthorization(unsigned)

test('default: signed by the account, for this chain and this delegate', async () => {
  expect(await codeOf(signed)).toBe('ok')
})

test.each([
  ['all chains', 'OTHER_CHAIN', { ...unsigned, chainId: 0 }],
  ['another chain', 'OTHER_CHAIN', { ...unsigned, chainId: 1 }],
  ['another delegate', 'OTHER_DELEGATE', { ...unsigned, address: other.address }],
] as const)('error: for %s', async (_, code, one) => {
  expect(await codeOf(await owner.signAuthorization(one))).toBe(code)
})

// The order of secp256k1 minus s, with the other parity, is a signature of the same key.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
test.each([
  ['another signer', await other.signAuthorization(unsigned)],
  ['another nonce than the signed one', { ...signed, nonce: 8 }],
  [
    'a malleable signature',
    { ...signed, s: numberToHex(order - BigInt(signed.s)), yParity: 1 - (signed.yParity ?? 0) },
  ],
  ['no signature', { ...signed, r: numberToHex(0n, { size: 32 }) }],
])('error: NOT_SIGNED_BY_ACCOUNT for %s', async (_, authorization) => {
  const { v: _v, ...rest } = authorization as SignedAuthorization
  expect(await codeOf(rest as SignedAuthorization)).toBe('NOT_SIGNED_BY_ACCOUNT')
})
