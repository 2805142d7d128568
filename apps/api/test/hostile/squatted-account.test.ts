/** @module-tag all */
// @promise 24 C.1

import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pay } from '../eip7702/delegated-account.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'

/* Somebody names the contract account that a third party's EOA is going to have as an EOA of its own. */

let service: HttpService
let rest: RestClient
beforeAll(async () => {
  service = await startHttpService({}, { accountKinds: ['safe', 'eip7702'] })
  rest = restClient(service.url)
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('behavior: it does not keep the EOA from its account', async () => {
  // An EOA whose account this service does not know yet; the address follows from public data.
  const owner = privateKeyToAccount(randomPrivateKey()).address
  const { body: known } = await rest.post('/smart-account/create', { eoaAddress: owner })
  const address = known.wallet.scw_address
  await service.database.db.deleteFrom('accounts').execute()
  await service.database.db.deleteFrom('users').execute()

  const squatted = await rest.post('/smart-account/create', { eoaAddress: address, type: 'eip7702' })
  expect(squatted.status).toBe(200)
  const network = String(service.node.chainId)
  const call = { network, walletAddress: address, transactionDetails: [pay()], allowRevert: true }
  await rest.post('/smart-account/transaction/build', call)

  const created = await rest.post('/smart-account/create', { eoaAddress: owner })
  expect(created).toMatchObject({
    status: 200,
    body: { wallet: { scw_address: address, eoa_address: owner } },
  })
  const fees = await rest.post('/smart-account/transaction/gas-fees', { network, walletAddress: owner })
  expect(fees).toMatchObject({ status: 200 })
  // Once it is known, nobody can name it as an EOA.
  const again = await rest.post('/smart-account/create', { eoaAddress: address, type: 'eip7702' })
  expect(again).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
})
