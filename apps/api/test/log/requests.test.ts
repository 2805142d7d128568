/** @module-tag all */

import { freePorts } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { startHttpService } from '../http-service.ts'
import { startServiceProcess } from '../service-process.ts'

test('behavior: without samples, only what failed is a line', async () => {
  await using service = await startHttpService({ REQUEST_LOG: '0' })
  await visit(service.url)
  const requests = () => service.logged.filter(({ msg }) => msg === 'request')
  await expect.poll(requests).toMatchObject([{ path: '/nothing-here' }])
})

async function visit(url: string): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect((await fetch(`${url}/nothing-here`)).status).toBe(404)
}

/** The lines that a service prints after its banner while it serves two requests. */
async function printedBy(env: Record<string, string>): Promise<readonly string[]> {
  const DEVNET_PORT = String(await freePorts(3))
  await using service = await startServiceProcess({ DEVNET_PORT, ...env })
  await visit(service.url)
  await service.stop()
  const [, after = ''] = service.output().split('Ctrl+C ends everything.\n')
  return after.split('\n').filter(Boolean)
}

/** The level of a warning, which `npm start` prints. */
const warning = 40

test('behavior: each request is a line of JSON if stdout is not a terminal, and a healthy service warns of nothing', async () => {
  const lines = (await printedBy({ LOG_LEVEL: 'info' })).map((line) => JSON.parse(line))
  expect(lines.filter(({ level }) => level >= warning)).toEqual([])
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /nothing-here',
  ])
  expect(requests).toMatchObject([
    { status: 200, endpoint: 'system.health', from: '127.0.0.0/24' },
    { status: 404, requestId: expect.any(String), milliseconds: expect.any(Number) },
  ])
})
