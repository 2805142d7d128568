import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { documentation } from './documentation.ts'

test.each(['identity', 'gzip'])(
  'behavior: the OpenAPI document (%s) is not hashed again at each request',
  async (encoding) => {
    let hashed = 0
    const app = express()
      .set('etag', () => {
        hashed++
        return '"of Express"'
      })
      .use(documentation())
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`
    const ask = (method: string, more: Record<string, string> = {}) =>
      fetch(url, { method, headers: { 'accept-encoding': encoding, ...more } })
    try {
      const full = await ask('GET')
      const etag = full.headers.get('etag') ?? ''
      expect(await full.json()).toHaveProperty('openapi')
      const head = await ask('HEAD')
      expect(head.headers.get('etag')).toBe(etag)
      expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'))
      expect((await ask('GET', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304)
      expect(hashed).toBe(0)
    } finally {
      server.close()
    }
  },
)
