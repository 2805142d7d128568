/** @module-tag all */

import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { auditFile, auditReceiver, countUndelivered, deliverAuditLog } from './deliver-audit-log.ts'
import { type AuditEntry, hashEntry, noHash } from './entry.ts'
import { recordAct } from './record-act.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const now = () => new Date()

type Database = Awaited<ReturnType<typeof freshDatabase>>['db']
async function record(db: Database, count: number, text = ''): Promise<void> {
  for (let index = 0; index < count; index++) {
    await db.transaction().execute((transaction) =>
      recordAct(transaction, {
        actor: 'cli:alice',
        source: 'bastion',
        act: 'key.create',
        after: { index, text },
      }),
    )
  }
}

/** A receiver that checks signatures, and answers as the test says. */
async function startReceiver() {
  const received: { readonly id: string; readonly entries: AuditEntry[] }[] = []
  const state = { status: 204 }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = request.headers
    const expected = new Webhook(secret).sign(String(id), new Date(Number(seconds) * 1000), text)
    if (signature !== expected) return void response.writeHead(401).end()
    if (state.status < 300) {
      const entries = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry)
      received.push({ id: String(id), entries })
    }
    response.writeHead(state.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens
  return Object.assign(state, { received, url: `http://127.0.0.1:${port}/audit?token=abc` })
}

/** As a receiver checks them: without gaps, each with the hash of the one before and of itself. */
function expectChain(entries: readonly AuditEntry[], count: number): void {
  expect(entries.map(({ position }) => position)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  )
  let previous = noHash
  for (const { hash, ...entry } of entries) {
    expect(entry.previousHash).toBe(previous)
    expect(hashEntry(entry)).toBe(hash)
    previous = hash
  }
}

describeEachEngine('the audit log leaves the house', (engine) => {
  test('default: a receiver gets every act in order, signed, and each new one once', async () => {
    await using database = await freshDatabase(engine)
    const receiver = await startReceiver()
    const destination = auditReceiver(receiver.url, secret)
    // The name is in rows: parts of the path and of the query are often keys.
    expect(destination.name).toMatch(/^webhook:127\.0\.0\.1:\d+#[0-9a-f]{16}$/)
    await record(database.db, 205)
    expect(await countUndelivered(database.db, destination)).toBe(205)
    await deliverAuditLog(database.db, destination, now)
    expect(receiver.received.map(({ id }) => id)).toEqual(['audit_1-200', 'audit_201-205'])
    await record(database.db, 1)
    await deliverAuditLog(database.db, destination, now)
    await deliverAuditLog(database.db, destination, now)
    expect(receiver.received.at(-1)?.id).toBe('audit_206-206')
    expectChain(
      receiver.received.flatMap(({ entries }) => entries),
      206,
    )
    expect(await countUndelivered(database.db, destination)).toBe(0)
  })

  test('behavior: what a receiver refuses is sent again, and nothing is left out', async () => {
    await using database = await freshDatabase(engine)
    const receiver = await startReceiver()
    const destination = auditReceiver(receiver.url, secret)
    await record(database.db, 3)
    for (const status of [500, 302, 401]) {
      receiver.status = status
      const delivering = deliverAuditLog(database.db, destination, now)
      await expect(delivering).rejects.toThrow(`answered ${status}`)
    }
    expect(await countUndelivered(database.db, destination)).toBe(3)
    receiver.status = 200
    await deliverAuditLog(database.db, destination, now)
    expectChain(
      receiver.received.flatMap(({ entries }) => entries),
      3,
    )
  })

  test('behavior: a process that ends between the receiver and the row sends the same lines again', async () => {
    await using database = await freshDatabase(engine)
    const receiver = await startReceiver()
    const { name, send } = auditReceiver(receiver.url, secret)
    await record(database.db, 2)
    const ends = {
      name,
      async send(...given: Parameters<typeof send>) {
        await send(...given)
        throw new Error('ended')
      },
    }
    await expect(deliverAuditLog(database.db, ends, now)).rejects.toThrow('ended')
    await deliverAuditLog(database.db, { name, send }, now)
    expect(receiver.received.map(({ id }) => id)).toEqual(['audit_1-2', 'audit_1-2'])
    expect(receiver.received[0]).toEqual(receiver.received[1])
  })

  test('behavior: a file gets the same lines as an export, and only its owner reads it', async () => {
    await using database = await freshDatabase(engine)
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-audit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'audit.ndjson')
    for (const count of [2, 3]) {
      await record(database.db, count)
      await deliverAuditLog(database.db, auditFile(path), now)
    }
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expectChain(
      lines.map((line) => JSON.parse(line)),
      5,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(deliverAuditLog(database.db, auditFile(join(folder, 'none/audit')), now)).rejects.toThrow(
      'ENOENT',
    )
  })

  test('behavior: a request has at most a megabyte, unless one act alone is larger', async () => {
    await using database = await freshDatabase(engine)
    const receiver = await startReceiver()
    await record(database.db, 5, 'a'.repeat(400_000))
    await record(database.db, 1, 'a'.repeat(1_200_000))
    await record(database.db, 1)
    await deliverAuditLog(database.db, auditReceiver(receiver.url, secret), now)
    const ids = ['audit_1-2', 'audit_3-4', 'audit_5-5', 'audit_6-6', 'audit_7-7']
    expect(receiver.received.map(({ id }) => id)).toEqual(ids)
  })

  test('behavior: a call ends after a few requests, before its turn is over, and the next one goes on', async () => {
    await using database = await freshDatabase(engine)
    const sent: number[] = []
    const destination = {
      name: 'slow',
      send: async (_lines: string, { last }: { last: number }) => void sent.push(last),
    }
    await record(database.db, 7, 'a'.repeat(600_000))
    await deliverAuditLog(database.db, destination, now)
    expect(sent).toEqual([1, 2, 3, 4, 5])
    expect(await countUndelivered(database.db, destination)).toBe(2)
    await deliverAuditLog(database.db, destination, now)
    expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('error: a log that ends before what was delivered is not silent', async () => {
    await using database = await freshDatabase(engine)
    const receiver = await startReceiver()
    const destination = auditReceiver(receiver.url, secret)
    await record(database.db, 3)
    await deliverAuditLog(database.db, destination, now)
    // Only some tables were restored, or who owns the database wants silence.
    await database.db.updateTable('audit_deliveries').set({ position: 1_000 }).execute()
    await record(database.db, 1)
    expect(await countUndelivered(database.db, destination)).toBe(996)
    await expect(deliverAuditLog(database.db, destination, now)).rejects.toThrow('ends at 4')
    expect(receiver.received).toHaveLength(1)
  })

  test('behavior: after half a line, as a full disk leaves it, every act has a line of its own', async () => {
    await using database = await freshDatabase(engine)
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-audit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'audit.ndjson')
    await record(database.db, 1)
    await deliverAuditLog(database.db, auditFile(path), now)
    await appendFile(path, '{"position":2,"at"')
    await record(database.db, 1)
    await deliverAuditLog(database.db, auditFile(path), now)
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(lines[1]).toBe('{"position":2,"at"')
    expectChain(
      [lines[0], lines[2]].map((line) => JSON.parse(line ?? '')),
      2,
    )
    expect(lines).toHaveLength(3)
  })
})
