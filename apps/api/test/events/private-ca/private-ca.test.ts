/** @module-tag all */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A receiver whose certificate an authority of its own company signed. The key protects nothing but this test. */
const receiver = createServer(
  { cert: readFileSync(pathOf('receiver.pem')), key: readFileSync(pathOf('receiver-key.pem')) },
  (_request, response) => response.end('thanks'),
)
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => receiver.close(resolve)))

async function post(environment: Record<string, string>) {
  const { port } = receiver.address() as AddressInfo // it listens on TCP
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('post-once.ts', import.meta.url)), `https://localhost:${port}/events`],
    { env: { PATH: process.env.PATH, ...environment } },
  )
  return JSON.parse(stdout)
}

test('behavior: a receiver behind a private authority gets webhooks once NODE_EXTRA_CA_CERTS names the authority', async () => {
  expect(await post({})).toEqual({ status: null, text: expect.stringContaining('certificate') })
  expect(await post({ NODE_EXTRA_CA_CERTS: pathOf('authority.pem') })).toEqual({
    status: 200,
    text: 'thanks',
  })
})
