// @promise 10
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/admin/cli/run-cli.ts'
import { ask } from '../http-service.ts'
import { startConfigured } from '../start-configured.ts'
import { runInProcess } from './run-in-process.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-keys-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('default: a key is shown once, listed by its id, and revoked', { tags: ['all'] }, async () => {
  const env = { DATA_DIR: directory }
  const created = await runInProcess({ env }, 'keys', 'create', 'server', '--json')
  expect(created.code).toBe(0)
  const { id, key } = created.json()
  expect(key).toMatch(/^lk_secret_/)
  const forPages = await runInProcess(
    { env },
    ...['keys', 'create', 'app', '--kind', 'publishable'],
    ...['--origin', 'https://app.example', '--origin', 'http://localhost:5173', '--json'],
  )
  const app = forPages.json()
  expect(app.key).toMatch(/^lk_public_/)
  expect((await runInProcess({ env }, 'keys', 'revoke', id)).code).toBe(0)
  const listed = await runInProcess({ env }, 'keys', 'list', '--json')
  expect(listed.json().keys).toMatchObject([
    { id: app.id, origins: ['https://app.example', 'http://localhost:5173'], revokedAt: null },
    { id, name: 'server', kind: 'secret', origins: [], revokedAt: expect.any(String) },
  ])
  expect(listed.stdout).not.toContain(key.slice(id.length))
  const again = await runInProcess({ env }, 'keys', 'revoke', key)
  expect([again.code, (again.stdout + again.stderr).includes(key)]).toEqual([1, false])
})

test.each([
  ['a publishable key without a page', ['app', '--kind', 'publishable'], 1],
  ['a secret key for a page', ['app', '--origin', 'https://app.example'], 1],
  ['a page with a path', ['app', '--kind', 'publishable', '--origin', 'https://app.example/x'], 2],
  ['a name with a colon', ['public:app'], 2],
  ['no database', ['app'], 2],
])('error: %s', async (_name, args, code) => {
  expect(await runCli(['keys', 'create', ...args])).toBe(code)
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: a running service accepts a new key and rejects a revoked key within seconds',
  { tags: ['all'] },
  async () => {
    await using database = await freshDatabase('postgresql')
    const env = { DATABASE_URL: database.url ?? '' }
    await using service = await startConfigured(env)
    const created = await runInProcess({ env }, 'keys', 'create', 'server', '--json')
    const { id, key } = created.json()
    const status = async () =>
      (await ask(`${service.url}/networks`, { headers: { 'x-api-key': key } })).status
    const polling = { interval: 100 }
    // Without keys the service is open. Once it knows the first key, it rejects requests without one.
    await expect.poll(async () => (await ask(`${service.url}/networks`)).status, polling).toBe(401)
    expect(await status()).toBe(200)
    await runInProcess({ env }, 'keys', 'revoke', id)
    await expect.poll(status, polling).toBe(401)
  },
)
