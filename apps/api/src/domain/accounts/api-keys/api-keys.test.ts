import { setTimeout as delay } from 'node:timers/promises'
import { describeEachEngine, freshDatabase, testEngines } from '@lanyard/database/testing'
import { exportJWK, generateKeyPair } from 'jose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readEnv } from '../../../platform/environment/env.ts'
import { openSigningKeys } from '../tokens/signing-key.ts'
import { createApiKeys, freshFor, revocationCheck } from './api-keys.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './manage-api-keys.ts'
import { requireSecretKey } from './require-secret-key.ts'
import { deriveWalletKey } from './wallet-key.ts'

const log = pino({ level: 'silent' })
const now = new Date('2026-01-01T00:00:00Z')
const server = { kind: 'secret', name: 'server', origins: [] } as const
const app = { kind: 'publishable', name: 'app', origins: ['https://app.example'] } as const

/** Milliseconds until a change applies on every replica: the documented time and a margin. */
const seconds = 2_100

test("behavior: the wallet's key is derived from the token signing key, so every replica has the same one", async () => {
  await using database = await freshDatabase()
  const derive = async () =>
    deriveWalletKey((await openSigningKeys({ database: database.db, now: () => now, log }))[0], [])
  const [first, second] = [await derive(), await derive()]
  expect(first).toEqual(second)
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const [other] = await openSigningKeys({ database: database.db, now: () => now, log }, [
    await exportJWK(privateKey),
  ])
  expect((await deriveWalletKey(other, [])).text).not.toBe(first.text)
})

describeEachEngine('API keys in the database', (engine) => {
  const keysOf = (database: Awaited<ReturnType<typeof freshDatabase>>, env: Record<string, string> = {}) =>
    createApiKeys({ env: readEnv(env), database: database.db, log, walletKeys: [] })

  test('default: created keys are found with their kind and origins', async () => {
    await using database = await freshDatabase(engine)
    const made = await createApiKey(database.db, server, now)
    const forApp = await createApiKey(database.db, app, now)
    expect(made.key).toMatch(/^lk_secret_[\w-]{51}$/)
    expect(forApp.key).toMatch(/^lk_public_[\w-]{51}$/)
    const keys = keysOf(database)
    expect(await keys.find(made.key)).toMatchObject(server)
    expect(await keys.find(forApp.key)).toMatchObject(app)
    expect([await keys.isOrigin('https://app.example'), await keys.isOrigin('https://evil.example')]).toEqual(
      [true, false],
    )
  })

  test('behavior: stored and listed rows do not reveal the key', async () => {
    await using database = await freshDatabase(engine)
    const { id, key } = await createApiKey(database.db, server, now)
    const stored = await database.db.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(key.slice(id.length))
    expect(await listApiKeys(database.db)).toEqual([
      {
        ...{ id, kind: 'secret', name: 'server', origins: [], scope: 'full', project: null },
        ...{ created_at: now, revoked_at: null },
      },
    ])
  })

  test('behavior: an id, a changed key and a key with another id are not found', async () => {
    await using database = await freshDatabase(engine)
    const [one, other] = [
      await createApiKey(database.db, server, now),
      await createApiKey(database.db, app, now),
    ]
    const keys = keysOf(database)
    const last = one.key.at(-1) === 'A' ? 'B' : 'A'
    const mixed = other.id + one.key.slice(one.id.length)
    for (const text of [one.id, one.key.slice(0, -1) + last, `${one.key}A`, mixed, '']) {
      expect(await keys.find(text), text).toBeUndefined()
    }
  })

  test('behavior: a revoked key stops working on every replica within seconds and cannot be revoked again', async () => {
    await using database = await freshDatabase(engine)
    const { id, key } = await createApiKey(database.db, server, now)
    const replicas = [keysOf(database), keysOf(database)]
    for (const keys of replicas) expect(await keys.find(key)).toBeDefined()
    expect(await revokeApiKey(database.db, id, now)).toMatchObject({ kind: expect.any(String) })
    expect(await revokeApiKey(database.db, id, now)).toBeUndefined()
    await delay(seconds)
    for (const keys of replicas) expect(await keys.find(key)).toBeUndefined()
  })

  test('behavior: a stream learns that its key is revoked by the first look after the last reading is too old', async () => {
    await using database = await freshDatabase(engine)
    const { id, key } = await createApiKey(database.db, server, now)
    let time = 0
    const keys = createApiKeys({
      ...{ env: readEnv({}), database: database.db, log, walletKeys: [] },
      clock: () => time,
    })
    const found = await keys.find(key)
    if (!found) throw new Error('The key was just created.')
    await revokeApiKey(database.db, id, now)
    const closing = new AbortController()
    const revoked = keys.revocationOf(found, closing.signal)
    time = freshFor - 1
    await delay(2 * revocationCheck)
    expect(revoked.aborted).toBe(false)
    time = freshFor
    await expect.poll(() => revoked.aborted).toBe(true)
    closing.abort()
    // The documents promise two seconds. The rest is for the reading itself.
    expect(freshFor + revocationCheck).toBeLessThanOrEqual(1_750)
  })

  test('behavior: keys are required from the first key on, even after the last one is revoked', async () => {
    await using database = await freshDatabase(engine)
    expect(await keysOf(database).needed()).toBe(false)
    const { id } = await createApiKey(database.db, server, now)
    expect(await keysOf(database).needed()).toBe(true)
    await revokeApiKey(database.db, id, now)
    expect(await keysOf(database).needed()).toBe(true)
    expect(await keysOf(database, { ALLOW_ANONYMOUS: 'true' }).needed()).toBe(false)
  })

  test('behavior: production needs a secret key in the environment or in the database', async () => {
    await using database = await freshDatabase(engine)
    const production = readEnv({
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql://localhost/lanyard',
      TOKEN_KEY: '{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}',
    })
    await expect(requireSecretKey(production, database.db)).rejects.toThrow(/API_KEYS: needed in production/)
    await expect(
      requireSecretKey({ ...production, ALLOW_ANONYMOUS: true }, database.db),
    ).resolves.toBeUndefined()
    await createApiKey(database.db, app, now)
    await expect(requireSecretKey(production, database.db)).rejects.toThrow(/API_KEYS/)
    await createApiKey(database.db, server, now)
    await expect(requireSecretKey(production, database.db)).resolves.toBeUndefined()
  })

  test('error: DATABASE_UNAVAILABLE for a key that may be revoked; keys of the environment still work', async () => {
    await using database = await freshDatabase(engine)
    const { key } = await createApiKey(database.db, server, now)
    const keys = keysOf(database, { API_KEYS: 'web:a-secret-of-32-characters-xxxxxx' })
    expect(await keys.find(key)).toBeDefined()
    await database.close()
    await delay(seconds)
    await expect(keys.find(key)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(await keys.find('a-secret-of-32-characters-xxxxxx')).toMatchObject({ kind: 'secret', name: 'web' })
    expect(await keys.needed()).toBe(true)
  })
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: a key is found although the database takes long to answer',
  async () => {
    await using database = await freshDatabase('postgresql')
    const { key } = await createApiKey(database.db, server, now)
    const keys = createApiKeys({ env: readEnv({}), database: database.db, log, walletKeys: [] })
    const client = await database.pool?.connect()
    await client?.query('begin; lock table api_keys in access exclusive mode')
    const finding = Promise.all([keys.find(key), keys.find(key)])
    await delay(1_500)
    await client?.query('commit')
    client?.release()
    expect(await finding).toMatchObject([server, server])
  },
)
