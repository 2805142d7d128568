import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { describeConfiguration, recordConfiguration } from '../../src/app/record-configuration.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

test('default: what commands change is listed, exported and verified', async () => {
  await using database = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const context = contextOf(database, { AUDIT_ACTOR: 'alice' })
  const run = (...args: string[]) => runInProcess(context, ...args)
  const created = (await run('keys', 'create', 'server', '--json')).json()
  const added = await run('webhooks', 'add', 'https://shop.example/secret-path', '--key', 'server', '--json')
  const { id: webhook, secret } = added.json()
  await run('webhooks', 'rotate', webhook)
  await run('webhooks', 'disable', webhook)
  await run('webhooks', 'disable', webhook) // changes nothing
  await run('webhooks', 'enable', webhook)
  await run('keys', 'revoke', created.id)
  await run('keys', 'revoke', created.id) // changes nothing
  await run('webhooks', 'remove', webhook)
  const exported = await run('audit', 'export')
  const lines = exported.stdout.trim().split('\n')
  expect(
    lines.map((line) => JSON.parse(line)).map(({ act, actor, subject }) => [act, actor, subject]),
  ).toEqual([
    ['key.create', 'cli:alice', created.id],
    ['webhook.add', 'cli:alice', webhook],
    ['webhook.rotate', 'cli:alice', webhook],
    ['webhook.disable', 'cli:alice', webhook],
    ['webhook.enable', 'cli:alice', webhook],
    ['key.revoke', 'cli:alice', created.id],
    ['webhook.remove', 'cli:alice', webhook],
  ])
  for (const canary of [created.key, secret, 'secret-path']) expect(exported.stdout).not.toContain(canary)
  const listed = await run('audit', 'list', '--act', 'key.')
  expect(listed.stdout).toMatch(
    /^6 {2}.* {2}cli:alice {2}.* {2}key\.revoke .*\n {2}disabledWebhooks: \["whe_.*\n {2}kind: "secret" → nothing/,
  )

  const file = join(folder, 'audit.ndjson')
  await writeFile(file, exported.stdout)
  expect((await run('audit', 'verify', '--against', file, '--json')).json()).toMatchObject({
    ...{ holds: true, entries: 7, compared: 7 },
  })
  const [third = ''] = lines.slice(2)
  for (const [changed, problem] of [
    [
      [...lines.slice(0, 2), third.replace(/"actor":"[^"]*"/, '"actor":"cli:mallory"'), ...lines.slice(3)],
      'changed',
    ],
    [[...lines, third.replace(/"hash":"[^"]*"/, `"hash":"${'0'.repeat(64)}"`)], 'another act'],
  ] as const) {
    await writeFile(file, changed.join('\n'))
    const refused = await run('audit', 'verify', '--against', file, '--json')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.json().error).toMatchObject({
      ...{ code: 'AUDIT_BROKEN', message: expect.stringContaining(problem) },
    })
  }
  await writeFile(file, lines.slice(1, 4).join('\n'))
  expect((await run('audit', 'verify', '--against', file, '--json')).json()).toMatchObject({ compared: 3 })
  // Half a line, as a full disk leaves it in AUDIT_FILE, and then the whole one.
  const half = third.slice(0, 50)
  await writeFile(file, [...lines.slice(0, 2), half, ...lines].join('\n'))
  expect((await run('audit', 'verify', '--against', file, '--json')).json()).toMatchObject({ compared: 7 })
  await writeFile(file, [...lines.slice(0, 2), half, ...lines.slice(0, 2)].join('\n'))
  expect(await run('audit', 'verify', '--against', file)).toMatchObject({ code: 2 })
  await database.db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql`update audit_log set actor = 'cli:mallory' where position = 4`.execute(transaction)
  })
  const broken = await run('audit', 'verify', '--json')
  expect(broken).toMatchObject({ code: 1 })
  expect(broken.json().error).toMatchObject({
    code: 'AUDIT_BROKEN',
    message: expect.stringContaining('at 4'),
  })
  await writeFile(file, 'x')
  expect(await run('audit', 'verify', '--against', file)).toMatchObject({ code: 2 })
})

test('behavior: a start records what changed in the configuration, with digests of secrets', async () => {
  await using database = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const policies = join(folder, 'policies.json')
  await writeFile(policies, '[]')
  const variables = {
    API_KEYS: 'web:canary-of-32-characters-xxxxxxxx',
    POLICIES_FILE: policies,
  }
  const start = (changes: Readonly<Record<string, string>> = {}) =>
    recordConfiguration(readEnv({ ...variables, ...changes }), database.db)
  await start()
  await start({ PORT: '4000' }) // another replica
  await start({ RATE_LIMIT_CALLS: '5' })
  await start({ RATE_LIMIT_CALLS: '5', API_KEYS: 'web:canary-of-32-characters-yyyyyyyy' })
  await writeFile(policies, '[ ]')
  await start({ RATE_LIMIT_CALLS: '5', API_KEYS: 'web:canary-of-32-characters-yyyyyyyy' })
  const rows = await database.db.selectFrom('audit_log').selectAll().orderBy('position').execute()
  expect(rows.map(({ act, subject }) => [act, subject])).toEqual(
    Array(4).fill(['configuration.change', 'api,attestor,settler,topUp,worker']),
  )
  expect(rows[1]).toMatchObject({ before: { RATE_LIMIT_CALLS: 1200 }, after: { RATE_LIMIT_CALLS: 5 } })
  const text = JSON.stringify(rows)
  expect(text).not.toContain('canary')
  const described = await describeConfiguration(
    readEnv({
      ...variables,
      DATABASE_URL: 'postgresql://lanyard:canary-password@localhost/lanyard',
      TOKEN_KEY: '{"kty":"OKP","crv":"Ed25519","x":"AA","d":"canary-token-key"}',
      RELAYER_PRIVATE_KEYS: `0x${'ca'.repeat(32)}`,
    }),
  )
  for (const name of ['DATABASE_URL', 'API_KEYS', 'TOKEN_KEY', 'RELAYER_PRIVATE_KEYS'])
    expect(described[name]).toMatch(/^scrypt:[0-9a-f]{32}$/)
})
