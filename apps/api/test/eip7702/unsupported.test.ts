/** @module-tag all */

import { errorsOf } from '@lanyard/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointList } from '../../src/platform/endpoint-list.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { createDelegatedAccount, type DelegatedAccount, newKey, pay } from './delegated-account.ts'

/* Every endpoint that takes an account, called with an EOA that is the account itself. */

let service: HttpService
let rest: RestClient
let account: DelegatedAccount
let username: string
beforeAll(async () => {
  service = await startHttpService({}, { accountKinds: ['safe', 'eip7702'] })
  rest = restClient(service.url)
  account = await createDelegatedAccount(rest, service.node.rpcUrl, newKey())
  const created = await rest.post('/smart-account/create', {
    eoaAddress: account.key.address,
    type: 'eip7702',
  })
  username = created.body.username
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** The endpoints that such an account supports: they answer, or name another mistake in the input. */
const supported = new Set([
  'smartAccount.build',
  'smartAccount.gasFees',
  'smartAccount.submit',
  'smartAccount.simulate',
  'smartAccount.sponsorship',
  'message.prepare',
  'message.finish',
  'message.check',
  'wallet.activity',
  'wallet.balances',
  'wallet.ledger',
  'wallet.transfers',
  'wallet.faucet',
  'login.message',
])

const takingAccounts = endpointList.filter(({ declaration }) =>
  errorsOf(declaration).includes('NOT_SUPPORTED_BY_ACCOUNT'),
)

const bytes = (count: number) => `0x${'11'.repeat(count)}`

/** Values for every member that these endpoints require. */
const values = (): Record<string, unknown> => ({
  walletAddress: account.key.address,
  eoaAddress: account.key.address,
  account: account.key.address,
  username,
  network: String(account.chainId),
  outputNetwork: account.chainId,
  transactionDetails: [pay()],
  amount: '1000000',
  signature: bytes(65),
  message: 'Hello',
  keyId: bytes(32),
  sessionKey: newKey().address,
  changeId: bytes(32),
  recoveryId: bytes(32),
})

test.each(takingAccounts.map(({ name, declaration }) => [name, declaration] as const))(
  '%s',
  async (name, { method, path, query, body }) => {
    const known = values()
    const pick = (shape: object = {}) =>
      Object.fromEntries(Object.keys(shape).flatMap((key) => (key in known ? [[key, known[key]]] : [])))
    const search = new URLSearchParams(pick(query?.shape) as Record<string, string>)
    const answer =
      method === 'GET'
        ? await rest.get(`${path}?${search}`)
        : await rest.post(`${path}${search.size > 0 ? `?${search}` : ''}`, pick(body?.shape))
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    if (supported.has(name)) {
      expect(answer.body.code).not.toBe('NOT_SUPPORTED_BY_ACCOUNT')
      return
    }
    if (answer.body.code === 'NOT_SUPPORTED_BY_ACCOUNT') {
      expect(answer.body).toMatchObject({ type: 'eip7702', use: expect.any(String) })
      return
    }
    // Refused before the account is looked up.
    expect([
      'INVALID_INPUT',
      'NO_SESSION_KEYS',
      'NO_SMART_BALANCE',
      'NO_OWNERSHIP',
      'UNAUTHORIZED',
    ]).toContain(answer.body.code)
  },
)
