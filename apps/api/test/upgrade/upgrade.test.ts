/** @module-tag all */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshDatabase, migrations, testEngines } from '@lanyard/database/testing'
import { startNode, writeNetworksFile } from '@lanyard/devnet'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { createTestClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { startConfigured } from '../start-configured.ts'
import type { Snapshot } from './snapshot.ts'

/*
 * This version takes over from each frozen release: its database, its settings and keys, its webhooks and its client.
 * `make-snapshot.ts` freezes one, at each minor release.
 */

const folder = fileURLToPath(new URL('.', import.meta.url))
const releases = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name))
const canRun = testEngines().includes('postgresql') && spawnSync('psql', ['--version']).error === undefined

/**
 * What a caller of the release may rely on and misses: each member, and the type of its value. Lists and members may grow.
 */
function missing(recorded: unknown, actual: unknown, path = ''): readonly string[] {
  if (recorded === null) return []
  if (Array.isArray(recorded)) {
    if (!Array.isArray(actual)) return [`${path} is no list`]
    return recorded.length > 0 && actual.length > 0 ? missing(recorded[0], actual[0], `${path}[0]`) : []
  }
  if (typeof recorded !== 'object')
    return typeof actual === typeof recorded ? [] : [`${path} is ${typeof actual}, not ${typeof recorded}`]
  if (typeof actual !== 'object' || actual === null) return [`${path} is missing`]
  return Object.entries(recorded).flatMap(([name, member]) =>
    missing(member, Reflect.get(actual, name), `${path}.${name}`),
  )
}

test('behavior: the first release is frozen', () => {
  expect(releases).toContain('0.1.0')
})

test.skipIf(!canRun).each(releases)(
  'behavior: the service takes over database, settings, keys, webhooks and clients of %s',
  async (release) => {
    const read = (name: string) => readFileSync(join(folder, release, name), 'utf8')
    const snapshot: Snapshot = JSON.parse(read('snapshot.json'))
    const { settings, network, fresh, spent } = snapshot

    await using database = await freshDatabase('postgresql', { migrated: false })
    const file = join(folder, release, 'database.sql')
    const loaded = spawnSync('psql', ['-qXv', 'ON_ERROR_STOP=1', '-f', file, database.url ?? ''], {
      encoding: 'utf8',
    })
    expect(loaded.stderr).toBe('')

    const received: { type: string; data: { account: string } }[] = []
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const headers = request.headers as Record<string, string>
      received.push(new Webhook(snapshot.webhook.secret).verify(body, headers) as (typeof received)[number])
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void receiver.close())
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    await sql`update webhook_endpoints set url = ${hook}, failing_since = null, failures = 0, next_attempt_at = null
      where id = ${snapshot.webhook.id}`.execute(database.db)

    // A chain on which the release's accounts are still counterfactual, as far as the blocks that it has read.
    await using node = await startNode()
    const chain = createTestClient({ mode: 'anvil', transport: http(node.rpcUrl) })
    await chain.mine({ blocks: 200 })
    const directory = mkdtempSync(join(tmpdir(), 'lanyard-upgrade-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, [node])
    const env = { ...settings, NETWORKS_FILE: networksFile, DATABASE_URL: database.url ?? '' }
    await using service = await startConfigured(env)

    const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      database.db,
    )
    expect(applied.rows.map(({ name }) => name)).toEqual(Object.keys(migrations))

    const [, configuredKey = ''] = settings.API_KEYS?.split(':') ?? []
    for (const { path, status, answer } of snapshot.requests) {
      const response = await fetch(service.url + path, { headers: { 'x-api-key': configuredKey } })
      expect([path, response.status]).toEqual([path, status])
      expect(missing(answer, await response.json(), path)).toEqual([])
    }

    // The client of the release, which verifies what it signs.
    const { createLanyardClient, send }: typeof import('@lanyard/client') = await import(
      join(folder, release, 'client.js')
    )
    for (const apiKey of [configuredKey, snapshot.databaseKey]) {
      const { networks } = await createLanyardClient({ baseUrl: service.url, apiKey }).system.networks()
      expect(networks.map((one) => String(one.network))).toEqual([network])
    }
    const client = createLanyardClient({ baseUrl: service.url, apiKey: snapshot.databaseKey })
    await client.wallet.faucet({ walletAddress: fresh.address, network })
    const transactionDetails = [{ targetContractAddress: spent.address, value: '1000', encodedData: '0x' }]
    const request = { network, walletAddress: fresh.address, transactionDetails }
    expect(await send(client, { request, signer: privateKeyToAccount(fresh.key) })).toMatchObject({
      success: true,
    })

    // A list that only its user's token shows.
    const listCredentials = async (headers: Record<string, string>) =>
      (
        await fetch(`${service.url}/v3/webauthn/credentials`, {
          headers: { 'x-api-key': configuredKey, ...headers },
        })
      ).status
    expect(await listCredentials({ authorization: `Bearer ${snapshot.token}` })).toBe(200)
    expect(await listCredentials({})).toBe(401)

    const origin = 'https://shop.example'
    const ofPage = { 'x-api-key': snapshot.publishableKey, origin }
    expect((await fetch(`${service.url}/networks`, { headers: ofPage })).status).toBe(200)
    expect(
      (await fetch(`${service.url}/networks`, { headers: { ...ofPage, origin: 'https://other.example' } }))
        .status,
    ).toBe(403)

    await expect
      .poll(() =>
        received.flatMap(({ type, data }) =>
          data.account.toLowerCase() === fresh.address.toLowerCase() ? [type] : [],
        ),
      )
      .toContain('operation.included')
  },
)
