/** @module-tag all */
import {
  computeSignerAddress,
  defaultVerifiers,
  type PasskeyOwner,
  readSignerContract,
} from '@lanyard/accounts'
import { safeAbi } from '@lanyard/onchain'
import { type Address, bytesToBigInt } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Authenticator } from '../passkeys/authenticator.ts'
import { guardianRequests, newOwner } from './guarded-wallet.ts'
import { fullKey, namedKey, signAsPasskey } from './guardian-passkeys.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

/* A guardian is the signer contract of a friend's passkey, which exists on no network: one signature counts on all. */

const chainIds = [31337, 31338]
const delay = 86_400
let service: OwnershipService
let requests: ReturnType<typeof guardianRequests>
beforeAll(async () => {
  service = await startOwnershipService(chainIds)
  requests = guardianRequests(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const keyOf = ({ x, y }: Authenticator): PasskeyOwner => ({
  ...{ kind: 'passkey', x: bytesToBigInt(x), y: bytesToBigInt(y), verifiers: defaultVerifiers },
})
const newPasskey = () => new Authenticator('http://localhost:3000')

const codeOn = (network: number, address: Address) => service.on(network).chain.getCode({ address })

async function guardWith(members: readonly Address[], threshold: number) {
  const wallet = await service.createOwnedWallet()
  const guardians = { members, threshold, delay }
  await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians })
  await service.waitForChange(wallet.address, '0')
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(wallet.address, [{ address: next.address }])
  const request = (guardian: Address, more: object) => ({
    ...{ account: wallet.address, sequence: prepared.sequence, newOwners: [{ address: next.address }] },
    ...{ guardian, ...more },
  })
  return { ...wallet, next, prepared, request, hash: prepared.messageToSign }
}

const waitForState = (account: Address, state: string) =>
  vi.waitFor(
    async () => {
      const { body } = await requests.recoveryOf(account)
      expect(body.recoveries[0].networks).toMatchObject(chainIds.map(() => ({ state })))
      return body
    },
    { timeout: 180_000, interval: 500 },
  )

test('default: a passkey without any account signs once, and recovers on every network', async () => {
  const anna = newPasskey()
  const signer = computeSignerAddress(keyOf(anna))
  const guarded = await guardWith([signer], 1)
  const { address, next, request, hash } = guarded
  for (const network of chainIds) expect(await codeOn(network, signer)).toBe(undefined)

  const signature = signAsPasskey(anna, hash)
  const answer = await requests.signRecovery(request(signer, { signature, key: namedKey(anna) }))
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body.recoveries[0].networks).toMatchObject(chainIds.map(() => ({ signed: [signer] })))
  await waitForState(address, 'running')
  // The start created the contract, and its code names the key.
  for (const network of chainIds) {
    expect(readSignerContract(signer, await codeOn(network, signer))).toEqual(keyOf(anna))
  }

  for (const network of chainIds) {
    await service.on(network).chain.increaseTime({ seconds: delay + 60 })
    await service.on(network).chain.mine({ blocks: 1 })
  }
  service.advance((delay + 60) * 1_000)
  await waitForState(address, 'executed')
  for (const network of chainIds) {
    const { chain } = service.on(network)
    const owners = await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })
    expect(owners).toEqual([next.address])
  }
})

test('behavior: a passkey of this service needs no key in the request, and nobody else signs for it', async () => {
  const { passkey, signer: key } = await service.createPasskeyUser()
  const ben = newOwner()
  const signer = computeSignerAddress(key)
  const { address, request, hash, prepared, next } = await guardWith([signer, ben.address], 2)
  const rejected = (code: string) => ({ status: 400, body: { code } })

  const thief = newPasskey()
  const stolen = { signature: signAsPasskey(thief, hash) }
  expect(await requests.signRecovery(request(signer, stolen))).toMatchObject(rejected('INVALID_SIGNATURE'))
  expect(await requests.signRecovery(request(signer, { ...stolen, key: namedKey(thief) }))).toMatchObject(
    rejected('INVALID_INPUT'),
  )
  const other = computeSignerAddress({ ...key, verifiers: 1n })
  expect(
    await requests.signRecovery(
      request(other, { signature: signAsPasskey(passkey, hash), key: fullKey({ ...key, verifiers: 1n }) }),
    ),
  ).toMatchObject(rejected('NOT_A_GUARDIAN'))
  const ofOther = signAsPasskey(passkey, `0x${'11'.repeat(32)}`)
  expect(await requests.signRecovery(request(signer, { signature: ofOther }))).toMatchObject(
    rejected('INVALID_SIGNATURE'),
  )

  const signature = signAsPasskey(passkey, hash)
  expect(await requests.signRecovery(request(signer, { signature }))).toMatchObject({ status: 200 })
  await requests.signRecovery(await requests.signBy(ben, prepared, next.address))
  await waitForState(address, 'running')
})
