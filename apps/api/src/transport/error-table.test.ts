// @promise 11
import { type ErrorCode, endpoints, errorCodes, errorTable, LanyardError, statusOf } from '@lanyard/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, serveApp, startHttpService } from '../../test/http-service.ts'
import type { Services } from '../pipeline/services.ts'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Services with which every procedure that uses the networks or the database fails with this error. */
const failingWith = (error: unknown): Services => ({
  ...service.service.services,
  get networks(): never {
    throw error
  },
  get database(): never {
    throw error
  },
})

/** The answers of both transports, without the wrapper that tRPC adds to the body. */
async function askBoth(error: unknown, path: string, procedure: string, query: Record<string, string> = {}) {
  await using app = await serveApp(failingWith(error))
  const rest = await ask(`${app.url}${path}?${new URLSearchParams(query)}`, {
    headers: { 'x-request-id': 'same' },
  })
  const input = encodeURIComponent(JSON.stringify(query))
  const trpc = await ask(`${app.url}/trpc/${procedure}?input=${input}`, {
    headers: { 'x-request-id': 'same' },
  })
  const { httpStatus, ...body } = trpc.body.error.data
  const retryAfter = (answer: typeof rest) => answer.headers.get('retry-after')
  return {
    rest: { ...rest, retryAfter: retryAfter(rest) },
    trpc: { status: trpc.status, httpStatus, body, text: trpc.text, retryAfter: retryAfter(trpc) },
  }
}

describe('every code of the table gives the same answer over both transports', () => {
  test.each(errorCodes)('error: %s', async (code) => {
    const error = new LanyardError(code, {
      issues: [{ path: 'a.0', message: 'wrong' }],
      details: { missing: '12' },
      cause: new Error('postgresql://secret'),
    })
    const { rest, trpc } = await askBoth(error, '/networks', 'system.networks')
    const expected = {
      code,
      message: errorTable[code].message,
      requestId: 'same',
      docs: `/docs/errors#${code}`,
      issues: [{ path: 'a.0', message: 'wrong' }],
      missing: '12',
    }
    expect({ status: rest.status, body: rest.body }).toEqual({
      status: errorTable[code].status,
      body: expected,
    })
    expect(trpc).toMatchObject({ status: rest.status, httpStatus: rest.status, body: expected })
  })

  test.each(errorCodes)('error: %s at an endpoint with fixed statuses', async (code: ErrorCode) => {
    const { registerOptions } = endpoints.webauthn
    const { rest, trpc } = await askBoth(
      new LanyardError(code),
      registerOptions.path,
      'webauthn.registerOptions',
      { username: 'alice' },
    )
    expect([rest.status, trpc.status]).toEqual([
      statusOf(code, registerOptions),
      statusOf(code, registerOptions),
    ])
    expect([rest.body.code, trpc.body.code]).toEqual([code, code])
    // Whatever the status: who waits a moment may get an answer.
    const soon = errorTable[code].status === 503 ? '1' : null
    expect([rest.retryAfter, trpc.retryAfter]).toEqual([soon, soon])
  })
})

describe('unexpected errors', () => {
  test('behavior: an unexpected error is INTERNAL without details, and the log has its stack', async () => {
    const { rest, trpc } = await askBoth(
      new TypeError('select * from secrets'),
      '/networks',
      'system.networks',
    )
    for (const { status, text } of [rest, trpc]) {
      expect(status).toBe(500)
      expect(text).toContain('INTERNAL')
      expect(text).not.toMatch(/secrets|\.ts:|stack/)
    }
    const line = service.logged.findLast(({ code }) => code === 'INTERNAL')
    expect(JSON.stringify(line)).toContain('TypeError: select * from secrets')
    expect(line).toMatchObject({ requestId: 'same' })
  })

  test('behavior: an unreachable database is DATABASE_UNAVAILABLE', async () => {
    const rejected = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    const { rest } = await askBoth(rejected, '/networks', 'system.networks')
    expect(rest.status).toBe(503)
    expect(rest.body.code).toBe('DATABASE_UNAVAILABLE')
    expect(rest.text).not.toContain('10.0.0.1')
  })
})

test('behavior: the page linked in every error body explains every code', { tags: ['all'] }, async () => {
  await using app = await serveApp(service.service.services)
  const { status, text, headers } = await ask(`${app.url}/docs/errors`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const code of errorCodes) expect(text).toContain(`<h2 id="${code}"`)
  expect(text).not.toContain('undefined')
})
