/** @module-tag all */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService } from '../passkeys/passkey-service.ts'

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const base = '/smart-account/guardians'

test('default: a friend answers once, and only the user sees who', async () => {
  const alice = await service.register('alice')
  const ben = await service.register('ben')
  const { body } = await service.post<{ invitation: string }>(`${base}/invite`, { label: 'Ben' }, alice.token)
  const { invitation } = body
  const shown = await service.get(`${base}/invitation?invitation=${invitation}`)
  expect(shown).toMatchObject({ status: 200, body: { account: alice.address, username: 'alice' } })

  const accept = (guardian: string, token = invitation) =>
    service.post(`${base}/accept`, { invitation: token, guardian })
  expect(await accept('ben', 'AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({
    ...{ status: 404, body: { code: 'UNKNOWN_INVITATION' } },
  })
  expect(await accept('nobody')).toMatchObject({ body: { code: 'UNKNOWN_WALLET' } })
  const answer = { guardian: ben.address, username: 'ben' }
  expect(await accept('ben')).toMatchObject({ status: 200, body: answer })
  expect(await accept(ben.address)).toMatchObject({ status: 200, body: answer })
  expect(await accept(alice.address)).toMatchObject({
    ...{ status: 409, body: { code: 'INVITATION_ANSWERED' } },
  })
  expect(await service.get(`${base}/invitations`, alice.token)).toMatchObject({
    body: { invitations: [{ label: 'Ben', answer }] },
  })
  expect(await service.get(`${base}/invitations`, ben.token)).toMatchObject({ body: { invitations: [] } })
})

test('behavior: the oldest of more than 32 invitations ends', async () => {
  const { token } = await service.register('carol')
  const invite = async (label: string) =>
    (await service.post<{ invitation: string }>(`${base}/invite`, { label }, token)).body.invitation
  const first = await invite('first')
  for (let i = 0; i < 32; i++) await invite(`${i}`)
  const { body } = await service.get<{ invitations: unknown[] }>(`${base}/invitations`, token)
  expect(body.invitations).toHaveLength(32)
  expect(await service.get(`${base}/invitation?invitation=${first}`)).toMatchObject({ status: 404 })
})
