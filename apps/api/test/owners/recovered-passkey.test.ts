/** @module-tag all */
import {
  type AccountOwner,
  defaultVerifiers,
  encodeAddOwner,
  recoveryTypedData,
  verifyRecovery,
} from '@lanyard/accounts'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { bytesToBigInt, bytesToHex, parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { Authenticator, type CreationOptions } from '../passkeys/authenticator.ts'
import { guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const network = 31337
const origin = 'http://localhost:3000'
const delay = 86_400

test('behavior: with nothing but the username, a new passkey recovers the account and signs in', async () => {
  let setRules: RpcProxy['set'] = () => {}
  await using service = await startOwnershipService([network], {
    async startProxy({ rpcUrl }) {
      const proxy = await startRpcProxy(rpcUrl)
      setRules = proxy.set
      return proxy
    },
  })
  const { rest } = service
  const { chain } = service.on(network)
  const requests = guardianRequests(service)

  // An account with the module, an EOA as further owner, and a guardian.
  const { username, address, passkey: lost, options, verify } = await service.createPasskeyUser()
  const { body: status } = await service.statusOf(address)
  await chain.setBalance({ address, value: parseEther('1') })
  const { transactionDetails } = status.networks[0]
  const built = await options({ network: String(network), transactionDetails })
  expect(await verify(built.body)).toMatchObject({ status: 200 })
  const [second, anna] = [newOwner(), newOwner()]
  const added = encodeAddOwner({ account: address, owner: second.address })
  await service.callAs(network, address, added.to, added.data)
  const guardians = { members: [anna.address], threshold: 1, delay }
  await service.change({ address }, second, { kind: 'setGuardians', guardians })
  await service.waitForChange(address, '0')
  const listed = await rest.get(`/smart-account/guardians?account=${username}`)
  expect(listed.body).toMatchObject({
    account: address,
    username,
    guardians: [{ guardian: anna.address, kind: 'unknown' }],
  })
  expect(listed.body.networks).toMatchObject([{ status: 'up', current: { guardians } }])
  expect(listed.body.networks[0].current.since).toBeGreaterThan(0)

  // The new device.
  const named = `username=${username}`
  const created = await rest.get(`/v3/webauthn/recovery/generate-options?${named}`)
  const found = new Authenticator(origin)
  found.create(created.body as CreationOptions)
  const [x, y] = [found.x, found.y].map((bytes) => bytesToHex(bytes))
  const { body: prepared } = await requests.prepareRecovery(username, [{ x, y }])
  const owners: AccountOwner[] = [
    {
      kind: 'passkey',
      ...{ x: bytesToBigInt(found.x), y: bytesToBigInt(found.y), verifiers: defaultVerifiers },
    },
  ]
  const context = { module: prepared.module, account: address, sequence: 1n, number: 1n }
  const { messageToSign } = prepared
  expect(verifyRecovery({ ...context, newOwners: owners, messageToSign }, owners, context).ok).toBe(true)
  const signature = await anna.signTypedData(recoveryTypedData(owners, context))
  expect(
    await requests.signRecovery({
      ...{ account: username, sequence: '1', number: '1', newOwners: [{ x, y }] },
      ...{ guardian: anna.address, signature },
    }),
  ).toMatchObject({ status: 200 })

  async function signIn(device: Authenticator) {
    const { body } = await rest.get(`/webauthn/authenticate/generate-options?${named}`)
    return rest.post(`/webauthn/authenticate/verify?${named}`, device.get(body))
  }
  const waitForState = (state: string) =>
    vi.waitFor(
      async () => {
        const { body } = await requests.recoveryOf(username)
        expect(body.recoveries[0].networks).toMatchObject([{ state }])
      },
      { timeout: 180_000, interval: 500 },
    )
  await waitForState('running')
  // The guardians signed, and it still owns nothing.
  expect(await signIn(found)).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
  await chain.increaseTime({ seconds: delay + 60 })
  await chain.mine({ blocks: 1 })
  service.advance((delay + 60) * 1_000)
  await waitForState('executed')

  expect(await signIn(new Authenticator(origin))).toMatchObject({ body: { code: 'VERIFICATION_FAILED' } })
  expect(await signIn(found)).toMatchObject({ status: 200, body: { message: `Signed in as ${username}.` } })
  expect(await signIn(found)).toMatchObject({ status: 200 })

  // Whoever finds the lost passkey reads nothing any more, with the username or without.
  const gone = { status: 400, body: { code: 'VERIFICATION_FAILED' } }
  expect(await signIn(lost)).toMatchObject(gone)
  const discovered = await rest.get('/v3/webauthn/discover/generate-options')
  const assertion = lost.get(discovered.body.passkeyAuthenticationOptions)
  expect(await rest.post('/v3/webauthn/discover/verify', assertion)).toMatchObject(gone)

  // A network that does not answer proves nothing about it, and no owner was removed since the new one was registered.
  setRules({ fault: { kind: 'http', status: 500 } })
  expect(await signIn(lost)).toMatchObject({ status: 503, body: { code: 'NETWORK_UNAVAILABLE' } })
  expect(await signIn(found)).toMatchObject({ status: 200 })
})
