/** @module-tag all */
// @promise 25
import { randomBytes, randomUUID } from 'node:crypto'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { sql } from 'kysely'
import { toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueChallenge } from '../../src/domain/accounts/passkeys/challenges.ts'
import { keepSignedChange } from '../../src/domain/owners/ownership/signed-change.ts'
import { keepSignature } from '../../src/domain/owners/recovery/keep-signature.ts'
import { reserveSigned } from '../../src/domain/owners/reserve-signed.ts'
import type { Meter } from '../../src/platform/load/meter.ts'
import { runInRequest } from '../../src/platform/log/current-request.ts'

const rows = 800

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

/** Bytes that a row adds to these tables and their indexes. */
async function bytesPerRow(tables: readonly string[], insert: () => Promise<void>): Promise<number> {
  const before = await bytesOf(tables)
  await insert()
  return ((await bytesOf(tables)) - before) / rows
}

async function bytesOf(tables: readonly string[]): Promise<number> {
  const names = sql.join(tables.map((table) => sql`${table}::regclass`))
  const { rows: sizes } = await sql<{ size: number }>`
    select sum(pg_total_relation_size(name))::float8 as size from unnest(array[${names}]) as name`.execute(
    database.db,
  )
  return sizes[0]?.size ?? Number.NaN
}

/** docs/operations.md lists what a third party can make grow, with these figures. */
test('behavior: a new account takes at most what is charged for it', async () => {
  const bytes = await bytesPerRow(['users', 'accounts'], async () => {
    for (let index = 1; index <= rows; index++) {
      const address = toHex(index, { size: 20 })
      const deployment = { version: 'safe-1.4.1', singleton: address, proxyFactory: address, module: address }
      await createEoaAccount(database.db, { address, eoaAddress: address, deployment, createdAt: new Date() })
    }
  })
  reportFigure(25, 'bytes of an account', Math.round(bytes))
  expect(bytes).toBeLessThan(2_304)
})

test('behavior: a challenge is small', async () => {
  const bytes = await bytesPerRow(['challenges'], async () => {
    for (let index = 0; index < rows; index++)
      await issueChallenge(database.db, {
        ceremony: 'register',
        subject: randomUUID(),
        userId: null,
        now: new Date(),
      })
  })
  reportFigure(25, 'bytes of a challenge', Math.round(bytes))
  expect(bytes).toBeLessThan(512)
})

/** Bytes that a request is charged for what it stores. */
function chargeOf(store: () => Promise<void> | void): Promise<number> {
  let charged = 0
  const meter: Pick<Meter, 'reserveSpace' | 'addGas'> = {
    addGas: () => {},
    reserveSpace: () => ({
      charge(bytes) {
        charged += bytes
      },
      release: () => {},
    }),
  }
  return new Promise((resolve, reject) => {
    // Only these two are used.
    runInRequest({ requestId: randomUUID(), meter: meter as Meter }, () => {
      Promise.resolve(store()).then(() => resolve(charged), reject)
    })
  })
}

/* An owner who names guardians of their own can sign both again and again, and no network has to get them. */
test('behavior: what owners and guardians sign takes at most what is charged for it', async () => {
  const networks = [31337, 31338, 31339]
  const account = toHex(1, { size: 20 })
  const now = new Date()
  // Random bytes do not compress.
  const random = (size: number) => toHex(new Uint8Array(randomBytes(size)))
  const [data, signature] = [random(800), random(65)]
  const kind = zeroHash
  const ofChange = await bytesPerRow(['owner_changes', 'message_progress'], async () => {
    for (let index = 0; index < rows; index++) {
      const change = { sequence: BigInt(index), kind, data: random(800), signature: random(65) }
      const named = { ...change, hash: random(32), sentBy: 'app' }
      await keepSignedChange(database.db, account, named, { networks, now })
    }
  })
  const chargedForChange = await chargeOf(() => reserveSigned([data, signature], networks.length))
  reportFigure(25, 'bytes of an owner change', Math.round(ofChange))
  expect(ofChange).toBeLessThan(chargedForChange)

  const owners = () => Array.from({ length: 16 }, () => ({ kind: 'eoa', address: random(20) }) as const)
  const keep = () =>
    keepSignature(
      database.db,
      {
        // Each of another account: too few guardians would replace their own.
        ...{ account: random(20), hash: random(32), sequence: BigInt(rows), number: 1n },
        target: { newOwners: owners(), newThreshold: 1n, result: random(32) },
        ...{ head: zeroHash, sentBy: 'app', createdAt: now },
      },
      [{ guardian: account, signature: random(65), network: 0 }],
      { guarded: [], networks, now, isAccepted: true },
    )
  let chargedForRecovery = 0
  const ofRecovery = await bytesPerRow(
    ['recoveries', 'recovery_signatures', 'message_progress'],
    async () => {
      for (let index = 0; index < rows; index++) chargedForRecovery = await chargeOf(keep)
    },
  )
  reportFigure(25, 'bytes of a recovery', Math.round(ofRecovery))
  expect(ofRecovery).toBeLessThan(chargedForRecovery)
})
