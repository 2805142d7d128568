/** @module-tag all */

import { randomInteger } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../service-process.ts'

/** The lines that a service prints after its banner while it serves two requests. */
async function printedBy(env: Record<string, string>): Promise<readonly string[]> {
  const DEVNET_PORT = String(20_000 + randomInteger(10_000))
  await using service = await startServiceProcess({ DEVNET_PORT, ...env })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  expect((await fetch(`${service.url}/nothing-here`)).status).toBe(404)
  await service.stop()
  const [, after = ''] = service.output().split('Ctrl+C ends everything.\n')
  return after.split('\n').filter(Boolean)
}

test('default: a healthy service prints nothing after its banner', async () => {
  expect(await printedBy({ LOG_LEVEL: 'warn' })).toEqual([])
})

test('behavior: LOG_LEVEL=debug logs a line for each request, as JSON if stdout is not a terminal', async () => {
  const lines = (await printedBy({ LOG_LEVEL: 'debug' })).map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /nothing-here',
  ])
  expect(requests[1]).toMatchObject({ status: 404, requestId: expect.any(String) })
})
