/** @module-tag all */
// @promise 10

import { randomPrivateKey } from '@lanyard/testing'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPasskeyService } from '../../../../test/passkeys/passkey-service.ts'
import type { RequestContext } from '../../../pipeline/request-context.ts'
import type { ApiKey } from '../api-keys/api-key.ts'
import { requireOrderAuthority } from './require-order-authority.ts'

const start = (local: boolean) =>
  startPasskeyService({ local, environment: { RELAYER_PRIVATE_KEYS: randomPrivateKey() } })
let service: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  service = await start(false)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const secret: ApiKey = { kind: 'secret', name: 'server', origins: [] }
const publishable: ApiKey = { kind: 'publishable', name: 'app', origins: ['https://app.example'] }

/** The part of the context that `requireOrderAuthority` reads. */
const contextOf = (userToken?: string, apiKey?: ApiKey, of = service): RequestContext => ({
  services: of.service.services,
  project: of.service.services.project,
  requestId: 'test',
  log: of.service.services.log,
  userToken,
  apiKey,
  address: '192.0.2.1',
  origin: undefined,
  traceparent: undefined,
  note: () => {},
  idempotencyKey: undefined,
  chargeSent: () => {},
  setHeader: () => {},
})

test("default: a secret key or the owner's token gives authority", async () => {
  const owner = await service.register('owner')
  const other = await service.register('other')
  const ask = (token?: string, apiKey?: ApiKey) => requireOrderAuthority(contextOf(token, apiKey), owner)
  await expect(ask(undefined, secret)).resolves.toBeUndefined()
  await expect(ask(owner.token)).resolves.toBeUndefined()
  await expect(ask(owner.token, publishable)).resolves.toBeUndefined()
  for (const key of [undefined, publishable]) {
    await expect(ask(undefined, key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(ask('not.a.token', key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(ask(other.token, key)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
})

test('behavior: with local networks only, any caller has authority', async () => {
  await using local = await start(true)
  const wallet = await local.register('owner')
  await expect(requireOrderAuthority(contextOf(undefined, undefined, local), wallet)).resolves.toBeUndefined()
})
