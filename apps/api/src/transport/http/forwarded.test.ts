import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { calledHost, callerAddress } from './forwarded.ts'

const requestWith = (headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage // nothing else is read

describe('callerAddress', () => {
  const chain = requestWith({ 'x-forwarded-for': 'made up, 203.0.113.7 ,10.0.0.2,' })
  test.each([
    [0, '10.0.0.1'],
    [1, '10.0.0.2'],
    [2, '203.0.113.7'],
    [3, 'made up'],
    [16, 'made up'],
  ])('args: %i proxies', (trusted, address) => expect(callerAddress(chain, trusted)).toBe(address))

  test('behavior: who came past the proxy is who called', () => {
    expect(callerAddress(requestWith({}), 2)).toBe('10.0.0.1')
  })
})

describe('calledHost', () => {
  const proxied = requestWith({ host: 'inside:3000', 'x-forwarded-host': 'wallet.example, inside' })
  test('default: the name that the caller used', () => expect(calledHost(proxied, 1)).toBe('wallet.example'))
  test('behavior: without a proxy, what a caller says of one counts for nothing', () =>
    expect(calledHost(proxied, 0)).toBe('inside:3000'))
  test('behavior: a proxy that says nothing has left the name as it was', () =>
    expect(calledHost(requestWith({ host: 'wallet.example' }), 1)).toBe('wallet.example'))
})
