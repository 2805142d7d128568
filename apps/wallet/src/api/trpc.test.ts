import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchWithTimeout } from './trpc.ts'

describe('fetchWithTimeout', () => {
  const server = createServer((request, response) => {
    if (request.url === '/answer') response.end('answer')
    if (request.url === '/half') response.write('ha')
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test('default', async () => {
    expect(await (await fetchWithTimeout(10_000)(`${url()}/answer`)).text()).toBe('answer')
  })

  test('error: no answer', async () => {
    await expect(fetchWithTimeout(20)(`${url()}/silent`)).rejects.toThrow(
      expect.objectContaining({ name: 'TimeoutError' }),
    )
  })

  test('error: an incomplete answer', async () => {
    const response = await fetchWithTimeout(200)(`${url()}/half`)
    await expect(response.text()).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  })

  test('behavior: the caller cancels', async () => {
    const controller = new AbortController()
    const answer = fetchWithTimeout(60_000)(`${url()}/silent`, { signal: controller.signal })
    controller.abort()
    await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })
})
