/** @module-tag all */
/** @module-tag longer */
// @promise 1

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { ownershipAddress, writeNetworksFile } from '@lanyard/devnet'
import { ownershipAbi, safeAbi } from '@lanyard/onchain'
import { isLong } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CheckpointName } from '../../src/domain/owners/messages/checkpoints.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'
import { consenting, guardianRequests, newOwner } from './guarded-wallet.ts'
import { type OwnershipService, startOwnershipService } from './ownership-service.ts'

const chainId = 31337
const delay = 86_400

/**
 * Before an attempt is paid, the last step before a transaction, and the first one after it. `npm run test:all` kills at
 * the last step before, where money is spent and no transaction shows it.
 */
const deaths = [
  { start: 'message:start-prepared', execution: 'message:execution-prepared' },
  { start: 'message:start-paid', execution: 'message:execution-paid' },
  { start: 'message:start-sent', execution: 'message:execution-sent' },
] as const satisfies readonly { start: CheckpointName; execution: CheckpointName }[]

const chosen = isLong ? deaths : deaths.slice(1, 2)

type GuardedWallet = Awaited<ReturnType<ReturnType<typeof guardianRequests>['createGuardedWallet']>>

const stack = new AsyncDisposableStack()
let service: OwnershipService
let env: Record<string, string>
const wallets: GuardedWallet[] = []

reportPassed(1, 'kills survived: recoveries')
describe.skipIf(!testEngines().includes('postgresql'))('a recovery', () => {
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-recoveries-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const database = await freshDatabase('postgresql')
    service = stack.use(await startOwnershipService([chainId], { database }))
    for (const _ of chosen) wallets.push(await guardianRequests(service).createGuardedWallet({ delay }))
    // From here on the processes under test are the only ones.
    await service.service.close()
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, service.devnet.networks)
    env = {
      ...{ NETWORKS_FILE: networksFile, DATABASE_URL: database.url ?? '' },
      ...{ ORIGINS: 'http://localhost:3000', RATE_LIMITS: 'off' },
    }
  })
  afterAll(() => stack.disposeAsync())

  const countSent = async () =>
    (await service.database.db.selectFrom('relayer_transactions').select('txn_hash').execute()).length

  const readRow = (account: string) =>
    service.database.db
      .selectFrom('message_progress')
      .selectAll()
      .where('account', '=', account.toLowerCase())
      .where('kind', '=', 'recovery')
      .executeTakeFirst()

  /** Waits until the newest recovery has a state. */
  const waitForState = (rest: RestClient, account: string, state: object) =>
    vi.waitFor(
      async () => {
        const { body } = await rest.get(`/smart-account/recovery?account=${account}`)
        expect(body.recoveries[0].networks).toMatchObject([state])
      },
      { timeout: 180_000, interval: 500 },
    )

  test.each(chosen)(
    'behavior: starts and executes once after kills at $start and $execution',
    async ({ start, execution }) => {
      const { chain } = service.on(chainId)
      const wallet = wallets.pop()
      if (!wallet) throw new Error('there is one for each death')
      const { address, guardians } = wallet
      const sentBefore = await countSent()

      await using first = await startServiceProcess({ ...env, CRASH_AT: start })
      const requests = guardianRequests({ ...service, rest: restClient(first.url) })
      const next = newOwner()
      const { body: prepared } = await requests.prepareRecovery(address, [await consenting(next, address)])
      for (const guardian of guardians.slice(0, 2)) {
        // The process may die before the second guardian has the answer.
        await requests.signRecovery(await requests.signBy(guardian, prepared, next.address)).catch(() => {})
      }
      expect(await first.ended).toBe('SIGKILL')

      await using second = await startServiceProcess({ ...env, CRASH_AT: execution })
      const rest = restClient(second.url)
      await waitForState(rest, address, { state: 'running' })
      // The test's day passes in a moment: the row has to show first that the start arrived.
      await vi.waitFor(
        async () => expect(await readRow(address)).toMatchObject({ state: 'running', sent_at: null }),
        {
          ...{ timeout: 180_000, interval: 500 },
        },
      )
      await chain.increaseTime({ seconds: delay + 60 })
      await chain.mine({ blocks: 1 })
      await guardianRequests({ ...service, rest })
        .executeRecovery(address, prepared.messageToSign)
        .catch(() => {})
      expect(await second.ended).toBe('SIGKILL')

      await using third = await startConfigured(env)
      await waitForState(restClient(third.url), address, { state: 'executed', final: true })
      for (const eventName of ['RecoveryStarted', 'RecoveryExecuted'] as const) {
        const events = await chain.getContractEvents({
          ...{ address: ownershipAddress, abi: ownershipAbi, eventName },
          ...{ args: { account: address }, fromBlock: 0n },
        })
        expect(events).toHaveLength(1)
      }
      expect(await chain.readContract({ address, abi: safeAbi, functionName: 'getOwners' })).toEqual([
        next.address,
      ])
      // The relayer paid for one start and one execution.
      expect(await countSent()).toBe(sentBefore + 2)
      const intents = await service.database.db
        .selectFrom('relayer_transactions')
        .select('intent')
        .where('intent', 'like', `recovery:%:${address.toLowerCase()}:${prepared.messageToSign}`)
        .orderBy('created_at')
        .execute()
      expect(intents.map(({ intent }) => intent?.split(':')[1])).toEqual(['start', 'execution'])
    },
  )
})
