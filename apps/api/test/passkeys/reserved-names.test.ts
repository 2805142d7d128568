import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../http-service.ts'
import { Authenticator } from './authenticator.ts'
import { origin, type PasskeyService, startPasskeyService } from './passkey-service.ts'

/** Asks for a name as the wallet does: whether it is free, and for the options with which it is registered. */
async function statusOf(service: PasskeyService, username: string) {
  const path = `/api/user/check-username?username=${encodeURIComponent(username)}`
  const { body } = await ask(service.service.url + path)
  const options = await service.registerOptions(username)
  return { said: body.message, status: options.status, code: options.body.code }
}

const reserved = { said: expect.stringMatching(/reserved/), status: 400, code: 'USERNAME_REFUSED' }

describe('without a setting', () => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test.each(['admin', 'Support', 'lanyard', 'Ianyard', 'lanyard-support', '\u0455upport'])(
    'error: USERNAME_REFUSED for %s',
    async (name) => {
      const found = await statusOf(service, name)
      expect([found.status, found.code]).toEqual([400, 'USERNAME_REFUSED'])
    },
  )

  test('error: USERNAME_REFUSED says that the name is reserved, also before it is tried', async () => {
    expect(await statusOf(service, 'admin')).toMatchObject(reserved)
  })

  test('error: the options of another name do not register a reserved one', async () => {
    const { body } = await service.registerOptions('somebody-else')
    const { status } = await service.registerVerify('admin', new Authenticator(origin).create(body))
    expect(status).toBe(400)
    expect((await ask(`${service.service.url}/user?username=admin`)).status).toBe(404)
  })
})

test("behavior: the operator's list replaces ours, and the wallet's own name is always reserved", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-brand-'))
  try {
    const file = join(folder, 'brand.json')
    await writeFile(file, JSON.stringify({ name: 'Harbour Pay' }))
    await using service = await startPasskeyService({
      environment: { RESERVED_USERNAMES: 'acme', BRAND_FILE: file },
    })
    for (const name of ['acme', '\u0410cme', 'harbour-pay', 'HarbourPay', 'harb0ur pay'])
      expect([name, (await service.registerOptions(name)).body.code]).toEqual([name, 'USERNAME_REFUSED'])
    expect((await service.registerOptions('admin')).status).toBe(200)
  } finally {
    await rm(folder, { recursive: true })
  }
})
