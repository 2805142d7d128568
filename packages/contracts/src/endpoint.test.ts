import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withKey } from './access.ts'
import { type EndpointDeclaration, endpoint } from './endpoint.ts'
import { endpoints, errorCodes, errorTable, statusOf } from './index.ts'

const declarations: EndpointDeclaration[] = Object.values(endpoints).flatMap((noun) => Object.values(noun))

test('error: an endpoint without rate bucket or access, or a mutation without idempotency, does not compile', () => {
  const facts = { path: '/new', tag: 'Service', summary: 'New', output: z.object({}) } as const
  const query = { ...facts, method: 'GET', bucket: 'calls', access: withKey } as const
  const { bucket: _bucket, ...unbounded } = query
  // @ts-expect-error it has no rate bucket
  endpoint(unbounded)
  // @ts-expect-error there is no such bucket
  endpoint({ ...query, bucket: 'none' })
  const { access: _access, ...open } = query
  // @ts-expect-error it does not declare who may call it
  endpoint(open)
  // @ts-expect-error a mutation declares whether it takes a key
  endpoint({ ...query, method: 'POST' })
  expect(endpoint(query)).toBe(query)
  expect(endpoint({ ...query, method: 'POST', idempotency: 'keyed' }).idempotency).toBe('keyed')
})

test('behavior: has exactly the paths and methods of the interface', () => {
  const routes = declarations.map(({ method, path }) => `${method} ${path}`)
  expect(routes.toSorted()).toEqual(
    [
      'POST /smart-account/transaction/build',
      'POST /smart-account/transaction/submit',
      'POST /smart-account/transaction/gas-fees',
      'GET /v3/smartbalance/getbalance',
      'POST /v3/smartbalance/getquote',
      'POST /v3/smartbalance/computesolution',
      'GET /user',
      'GET /api/user/search',
      'GET /api/user/check-username',
      'GET /v3/webauthn/register/generate-options',
      'POST /v3/webauthn/register/verify',
      'GET /webauthn/authenticate/generate-options',
      'POST /webauthn/authenticate/verify',
      'POST /v3/webauthn/transaction/generate-options',
      'POST /v3/webauthn/transaction/verify',
      // Areas that the interface mentions without defining them.
      'GET /health',
      'GET /networks',
      'GET /brand',
      'GET /prices',
      'GET /gas/tokens',
      'POST /smart-account/create',
      'POST /smart-account/import',
      'GET /smart-account/transaction/status',
      'POST /smart-account/transaction/sponsorship',
      'POST /smart-account/transaction/simulate',
      // Additional endpoints for the web wallet.
      'GET /wallet/balances',
      'GET /wallet/activity',
      'GET /wallet/transfers',
      'GET /wallet/ledger',
      'POST /wallet/faucet',
      // Requests from pages of other origins.
      'GET /connect/calls-status',
      // Further passkeys, owners and recovery.
      'GET /v3/webauthn/credential/generate-options',
      'POST /v3/webauthn/credential/verify',
      'POST /v3/webauthn/credential/remove',
      'GET /v3/webauthn/credentials',
      'GET /v3/webauthn/discover/generate-options',
      'POST /v3/webauthn/discover/verify',
      'GET /smart-account/owner',
      'POST /smart-account/owner/add',
      'POST /smart-account/owner/remove',
      'GET /smart-account/ownership',
      'POST /smart-account/ownership/prepare',
      'POST /smart-account/ownership/submit',
      'GET /smart-account/guardians',
      'POST /smart-account/guardian/check',
      'POST /smart-account/guardian/prove',
      'GET /v3/webauthn/recovery/generate-options',
      'GET /smart-account/recovery',
      'POST /smart-account/recovery/prepare',
      'POST /smart-account/recovery/sign',
      'POST /smart-account/recovery/cancel',
      'POST /smart-account/recovery/execute',
      'GET /smart-account/owner/recovery-kit',
      // The smart balance beyond the interface.
      'GET /v3/smartbalance/terms',
      'GET /v3/smartbalance/deposits',
      'GET /v3/smartbalance/order',
      'GET /v3/smartbalance/orders',
      'POST /v3/smartbalance/deposit',
      'POST /v3/smartbalance/exit',
      // Session keys.
      'GET /smart-account/session-key',
      'GET /smart-account/session-key/history',
      'POST /smart-account/session-key/enable',
      'POST /smart-account/session-key/disable',
      'POST /smart-account/session-key/check',
      // Messages that an account signs.
      'POST /smart-account/message/prepare',
      'POST /smart-account/message/finish',
      'POST /smart-account/message/check',
      'POST /v3/webauthn/message/generate-options',
      'POST /v3/webauthn/message/verify',
      'POST /login/message',
      'POST /login/verify',
      // Logins at an identity provider.
      'POST /login/identity/start',
      'POST /login/identity/exchange',
      'POST /login/identity/verify',
      'POST /login/identity/reserve',
      'POST /login/identity/register',
      'POST /login/identity/link',
      'POST /login/identity/unlink',
      'POST /login/identity/ask-guardians',
      'GET /login/identities',
    ].toSorted(),
  )
})

test('behavior: an input name is declared in only one place', () => {
  for (const { query, body, path } of declarations) {
    const shared = Object.keys(query?.shape ?? {}).filter((name) => name in (body?.shape ?? {}))
    expect(shared, path).toEqual([])
  }
})

describe('statusOf', () => {
  test('default: returns the status of the table', () => {
    for (const code of errorCodes) expect(statusOf(code)).toBe(errorTable[code].status)
  })

  test('behavior: endpoints with fixed statuses answer only 400 and 500', () => {
    const fixed = declarations.filter(({ statuses }) => statuses === 'fixed').map(({ path }) => path)
    expect(fixed.toSorted()).toEqual([
      '/v3/smartbalance/computesolution',
      '/v3/smartbalance/getbalance',
      '/v3/smartbalance/getquote',
      '/v3/webauthn/register/generate-options',
      '/v3/webauthn/register/verify',
    ])
    const at = { statuses: 'fixed' } as const
    expect(statusOf('UNKNOWN_WALLET', at)).toBe(400)
    expect(statusOf('REBUILD', at)).toBe(400)
    expect(statusOf('NETWORK_UNAVAILABLE', at)).toBe(500)
    expect(statusOf('DATABASE_UNAVAILABLE', at)).toBe(500)
  })

  test('behavior: errors that are answered before any handler keep their status there', () => {
    const at = { statuses: 'fixed' } as const
    const codes = ['UNAUTHORIZED', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'] as const
    expect(codes.map((code) => statusOf(code, at))).toEqual([401, 403, 413, 429])
  })
})
