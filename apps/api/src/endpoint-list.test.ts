import { expect, test } from 'vitest'
import { endpointList } from './endpoint-list.ts'

/** interface.md, part 4, line by line: method, path, names in the query. */
const published = [
  'POST /smart-account/transaction/build',
  'POST /smart-account/transaction/submit',
  'POST /smart-account/transaction/gas-fees',
  'GET /v3/smartbalance/getbalance ?walletAddress',
  'POST /v3/smartbalance/getquote',
  'POST /v3/smartbalance/computesolution',
  'GET /user ?username',
  'GET /api/user/search ?query',
  'GET /api/user/check-username ?username',
  'GET /v3/webauthn/register/generate-options ?username',
  'POST /v3/webauthn/register/verify ?username',
  'GET /webauthn/authenticate/generate-options ?username',
  'POST /webauthn/authenticate/verify ?username',
  'POST /v3/webauthn/transaction/generate-options',
  'POST /v3/webauthn/transaction/verify ?username',
]

test('behavior: every published endpoint is declared with its method, path and query', () => {
  const declared = endpointList.map(({ declaration: { method, path, query } }) => ({
    line: `${method} ${path}`,
    names: Object.keys(query?.shape ?? {}),
  }))
  for (const line of published) {
    const [method, path, query] = line.split(' ')
    const found = declared.find((one) => one.line === `${method} ${path}`)
    expect(found, line).toBeDefined()
    if (query) expect(found?.names, line).toContain(query.slice(1))
  }
})

test('behavior: no two endpoints share a path', () => {
  const paths = endpointList.map(({ declaration }) => declaration.path)
  expect(new Set(paths).size).toBe(paths.length)
})
