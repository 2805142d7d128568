/** @module-tag all */
import { createNetworks, networkConfig } from '@lanyard/networks'
import { freePorts } from '@lanyard/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { runDueMessages } from '../../src/domain/owners/messages/run-messages.ts'
import { newOwner } from './guarded-wallet.ts'
import { startOwnershipService } from './ownership-service.ts'

const chainId = 31337

test('attack: while a network is away, a pass touches one account, however many wait for it', async () => {
  await using service = await startOwnershipService([chainId])
  const { db: database } = service.database
  const wallets = [await service.createOwnedWallet(), await service.createOwnedWallet()]
  const guardians = { members: [newOwner().address], threshold: 1, delay: 86_400 }
  for (const wallet of wallets) {
    const changed = await service.change(wallet, wallet.owner, { kind: 'setGuardians', guardians })
    expect(changed).toMatchObject({ status: 200 })
    await service.waitForChange(wallet.address, '0')
  }
  const { module } = (await service.statusOf(wallets[0]?.address ?? '0x')).body
  await service.service.close()
  const due = new Date(Date.now() - 60_000)
  await database.updateTable('message_progress').set({ final: false, next_attempt_at: due }).execute()

  const rpcUrls = [`http://127.0.0.1:${await freePorts(1)}`]
  const [network] = createNetworks([
    networkConfig.parse({ chainId, name: 'Away', rpcUrls, local: true, ownership: module }),
  ]).list()
  if (!network) throw new Error('there is one')
  const dependencies = {
    ...{ database, now: () => new Date(), log: pino({ level: 'silent' }), budget: 1, bundler: {} },
    checkpoint: async () => {},
  }
  await runDueMessages(dependencies, network, module)
  const rows = await database.selectFrom('message_progress').select(['attempts', 'next_attempt_at']).execute()
  expect(rows.filter(({ next_attempt_at }) => next_attempt_at > due)).toHaveLength(1)
  expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0])
})
