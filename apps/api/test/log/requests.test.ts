import { randomInteger } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../service-process.ts'

/** What is printed after the banner by a service of which something is asked. */
async function printedBy(env: Record<string, string>): Promise<readonly string[]> {
  const DEVNET_PORT = String(20_000 + randomInteger(10_000))
  await using service = await startServiceProcess({ DEVNET_PORT, ...env })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  expect((await fetch(`${service.url}/nothing-here`)).status).toBe(404)
  await service.stop()
  const [, after = ''] = service.output().split('Ctrl+C ends everything.\n')
  return after.split('\n').filter(Boolean)
}

test('default: after its banner, a service that nothing ails prints nothing', async () => {
  expect(await printedBy({ LOG_LEVEL: 'warn' })).toEqual([])
})

test('behavior: LOG_LEVEL=debug adds a line for each request, as JSON where it is no terminal', async () => {
  const lines = (await printedBy({ LOG_LEVEL: 'debug' })).map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /nothing-here',
  ])
  expect(requests[1]).toMatchObject({ status: 404, requestId: expect.any(String) })
})
