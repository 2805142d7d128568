/** @module-tag all */
import { findAccount } from '@lanyard/database'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { toWallet } from '../../src/domain/accounts/accounts/wallet.ts'
import { hasDueMessages, runDueMessages } from '../../src/domain/owners/messages/run-messages.ts'
import { acceptRecovery } from '../../src/domain/owners/recovery/accept-recovery.ts'
import { restClient } from '../rest.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const [first, second] = [31337, 31338] as const
const later = 7_200_000

test("behavior: a guardian's signature that arrives during an attempt makes its network due at once", async () => {
  await using service = await startOwnershipService([first, second])
  const requests = guardianRequests(service)
  const friend = await service.createOwnedWallet()
  const wallet = await service.createOwnedWallet()
  const { address } = wallet
  const set = { members: [friend.address], threshold: 1, delay: 86_400 }
  await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians: set })
  await service.waitForChange(address, '0')
  const next = newOwner()
  const { body: prepared } = await requests.prepareRecovery(address, [await consenting(next, address)])

  /** The friend's account has another domain on each network. */
  async function signOn(network: number) {
    const message = { walletAddress: friend.address, network, typedData: prepared.typedData }
    const { body } = await service.rest.post('/smart-account/message/prepare', message)
    const signature = await friend.owner.sign({ hash: body.messageToSign })
    const finished = await service.rest.post('/smart-account/message/finish', { ...message, signature })
    return finished.body.signature
  }
  const waitForStates = (rest: typeof service.rest, states: readonly string[]) =>
    vi.waitFor(
      async () => {
        const { body } = await rest.get(`/smart-account/recovery?account=${address}`)
        expect(body.recoveries[0].networks).toMatchObject(states.map((state) => ({ state })))
      },
      { timeout: 180_000, interval: 500 },
    )
  const late = await signOn(second)
  const signed = await requests.signRecovery({
    ...{ account: address, sequence: '1', number: '1', newOwners: [{ address: next.address }] },
    ...{ guardian: friend.address, signature: await signOn(first) },
  })
  expect(signed).toMatchObject({ status: 200 })
  await waitForStates(service.rest, ['running', 'collecting'])
  const row = await findAccount(service.database.db, address)
  if (!row) throw new Error('the service has created the account')
  await service.service.close()

  const networks = createNetworks(
    service.devnet.networks.map(({ chainId, name, rpcUrl, ownership }) =>
      networkConfig.parse({ chainId, name, rpcUrls: [rpcUrl], local: true, ownership }),
    ),
  )
  const { db: database } = service.database
  const now = () => new Date(Date.now() + later)
  const passed: string[] = []
  const dependencies = {
    ...{ database, now, log: pino({ level: 'silent' }), budget: 1, bundler: {} },
    async checkpoint(name: string) {
      passed.push(name)
      // The attempt has read the signatures, and has not written yet what follows from them.
      await acceptRecovery({ database, networks, now }, prepared.module, toWallet(row), {
        ...{
          sequence: 1n,
          number: 1n,
          newOwners: [{ kind: 'eoa', address: next.address }],
          guardian: friend.address,
        },
        ...{ signature: late, chainId: second, key: undefined, guardians: undefined, sentBy: 'friend' },
      })
    },
  }
  await runDueMessages(dependencies, networks.get(second), prepared.module)
  expect(passed).toEqual(['message:start-prepared'])
  expect(await hasDueMessages(dependencies, networks.get(second))).toBe(true)

  service.advance(later)
  await using again = await service.start()
  await waitForStates(restClient(again.url), ['running', 'running'])
})
