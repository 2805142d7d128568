import { describe, expect, test } from 'vitest'
import { endpointList } from '../endpoint-list.ts'
import { callsOf } from './buckets.ts'

/** Which endpoints count in a stricter bucket: a new one that costs much must be put there, too. */
const stricter = {
  builds: [
    'owner.add',
    'owner.remove',
    'smartAccount.build',
    'smartAccount.gasFees',
    'smartBalance.computeSolution',
    'smartBalance.getQuote',
    'wallet.faucet',
    'webauthn.transactionOptions',
  ],
  ceremonies: [
    'login.message',
    'login.verify',
    'webauthn.authenticateOptions',
    'webauthn.authenticateVerify',
    'webauthn.credentialOptions',
    'webauthn.credentialVerify',
    'webauthn.discoverOptions',
    'webauthn.discoverVerify',
    'webauthn.registerOptions',
    'webauthn.registerVerify',
  ],
}

describe('callsOf', () => {
  test.each(endpointList)('args: $name, the same over both transports', ({ name, declaration }) => {
    const expected = {
      calls: 1,
      builds: Number(stricter.builds.includes(name)),
      ceremonies: Number(stricter.ceremonies.includes(name)),
    }
    expect(callsOf(declaration.path)).toEqual(name === 'system.health' ? undefined : expected)
    expect(callsOf(`/trpc/${name}`)).toEqual(expected)
  })

  test('behavior: every call of a batch counts, however its commas are written', () => {
    const batch = ['smartAccount.build', 'smartAccount.build', 'login.message', 'user.details']
    const expected = { calls: 4, builds: 2, ceremonies: 1 }
    expect(callsOf(`/trpc/${batch.join(',')}`)).toEqual(expected)
    expect(callsOf(`/trpc/${batch.join('%2C')}`)).toEqual(expected)
  })

  test.each(['/nothing', '/', '/trpc', '/trpc/%', '/trpc/__proto__'])('behavior: %s is a call', (path) => {
    expect(callsOf(path)).toEqual({ calls: 1, builds: 0, ceremonies: 0 })
  })
})
