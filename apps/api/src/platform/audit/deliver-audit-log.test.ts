/** @module-tag all */

import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
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
async function record(db: Database, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await db.transaction().execute((transaction) =>
      recordAct(transaction, {
        actor: 'cli:alice',
        source: 'bastion',
        act: 'key.create',
        after: { index },
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
    expect(destination.name).not.toContain('token')
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
})
