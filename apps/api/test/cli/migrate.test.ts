/** @module-tag all */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@lanyard/database'
import { freshDatabase, migrations, testEngines } from '@lanyard/database/testing'
import { type DevnetNode, startNode, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Kysely, sql } from 'kysely'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, postJson } from '../http-service.ts'
import { startConfigured } from '../start-configured.ts'
import { runInProcess } from './run-in-process.ts'

const all = Object.keys(migrations)

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-migrate-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('default: migrations apply once, status shows them, and a dry run applies nothing', async () => {
  const env = { DATA_DIR: directory }
  const run = async (...args: string[]) => {
    const { code, json } = await runInProcess({ env }, 'migrate', ...args, '--json')
    return { code, ...json() }
  }
  expect(await run('--dry-run')).toMatchObject({ code: 0, dryRun: true, applied: [], pending: all })
  expect(await run('status')).toMatchObject({ code: 3, applied: [], pending: all })
  const withoutMigrating = await runInProcess({ env: { ...env, MIGRATE_ON_START: 'false' } }, 'keys', 'list')
  expect(withoutMigrating).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`lacks ${all[0]}: run \`lanyard migrate\``),
  })
  expect(await run()).toMatchObject({ code: 0, applied: all, pending: [] })
  expect(await run()).toMatchObject({ code: 0, applied: [], pending: [] })
  expect(await run('status')).toMatchObject({
    code: 0,
    applied: all.map((name) => ({ name, at: expect.stringMatching(/^\d{4}-/) })),
    pending: [],
  })
  expect((await runInProcess({ env }, 'migrate')).stdout).toBe('Nothing to do: the database is up to date.\n')
})

describe.skipIf(!testEngines().includes('postgresql'))(
  'concurrent processes (PostgreSQL)',
  { tags: ['all'] },
  () => {
    let node: DevnetNode
    let networks: string
    beforeAll(async () => {
      node = await startNode()
      networks = join(directory, 'networks.json')
      await writeNetworksFile(networks, [node])
    })
    afterAll(() => node.stop())

    const start = (url: string | undefined, more: Record<string, string> = {}) =>
      startConfigured({ DATABASE_URL: url ?? '', NETWORKS_FILE: networks, RATE_LIMITS: 'off', ...more })
    const createAccount = async (url: string) => {
      const { status } = await postJson(`${url}/smart-account/create`, {
        eoaAddress: privateKeyToAddress(randomPrivateKey()),
      })
      return status
    }

    test('behavior: two concurrent commands on an empty database apply each migration once', async () => {
      await using database = await freshDatabase('postgresql', { migrated: false })
      const env = { DATABASE_URL: database.url ?? '' }
      const ended = await Promise.all([1, 2].map(() => runInProcess({ env }, 'migrate', '--json')))
      expect(ended.map(({ code }) => code)).toEqual([0, 0])
      expect(ended.flatMap(({ json }) => json().applied).sort()).toEqual(all)
      expect((await runInProcess({ env }, 'migrate', 'status')).code).toBe(0)
    })

    test('behavior: it lists usernames that look like an older one by the rules of this version', async () => {
      await using database = await freshDatabase('postgresql')
      await sql`
        insert into users (id, kind, username, username_key, username_skeleton, created_at) values
          (gen_random_uuid(), 'passkey', 'alice', 'alice', 'alice', '2026-01-01'),
          (gen_random_uuid(), 'passkey', 'aIice', 'aiice', 'aiice', '2026-01-02')`.execute(database.db)
      const env = { DATABASE_URL: database.url ?? '' }
      expect((await runInProcess({ env }, 'migrate')).stdout).toContain(
        'The username "aIice" looks like an older one.',
      )
      expect((await runInProcess({ env }, 'migrate', '--json')).json()).toMatchObject({
        lookAlikes: ['aIice'],
      })
    })

    test('behavior: two services can start concurrently on an empty database, and a service that may not migrate names the missing migration', async () => {
      await using database = await freshDatabase('postgresql', { migrated: false })
      await expect(start(database.url, { MIGRATE_ON_START: 'false' })).rejects.toThrow(
        `it lacks ${all[0]}: run \`lanyard migrate\` first`,
      )
      const services = await Promise.all([start(database.url), start(database.url)])
      try {
        for (const { url } of services) expect(await createAccount(url)).toBe(200)
      } finally {
        await Promise.all(services.map((service) => service.stop()))
      }
    })

    test('behavior: a service keeps working while a newer version migrates, and its version still starts afterwards', async () => {
      await using database = await freshDatabase('postgresql')
      await using service = await start(database.url)
      const newer = {
        ...migrations,
        '9998-wider': {
          // Every request uses these tables. Each statement takes an exclusive lock.
          async up(db: Kysely<unknown>) {
            for (const table of ['users', 'accounts', 'operations'])
              await sql`alter table ${sql.table(table)} add column note text, add column weight int4 not null default 0`.execute(
                db,
              )
            await sql`create index users_by_note on users (note)`.execute(db)
            await sql`select pg_sleep(0.2)`.execute(db)
          },
        },
      }
      let migrating = true
      const statuses: number[] = []
      const work = async () => {
        while (migrating) {
          statuses.push(await createAccount(service.url))
          statuses.push((await ask(`${service.url}/api/user/search?query=abc`)).status)
        }
      }
      const working = [work(), work()]
      expect(await migrate(database.db, newer).finally(() => (migrating = false))).toEqual(['9998-wider'])
      await Promise.all(working)
      expect(statuses.length).toBeGreaterThan(2)
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(await createAccount(service.url)).toBe(200)
      await using restarted = await start(database.url)
      expect(await createAccount(restarted.url)).toBe(200)
    })
  },
)
