/** @module-tag all */
// @promise 24

import { endpoints } from '@lanyard/contracts'
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PublishableService, startPublishableService } from './publishable-service.ts'

/** The limits of production, and its default of RATE_LIMIT_COST. */
const limits = { RATE_LIMITS: 'on', RATE_LIMIT_COST: '6000', READ_CACHE: '500' }

let service: PublishableService
beforeAll(async () => {
  service = await startPublishableService(limits)
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A person with a wallet, who notes each answer's status. */
async function createPerson(from: string) {
  const { owner, address } = await service.createWallet()
  const visitor = service.from(from)
  const statuses: number[] = []
  const noted = async <T extends { readonly status: number }>(answering: Promise<T>): Promise<T> => {
    const answer = await answering
    statuses.push(answer.status)
    return answer
  }
  const streams = new AbortController()
  return {
    statuses,
    [Symbol.dispose]: () => streams.abort(),

    /** Signs in, and opens the wallet with its stream of events. */
    async open() {
      const wanted = { walletAddress: address, eoaAddress: owner.address }
      const { body } = await noted(visitor.post(endpoints.login.message.path, wanted))
      const signature = await owner.signMessage({ message: body.message })
      await noted(visitor.post(endpoints.login.verify.path, { message: body.message, signature }))
      const query = `?walletAddress=${address}`
      const { wallet } = endpoints
      const paths = [wallet.balances.path, wallet.activity.path, wallet.transfers.path]
      await Promise.all(paths.map((path) => noted(visitor.get(path + query))))
      await noted(visitor.open(`/events${query}`, streams.signal))
    },

    async pay(value: number) {
      const { body } = await noted(visitor.build(address, value))
      const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
      await noted(visitor.submit({ walletAddress: address, signature }))
      await noted(visitor.get(`${endpoints.wallet.balances.path}?walletAddress=${address}`))
    },
  }
}

test("behavior: a person's hour, within a minute, meets no limit", async () => {
  using person = await createPerson('203.0.113.1')
  await person.open()
  for (let payment = 1; payment <= 10; payment++) await person.pay(payment)
  expect(person.statuses).toEqual(Array(36).fill(200))
})

test('behavior: 20 people of one address open their wallets and pay in the same minute, and meet no limit', async () => {
  using people = new DisposableStack()
  const office = await Promise.all(
    Array.from({ length: 20 }, async () => people.use(await createPerson('198.51.100.1'))),
  )
  await Promise.all(
    office.map(async (person) => {
      await person.open()
      await person.pay(1)
    }),
  )
  const statuses = office.flatMap((person) => person.statuses)
  expect(statuses).toEqual(Array(20 * 9).fill(200))
  reportFigure(24, 'calls of 20 people behind one address in one minute, all served', statuses.length)
})

test('behavior: a bare wallet page is no attack: 40 reads at once are served', async () => {
  const visitor = service.from('192.0.2.1')
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => visitor.get(endpoints.system.networks.path)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
})
