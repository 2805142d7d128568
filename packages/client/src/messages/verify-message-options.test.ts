import {
  type AccountMessage,
  computeAccountAddress,
  defaultVerifiers,
  getSafeMessageHash,
  hashAccountMessage,
} from '@lanyard/accounts'
import { hashMessage, hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { verifyMessageOptions } from './verify-message-options.ts'

/** The base point of P-256 (SEC 2 v2.0 §2.4.2), a key that is on the curve. */
const owner = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
} as const
const account = computeAccountAddress(owner)
const thirdParty = { kind: 'eoa', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' } as const
const typedData = {
  domain: { name: 'Shop', chainId: '31337' },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: '12' },
}
const messages: readonly AccountMessage[] = [{ message: 'Hello' }, { rawMessage: '0xcafe' }, { typedData }]

/** The options that an honest service returns. */
function optionsFor(request: AccountMessage, context = { chainId: 31337, account }) {
  const hash = getSafeMessageHash(hashAccountMessage(request), context)
  return { challenge: Buffer.from(hexToBytes(hash)).toString('base64url') }
}

describe('verifyMessageOptions', () => {
  test.each(messages)('default: %o', (request) => {
    const options = optionsFor(request)
    const verified = verifyMessageOptions({ options, request, owner, network: '31337' })
    expect(verified).toMatchObject({ account, messageHash: hashAccountMessage(request) })
    expect(hexToBytes(verified.hash)).toEqual(new Uint8Array(Buffer.from(options.challenge, 'base64url')))
  })

  test.each(['31337', 31337, 'eip155:31337'])('args: network %s, and an address as the owner', (network) => {
    const [request = { message: '' }] = messages
    const parameters = { options: optionsFor(request), request, network }
    const known = { kind: 'account', address: account } as const
    expect(verifyMessageOptions({ ...parameters, owner: known }).account).toBe(account)
  })

  const request = { message: 'Hello' }
  test.each([
    ['for another message', optionsFor({ message: 'hello' })],
    ['for another chain', optionsFor(request, { chainId: 31338, account })],
    [
      'for another account',
      optionsFor(request, { chainId: 31337, account: computeAccountAddress(thirdParty) }),
    ],
    [
      'the plain hash of the message',
      { challenge: Buffer.from(hexToBytes(hashMessage('Hello'))).toString('base64url') },
    ],
    ['too short', { challenge: optionsFor(request).challenge.slice(1) }],
    ['not base64url', { challenge: `${optionsFor(request).challenge.slice(1)}=` }],
  ])('error: a challenge that is %s', (_, options) => {
    expect(() => verifyMessageOptions({ options, request, owner, network: '31337' })).toThrow(
      expect.objectContaining({ name: 'BuildVerificationError', field: 'challenge' }),
    )
  })
})
