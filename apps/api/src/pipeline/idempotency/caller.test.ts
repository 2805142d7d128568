import { endpoints } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import { idempotencyCallerOf } from '../../domain/accounts/callers/caller.ts'
import { endpointList } from '../../platform/endpoint-list.ts'
import type { RequestContext } from '../request-context.ts'
import { accountNames } from './idempotently.ts'
import { takesIdempotencyKey } from './key-format.ts'

const tokens = {
  verify: async (token: string) => ({ userId: `user of ${token}`, isReader: false }),
}
/** The code under test reads nothing else. */
const contextOf = (
  given: Pick<Partial<RequestContext>, 'apiKey' | 'userToken' | 'address'>,
  NODE_ENV = 'test',
) => ({ services: { tokens, env: { NODE_ENV } }, ...given }) as unknown as RequestContext
const key = (kind: ApiKey['kind']): ApiKey => ({ kind, name: 'shop', origins: [] })

const callWith = (input: object) => ({ input, requestHash: JSON.stringify(input) })
const [one, other] = [callWith({ walletAddress: '0x01' }), callWith({ walletAddress: '0x02' })]
const changed = callWith({ walletAddress: '0x01', value: 1 })
const callerOf = (context: RequestContext, { input, requestHash }: typeof one) =>
  idempotencyCallerOf(context, {
    isProduction: context.services.env.NODE_ENV === 'production',
    requestHash,
    account: accountNames.map((name) => (input as Record<string, unknown>)[name]), // each input names one of them
  })
const isSame = async (given: Parameters<typeof contextOf>[0]) =>
  (await callerOf(contextOf(given), one)) === (await callerOf(contextOf(given), other))

describe('callerOf', () => {
  test.each([
    ['a secret key', { apiKey: key('secret') }],
    ['a token', { userToken: 'a' }],
    ['a publishable key and a token', { apiKey: key('publishable'), userToken: 'a' }],
  ])('args: %s is one caller for all accounts', async (_name, given) => {
    expect(await isSame(given)).toBe(true)
  })

  test('args: without a key in development, a caller is one for each account', async () => {
    expect(await isSame({})).toBe(false)
    expect(await callerOf(contextOf({}), one)).toBe(await callerOf(contextOf({}), changed))
  })

  test.each([
    ['a publishable key', contextOf({ apiKey: key('publishable') })],
    ['no key in production', contextOf({}, 'production')],
  ])('args: with %s, every request is a caller of its own', async (_name, context) => {
    const callers = await Promise.all([one, other, changed].map((call) => callerOf(context, call)))
    expect(new Set(callers).size).toBe(3)
    expect(await callerOf(context, one)).toBe(callers[0])
  })

  test.each([
    ['a secret key', { apiKey: key('secret') }, 'test'],
    ['a publishable key', { apiKey: key('publishable') }, 'test'],
    ['a token', { userToken: 'a' }, 'test'],
    ['no key in production', {}, 'production'],
  ])('behavior: with %s, a caller whose address changes is the same caller', async (_name, given, mode) => {
    const from = (address: string) => callerOf(contextOf({ ...given, address }, mode), one)
    expect(await from('198.51.100.1')).toBe(await from('203.0.113.1'))
  })

  test('behavior: different kinds of callers are different callers', async () => {
    const callers = await Promise.all(
      [
        {},
        { apiKey: key('secret') },
        { apiKey: key('publishable') },
        { userToken: 'a' },
        { userToken: 'b' },
        { apiKey: key('secret'), userToken: 'a' },
      ].map((given) => callerOf(contextOf(given), one)),
    )
    expect(new Set(callers).size).toBe(callers.length)
  })

  test('behavior: every mutation that needs no token names its account', () => {
    const unnamed = endpointList.filter(({ declaration }) => {
      const members = { ...declaration.query?.shape, ...declaration.body?.shape }
      return takesIdempotencyKey(declaration) && !accountNames.some((name) => name in members)
    })
    expect(unnamed.map(({ declaration }) => declaration)).toEqual([
      endpoints.identity.unlink,
      endpoints.webauthn.credentialRemove,
    ])
  })
})
