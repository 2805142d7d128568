import { endpoints } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import { endpointList } from '../../platform/endpoint-list.ts'
import type { RequestContext } from '../request-context.ts'
import { accountNames, callerOf } from './caller.ts'
import { takesIdempotencyKey } from './takes-key.ts'

const tokens = { verify: async (token: string) => `user of ${token}` }
/** The code under test reads nothing else. */
const contextOf = (given: Pick<Partial<RequestContext>, 'apiKey' | 'userToken'>) =>
  ({ services: { tokens }, ...given }) as unknown as RequestContext
const key = (kind: ApiKey['kind']): ApiKey => ({ kind, name: 'shop', origins: [] })

const [one, other] = [{ walletAddress: '0x01' }, { walletAddress: '0x02' }]
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

  test.each([
    ['a publishable key', { apiKey: key('publishable') }],
    ['nothing', {}],
  ])('args: %s is a different caller for each account', async (_name, given) => {
    expect(await isSame(given)).toBe(false)
    const [first, again] = [callerOf(contextOf(given), one), callerOf(contextOf(given), { ...one, value: 1 })]
    expect(await first).toBe(await again)
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
    expect(unnamed.map(({ declaration }) => declaration)).toEqual([endpoints.webauthn.credentialRemove])
  })
})
