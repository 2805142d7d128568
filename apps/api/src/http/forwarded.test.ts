import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { calledHost, callerAddress } from './read-request.ts'

const requestWith = (headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage // no other member is read

describe('callerAddress', () => {
  const chain = requestWith({ 'x-forwarded-for': 'made up, 203.0.113.7 ,10.0.0.2,' })
  test.each([
    [0, '10.0.0.1'],
    [1, '10.0.0.2'],
    [2, '203.0.113.7'],
    [3, 'made up'],
    [16, 'made up'],
  ])('args: %i trusted proxies', (trusted, address) => expect(callerAddress(chain, trusted)).toBe(address))

  test('behavior: without the header the address of the connection counts', () => {
    expect(callerAddress(requestWith({}), 2)).toBe('10.0.0.1')
  })
})

describe('calledHost', () => {
  const proxied = requestWith({ host: 'inside:3000', 'x-forwarded-host': 'wallet.example, inside' })
  test('default: the host is the name that the caller used', () =>
    expect(calledHost(proxied, 1)).toBe('wallet.example'))
  test('behavior: without a trusted proxy the forwarded host is ignored', () =>
    expect(calledHost(proxied, 0)).toBe('inside:3000'))
  test('behavior: without a forwarded host the Host header counts', () =>
    expect(calledHost(requestWith({ host: 'wallet.example' }), 1)).toBe('wallet.example'))
})
