/** @module-tag all */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../src/domain/events/webhooks/webhook-endpoints.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'

const output = 31338
let service: OrderService
let secret: string
const received: { type: string; data: { position: string; account: string } }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const headers = request.headers as Record<string, string>
  received.push(new Webhook(secret).verify(body, headers) as (typeof received)[number])
  response.end()
})
beforeAll(async () => {
  service = await startOrderService({ chainIds: [31337, output] })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const endpoint = { keyName: 'server', url, types: [], accounts: [] }
  const created = await createWebhookEndpoint(service.database.db, endpoint, {
    ...{ isLocal: true, encryptionKey: undefined, now: new Date() },
  })
  secret = created.secret
})
afterAll(async () => {
  server.close()
  await service?.[Symbol.asyncDispose]()
})

test('behavior: a running service reports an order and its operation, up to the final block', async () => {
  const wallet = await service.createFunded([31337, output])
  const built = await service.build({
    network: String(output),
    walletAddress: wallet.address,
    transactionDetails: [service.transfer(output, payee, 150_000_000n)],
    orderData: { amount: '150000000' },
  })
  expect(built.status).toBe(200)
  const signature = await sign.raw(wallet.owner, built.body.messageToSign)
  const submitted = await service.submit({ walletAddress: wallet.address, signature })
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  const typesOf = (noun: string) => received.flatMap(({ type }) => (type.startsWith(noun) ? [type] : []))
  await expect.poll(() => typesOf('operation.')).toEqual(['operation.included', 'operation.final'])
  await expect.poll(() => typesOf('order.').slice(0, 2)).toEqual(['order.submitted', 'order.claimed'])
  expect(typesOf('deposit.').slice(0, 2)).toEqual(['deposit.increased', 'deposit.increased'])

  const positions = received.map(({ data }) => Number(data.position))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(received.every(({ data }) => data.account === wallet.address)).toBe(true)
  const final = received.find(({ type }) => type === 'operation.final')
  expect(final?.data).toMatchObject({
    ...{
      network: String(output),
      state: 'included',
      success: true,
      final: true,
      txnHash: submitted.body.txnHash,
    },
  })
  const claimed = received.find(({ type }) => type === 'order.claimed')
  expect(claimed?.data).toMatchObject({ state: 'CLAIMED', outcome: 'claimed', amount: '150000000' })
})
