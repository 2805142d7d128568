/** @module-tag all */
import { identityNonce } from '@lanyard/accounts'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardianRequests, newOwner } from '../owners/guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from '../owners/ownership-service.ts'
import { restClient } from '../rest.ts'
import { identityEnvironment, type LoginProvider, startLoginProvider } from './start-login-provider.ts'

let provider: LoginProvider
let service: OwnershipService
beforeAll(async () => {
  provider = await startLoginProvider()
  service = await startOwnershipService([31337], { environment: identityEnvironment(provider) })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

const as = (token: string) => restClient(service.service.url, { authorization: `Bearer ${token}` })

/** Signs in with the EOA, and links a login. */
async function link(wallet: { address: Address; owner: ReturnType<typeof newOwner> }, sub: string) {
  const { body } = await service.rest.post('/login/message', {
    ...{ walletAddress: wallet.address, eoaAddress: wallet.owner.address },
  })
  const signature = await wallet.owner.signMessage({ message: body.message })
  const { token } = (await service.rest.post('/login/verify', { message: body.message, signature })).body
  const idToken = await provider.forge({
    ...{ sub, nonce: identityNonce({ act: 'link', account: wallet.address }) },
  })
  const answer = await as(token).post('/login/identity/link', { idToken })
  expect(answer).toMatchObject({ status: 200 })
  return { token, id: answer.body.id as string }
}

test('a login asks guardians: the owner is told, nothing starts, and three a day are enough', async () => {
  const { createGuardedWallet, recoveryOf } = guardianRequests(service)
  const wallet = await createGuardedWallet()
  const { token, id } = await link(wallet, 'alice')
  const added = newOwner()
  const ask = async (sub: string, nonceFor: Address, owner = added.address) => {
    const nonce = identityNonce({
      ...{ act: 'ask-guardians', account: nonceFor, newOwner: { kind: 'eoa', address: added.address } },
    })
    return service.rest.post('/login/identity/ask-guardians', {
      ...{ idToken: await provider.forge({ sub, nonce }), newOwner: { address: owner } },
    })
  }
  // Somebody without a linked login, and a token that names another key or account.
  expect((await ask('mallory', wallet.address)).body.code).toBe('UNKNOWN_IDENTITY')
  expect((await ask('alice', wallet.address, newOwner().address)).body.reason).toBe('NONCE')
  expect((await ask('alice', added.address)).body.reason).toBe('NONCE')
  const stolen = await provider.forge({ sub: 'alice' })
  expect(
    (
      await service.rest.post('/login/identity/ask-guardians', {
        idToken: stolen,
        newOwner: { address: added.address },
      })
    ).body.reason,
  ).toBe('NONCE')

  const asked = await ask('alice', wallet.address)
  expect(asked).toMatchObject({
    status: 200,
    body: { newOwner: { address: added.address }, issuer: provider.issuer },
  })
  const { body: status } = await recoveryOf(wallet.address)
  expect(status).toMatchObject({ request: asked.body, recoveries: [] })
  expect(status.networks[0]).not.toHaveProperty('running')
  const ownership = await service.rest.get(`/smart-account/ownership?walletAddress=${wallet.address}`)
  expect(ownership.body.request).toEqual(asked.body)
  const events = await service.database.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('account', '=', wallet.address.toLowerCase())
    .where('type', '=', 'recovery.requested')
    .execute()
  expect(events).toMatchObject([{ data: { newOwner: { address: added.address }, issuer: provider.issuer } }])

  // Two at once, and then no more.
  const more = await Promise.all([1, 2, 3].map(() => ask('alice', wallet.address)))
  expect(more.map((one) => one.status).toSorted()).toEqual([200, 200, 429])
  expect((await ask('alice', wallet.address)).body.retryAfter).toBeGreaterThan(80_000)

  // Who unlinks the login withdraws what it asked.
  expect(await as(token).post('/login/identity/unlink', { id })).toMatchObject({ status: 200 })
  expect((await recoveryOf(wallet.address)).body).not.toHaveProperty('request')
})

test('error: NO_GUARDIANS for an account that has none', async () => {
  const wallet = await service.createOwnedWallet()
  await link(wallet, 'bob')
  const { address } = newOwner()
  const nonce = identityNonce({
    ...{ act: 'ask-guardians', account: wallet.address, newOwner: { kind: 'eoa', address } },
  })
  const answer = await service.rest.post('/login/identity/ask-guardians', {
    ...{ idToken: await provider.forge({ sub: 'bob', nonce }), newOwner: { address } },
  })
  expect(answer.body.code).toBe('NO_GUARDIANS')
})
