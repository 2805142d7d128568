import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventTypes } from '@lanyard/contracts'
import { randomInteger } from '@lanyard/testing'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

import { createSecrets, signWebhook } from './webhooks/webhook-secrets.ts'

const page = await readFile(new URL('../../../../../docs/events.md', import.meta.url), 'utf8')

test('behavior: docs/events.md lists every type of event', () => {
  const listed = [...page.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type)
  expect(listed).toEqual(eventTypes)
})

test('behavior: the example of docs/events.md accepts signed messages only', async () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  // The file is in a folder from which its dependencies can be resolved.
  const folder = join(import.meta.dirname, '../../../node_modules/.cache')
  const file = join(folder, `events-example-${process.pid}-${randomInteger(2 ** 31)}.mjs`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, example)
  try {
    const { receive } = await import(file)
    const owner = { id: 'whe_1', encryptionKey: undefined }
    const { secret, stored } = createSecrets(owner)
    const now = new Date()
    const send = (message: object, id: string) => {
      const body = JSON.stringify(message)
      return [secret, signWebhook(stored, { id, body, now, owner }) ?? {}, body] as const
    }
    const event = { type: 'operation.final', data: { account: '0x1' } }
    expect(receive(...send(event, 'evt_1'))).toBe('operation.final of 0x1')
    expect(receive(...send(event, 'evt_1'))).toBe('known')
    expect(receive(...send({ ...event, gap: { missed: 1 } }, 'evt_2'))).toBe('ask for the state')
    const [, headers, body] = send(event, 'evt_3')
    expect(() => receive(secret, headers, `${body} `)).toThrow()
    expect(() => receive(createSecrets(owner).secret, headers, body)).toThrow()
    expect(new Webhook(secret).verify(body, headers)).toEqual(event)
  } finally {
    await rm(file)
  }
})
