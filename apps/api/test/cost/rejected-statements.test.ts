/** @module-tag all */

import type { TestDatabase } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { recordStatements, type Statements } from '../statements.ts'

const network = 31337
const zeroAddress = '0x0000000000000000000000000000000000000000'
/** It has no key that anybody knows, and the contract is never called. */
const ownership = '0x00000000000000000000000000000000000000aa'

let service: OrderService
let statements: Statements
let wallet: Awaited<ReturnType<OrderService['createFunded']>>
beforeAll(async () => {
  // There is no worker, so only requests query the database.
  service = await startOrderService({
    engine: 'pglite',
    chainIds: [network],
    environment: { ROLES: 'api' },
    settings: { ownership },
  })
  statements = recordStatements(service.database as TestDatabase)
  wallet = await service.createFunded([network])
  // From now on the service keeps the account in memory.
  await service.rest.post('/v3/smartbalance/deposit', { network, walletAddress: wallet.address, amount: '1' })
})
afterAll(() => service[Symbol.asyncDispose]())

interface Rejected {
  readonly path: string
  readonly body: () => object
  readonly code: string
  readonly statements: number
}

const hash = `0x${'12'.repeat(32)}`
const signature = `0x${'11'.repeat(64)}1b`

const rejected: Record<string, Rejected> = {
  'an owner that is named in two ways': {
    path: '/smart-account/owner/add',
    body: () => ({ walletAddress: wallet.address, ownerAddress: wallet.owner.address, credentialId: 'AAAA' }),
    code: 'INVALID_INPUT',
    statements: 0,
  },
  'an owner without a key': {
    path: '/smart-account/owner/add',
    body: () => ({ walletAddress: wallet.address, ownerAddress: zeroAddress }),
    code: 'INVALID_INPUT',
    statements: 0,
  },
  'a removal that names no owner': {
    path: '/smart-account/owner/remove',
    body: () => ({ walletAddress: wallet.address }),
    code: 'INVALID_INPUT',
    statements: 0,
  },
  'an account of a kind that no network has': {
    path: '/smart-account/create',
    body: () => ({ eoaAddress: wallet.owner.address, type: 'eip7702' }),
    code: 'UNSUPPORTED_ACCOUNT_KIND',
    statements: 0,
  },
  'a recovery with a threshold above the number of guardians': {
    path: '/smart-account/recovery/prepare',
    body: () => ({
      account: wallet.address,
      newOwners: [{ address: wallet.owner.address }],
      guardians: { members: [wallet.owner.address], threshold: 2, delay: 86_400 },
    }),
    code: 'INVALID_INPUT',
    statements: 0,
  },
  'a deposit above what the contract holds': {
    path: '/v3/smartbalance/deposit',
    body: () => ({ network, walletAddress: wallet.address, amount: String(2n ** 128n) }),
    code: 'AMOUNT_REFUSED',
    statements: 0,
  },
  'a deposit above the balance': {
    path: '/v3/smartbalance/deposit',
    body: () => ({ network, walletAddress: wallet.address, amount: String(2n ** 100n) }),
    code: 'INSUFFICIENT_FUNDS',
    statements: 0,
  },
  'a signature without an operation': {
    path: '/smart-account/transaction/submit',
    body: () => ({ walletAddress: wallet.address, signature }),
    code: 'UNKNOWN_OPERATION',
    statements: 2,
  },
  'a signature for a hash that names no operation': {
    path: '/smart-account/transaction/submit',
    body: () => ({ walletAddress: wallet.address, signature, userOpHash: hash }),
    code: 'UNKNOWN_OPERATION',
    statements: 2, // the recent operations, then those of past months
  },
}

/** What is rejected anyway is rejected before the service looks anything up that the answer does not need. */
test.each(Object.keys(rejected))('behavior: %s is rejected with few statements', async (name) => {
  const { path, body, code, statements: expected } = rejected[name] as Rejected
  statements.take()
  const answer = await service.rest.post(path, body())
  expect(answer.body).toMatchObject({ code })
  const run = statements.take().filter(isOfRequest)
  expect(run, run.join('\n')).toHaveLength(expected)
})

/** The service reloads the API keys from time to time, independent of requests. */
const isOfRequest = (text: string) => !text.includes('"api_keys"')
