import { existsSync } from 'node:fs'
import { errorBody } from '@lanyard/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstAnswer, sendRaw } from '../../test/fuzz/raw-http.ts'
import { ask, type HttpService, startHttpService } from '../../test/http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** fetch would normalise the target or refuse to send it, so this uses a socket. */
async function askTarget(target: string, { method = 'GET', host = 'a' } = {}) {
  const text = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const answer = firstAnswer(await sendRaw(service.service.port, [Buffer.from(text)], { complete: true }))
  if (!answer) throw new TypeError('no answer')
  return { ...answer, body: JSON.parse(answer.body) }
}

const unexpectedError = () => service.logged.filter(({ level }) => Number(level) >= 50)

describe('targets', () => {
  test('behavior: an absolute target is handled like its path', async () => {
    for (const target of ['http://evil.example/health?a=b', 'http://user:password@evil.example/health'])
      expect(await askTarget(target)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  test.each(['*', 'http://[', 'http://a:99999/health'])('error: UNKNOWN_ROUTE for %s', async (target) => {
    const { status, head, body } = await askTarget(target, { method: 'OPTIONS' })
    expect([status, errorBody.parse(body).code]).toEqual([404, 'UNKNOWN_ROUTE'])
    expect(head).toContain(`X-Request-Id: ${body.requestId}`)
    await expect
      .poll(() => service.logged.filter(({ requestId }) => requestId === body.requestId))
      .toHaveLength(2)
  })

  test('error: UNKNOWN_ROUTE for a path that cannot be decoded', async () => {
    const { status, body } = await askTarget('/docs/%E0%A4%A')
    expect([status, errorBody.parse(body).code]).toEqual([404, 'UNKNOWN_ROUTE'])
  })

  test.each([
    ['a host with a user', '/trpc/system.health', 'a@b'],
    ['an invalid host', '/trpc/system.health', '['],
    ['a target with a user', 'http://user:password@evil.example/trpc/system.health', 'a'],
    ['a path that looks like a host with a user', '/trpc//user:password@evil.example/system.health', 'a'],
  ])('behavior: tRPC works with %s', async (_name, target, host) => {
    const { status, head, body } = await askTarget(target, { host })
    expect([status, body.result?.data.status]).toEqual([200, 'ok'])
    expect(head).toMatch(/^content-type: application\/json/im)
    expect(unexpectedError()).toEqual([])
  })
})

test.each(['GET', 'HEAD'])('behavior: %s /livez and /readyz need no credentials', async (method) => {
  for (const path of ['/livez', '/readyz'])
    expect((await ask(service.url + path, { method })).status).toBe(200)
  expect((await ask(`${service.url}/livez`, { method: 'POST' })).status).toBe(404)
})

const built = existsSync(new URL('../../../wallet/dist/icon.svg', import.meta.url))

describe.skipIf(!built)('files', () => {
  const file = () => `${service.url}/icon.svg`

  test('behavior: range requests get the whole file', async () => {
    const { status, text } = await ask(file(), { headers: { range: 'bytes=99999999-' } })
    expect([status, text.includes('<svg')]).toEqual([200, true])
  })

  test.each([{ 'if-match': '"x"' }, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }])(
    'error: INVALID_INPUT for the unsupported condition %j',
    async (headers) => {
      const answer = await ask(file(), { headers })
      expect([answer.status, errorBody.parse(answer.body).code]).toEqual([400, 'INVALID_INPUT'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect([answer.headers.get('etag'), answer.headers.get('last-modified')]).toEqual([null, null])
      expect(unexpectedError()).toEqual([])
    },
  )
})
