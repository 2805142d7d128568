/** @module-tag all */
// @promise 24
import { freshDatabase } from '@lanyard/database/testing'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { createDelegatedAccount, newKey } from './delegated-account.ts'

let service: HttpService
let rest: RestClient
beforeAll(async () => {
  const networks = { accountKinds: ['safe', 'eip7702'] }
  service = await startHttpService({ INCLUSION_TIMEOUT: '2' }, networks, () => freshDatabase())
  rest = restClient(service.url)
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('behavior: newcomers behind one address wait for each other, are told so, and are all served', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 3 }, () => createDelegatedAccount(rest, service.node.rpcUrl, newKey())),
  )
  const [first] = accounts
  if (!first) throw new TypeError('no accounts')
  const { chain } = first
  await chain.setIntervalMining({ interval: 3_600 }) // the first one stays on its way
  const signed = await Promise.all(
    accounts.map(async (account) => account.sign((await account.build()).body)),
  )
  const submitAll = () => Promise.all(accounts.map((account, index) => account.submit(signed[index] ?? {})))
  const answers = await submitAll()
  expect(answers.map(({ status }) => status)).toEqual([504, 504, 504])
  const waiting = answers.filter(({ body }) => body.message.includes('this one follows by itself'))
  expect(waiting).toHaveLength(2)
  for (const { body } of waiting) {
    expect(body).toMatchObject({ code: 'INCLUSION_TIMEOUT', retryAfter: 12 })
    const status = await rest.get(`/smart-account/transaction/status?userOpHash=${body.userOpHash}`)
    expect(status.body).toMatchObject({ state: 'submitted', reason: { code: 'RATE_LIMITED' } })
  }
  await chain.setAutomine(true)
  await chain.mine({ blocks: 1 })
  await expect
    .poll(async () => (await submitAll()).map(({ status }) => status), { timeout: 60_000 })
    .toEqual([200, 200, 200])
  const balances = await Promise.all(accounts.map(({ key }) => chain.getBalance({ address: key.address })))
  for (const balance of balances) expect(balance).toBeLessThan(parseEther('10'))
})
