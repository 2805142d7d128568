/** @module-tag all */
import { encodeAddOwner, recoveryTypedData, defaultVerifiers as verifiers } from '@lanyard/accounts'
import { bytesToBigInt, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Authenticator, type CreationOptions } from '../passkeys/authenticator.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { namedKey } from './guardian-passkeys.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

/* What one hostile guardian of three can do, of whom two must sign: nothing. */

const network = 31337
const origin = 'http://localhost:3000'
const delay = 86_400

let service: OwnershipService
let requests: ReturnType<typeof guardianRequests>
beforeAll(async () => {
  service = await startOwnershipService([network])
  requests = guardianRequests(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('attack: a guardian who uses up numbers does not make the others begin again', async () => {
  const { address, guardians } = await requests.createGuardedWallet()
  const [anna, ben, hostile] = guardians
  const right = newOwner()
  const next = right.address
  const prepare = async (owner: typeof right) =>
    (await requests.prepareRecovery(address, [await consenting(owner, address)])).body
  const signOther = async () => {
    const other = newOwner()
    const signed = await requests.signBy(hostile, await prepare(other), other.address)
    expect(await requests.signRecovery(signed)).toMatchObject({ status: 200 })
  }

  await signOther()
  const first = await prepare(right)
  expect(first.number).toBe('2')
  await requests.signRecovery(await requests.signBy(anna, first, next))
  for (let time = 0; time < 3; time++) {
    await signOther()
    expect(await prepare(right)).toMatchObject({ number: '2', messageToSign: first.messageToSign })
  }
  const complete = await requests.signRecovery(await requests.signBy(ben, await prepare(right), next))
  expect(complete).toMatchObject({ status: 200 })
  const { recoveries } = complete.body
  const ours = recoveries.find((one: { number: string }) => one.number === '2')
  expect(ours.networks[0].signed.toSorted()).toEqual([anna.address, ben.address].toSorted())
  expect(ours.networks[0].state).not.toBe('collecting')
})

test('attack: keys that one guardian signed do not keep the recovered passkey from signing in', async () => {
  const { rest } = service
  const { chain } = service.on(network)
  const { username, address, options, verify } = await service.createPasskeyUser()
  const { body: status } = await service.statusOf(address)
  await chain.setBalance({ address, value: parseEther('1') })
  const built = await options({
    network: String(network),
    transactionDetails: status.networks[0].transactionDetails,
  })
  expect(await verify(built.body)).toMatchObject({ status: 200 })
  const [second, anna, ben, hostile] = [newOwner(), newOwner(), newOwner(), newOwner()]
  const added = encodeAddOwner({ account: address, owner: second.address })
  await service.callAs(network, address, added.to, added.data)
  const members = [anna, ben, hostile].map((guardian) => guardian.address)
  await service.change({ address }, second, {
    kind: 'setGuardians',
    guardians: { members, threshold: 2, delay },
  })
  await service.waitForChange(address, '0')

  /** Guardians sign for passkeys. */
  async function signFor(passkeys: readonly Authenticator[], by: readonly (typeof anna)[]) {
    const newOwners = passkeys.map(namedKey)
    const { body: prepared } = await requests.prepareRecovery(username, newOwners)
    const { sequence, number } = prepared
    const typedData = recoveryTypedData(
      passkeys.map((one) => ({
        kind: 'passkey',
        x: bytesToBigInt(one.x),
        y: bytesToBigInt(one.y),
        verifiers,
      })),
      { module: prepared.module, account: address, sequence: BigInt(sequence), number: BigInt(number) },
    )
    for (const guardian of by) {
      const signature = await guardian.signTypedData(typedData)
      const body = { account: username, sequence, number, newOwners, guardian: guardian.address, signature }
      expect(await requests.signRecovery(body)).toMatchObject({ status: 200 })
    }
  }
  const created = await rest.get(`/v3/webauthn/recovery/generate-options?username=${username}`)
  const found = new Authenticator(origin)
  found.create(created.body as CreationOptions)
  await signFor([found], [anna, ben])
  const waitForState = (state: string) =>
    vi.waitFor(
      async () => {
        const { body } = await requests.recoveryOf(username)
        expect(body.recoveries[0].networks).toMatchObject([{ state }])
      },
      { timeout: 180_000, interval: 500 },
    )
  await waitForState('running')
  await chain.increaseTime({ seconds: delay + 60 })
  await chain.mine({ blocks: 1 })
  service.advance((delay + 60) * 1_000)
  await waitForState('executed')

  // The guardians stay. Before the person signs in for the first time, one of them signs for as many keys as fit.
  await signFor(
    Array.from({ length: 16 }, () => new Authenticator(origin)),
    [hostile],
  )
  const { body } = await rest.get(`/webauthn/authenticate/generate-options?username=${username}`)
  expect(
    await rest.post(`/webauthn/authenticate/verify?username=${username}`, found.get(body)),
  ).toMatchObject({
    status: 200,
  })
})
