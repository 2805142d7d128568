import { expect, test } from 'vitest'
import { addressKey } from '../domain/accounts/callers/caller.ts'
import { addressPrefix, isLogged, requestLine } from './http-request-context.ts'

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['nonsense', 'unknown'],
])('addressPrefix: of %s it keeps %s', (address, prefix) => {
  expect(addressPrefix(addressKey(address, undefined))).toBe(prefix)
})

test.each([
  [200, '/health', 100, 0.99, true],
  [200, '/health', 10, 0.2, false],
  [200, '/livez', 100, 0, false],
  [503, '/readyz', 0, 0.99, true],
  [404, '/x', 0, 0.99, true],
  [429, '/x', 100, 0.5, false],
  [429, '/x', 0, 0.001, true],
] as const)('isLogged: %s %s with %s percent', (status, path, percent, chance, logged) => {
  expect(isLogged({ status, path }, percent, chance)).toBe(logged)
})

test('requestLine: names the key and the endpoints, and only those that exist', () => {
  const apiKey = { kind: 'publishable', name: 'shop', origins: [] } as const
  const context = { requestId: 'r', apiKey, address: '203.0.113.7' }
  const answered = { method: 'POST', status: 200, milliseconds: 3 }
  expect(requestLine(context, { ...answered, path: '/trpc/system.health,no.such' })).toEqual({
    ...{ requestId: 'r', key: 'public:shop', from: '203.0.113.0/24', endpoint: 'system.health' },
    ...{ ...answered, path: '/trpc/system.health,no.such' },
  })
  expect(
    requestLine({ ...context, apiKey: undefined }, { ...answered, path: '/x'.repeat(200) }),
  ).toMatchObject({
    path: '/x'.repeat(100),
  })
})
