import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '../platform/environment/env.ts'
import { type ConsoleApp, createConsoleApp } from './console-app.ts'

test('error: INVALID_INPUT for a file with a failed precondition, which no cache keeps as the file', async () => {
  const pages = `${await mkdtemp(join(tmpdir(), 'lanyard-console-'))}/`
  onTestFinished(() => rm(pages, { recursive: true }))
  await mkdir(join(pages, 'assets'))
  await writeFile(join(pages, 'index.html'), '')
  await writeFile(join(pages, 'assets/a-123.js'), '')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens
  const origin = `http://127.0.0.1:${port}`
  const services = { env: readEnv({}), log: pino({ level: 'silent' }) }
  // A file needs nothing else.
  server.on('request', createConsoleApp({ services, origin, pages } as unknown as ConsoleApp))
  const ask = (headers: Readonly<Record<string, string>>) => fetch(`${origin}/assets/a-123.js`, { headers })
  expect((await ask({})).headers.get('cache-control')).toContain('immutable')
  const failed = await ask({ 'if-match': '"another"' })
  expect(failed.status).toBe(400)
  expect(failed.headers.get('cache-control')).toBe('no-store')
  expect(failed.headers.get('etag')).toBeNull()
  expect(await failed.json()).toMatchObject({ error: { data: { code: 'INVALID_INPUT' } } })
})
