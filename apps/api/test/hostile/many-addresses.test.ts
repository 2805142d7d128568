/** @module-tag all */
import { endpoints } from '@lanyard/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpService, postJson, startHttpService } from '../http-service.ts'

/** Milliseconds that the calls of one address may cost in a minute; a network of addresses may cost four times as much. */
const cost = 100

let service: HttpService
beforeAll(async () => {
  service = await startHttpService({ RATE_LIMIT_COST: String(cost), RATE_LIMITS: 'on', TRUST_PROXY: '1' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A request that is rejected; until then, its bytes reserve 80 milliseconds. */
const body = { network: 'x'.repeat(200 * 1024) }

const send = async (address: string) => {
  const path = endpoints.smartAccount.build.path
  // The proxy appends the address that it sees; what the caller wrote before does not count.
  const { status } = await postJson(service.url + path, body, {
    'x-forwarded-for': `192.0.2.7, ${address}`,
  })
  return status
}

test.each([
  ['a /24', (number: number) => `203.0.113.${number}`, '203.0.114.1'],
  ['a /48', (number: number) => `2001:db8:0:${number.toString(16)}::1`, '2001:db8:1:1::1'],
])(
  'error: RATE_LIMITED for 64 addresses of %s, which may cost what four may',
  async (_name, addressOf, other) => {
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, number) => send(addressOf(number + 1))))
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    expect(await send(other)).toBe(400)
  },
)
