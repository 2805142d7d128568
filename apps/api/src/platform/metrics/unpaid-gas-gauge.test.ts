import { freshDatabase } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { createMetrics } from './metrics.ts'
import { addUnpaidGasGauge } from './unpaid-gas-gauge.ts'

const now = new Date('2026-11-26T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const networks = [1, 2].map((chainId) =>
  networkConfig.parse({
    ...{ chainId, name: `Network ${chainId}`, rpcUrls: ['http://127.0.0.1:1'], local: true },
    unpaidGasPerHour: '1000',
  }),
)

test('behavior: the part of unpaidGasPerHour that was lost within an hour, by network, 0 from the start', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const metrics = createMetrics(createLog({ LOG_LEVEL: 'silent' }))
  addUnpaidGasGauge(metrics, { database: db, networks: createNetworks(networks).list(), now: () => now })
  const read = async () => {
    const text = await metrics.text()
    return [...text.matchAll(/^lanyard_unpaid_gas_used_ratio\{network="(\d)"\} (\S+)$/gm)].map(
      ([, network, value]) => [Number(network), Number(value)],
    )
  }
  const lose = (hash: string, network: number, wei: bigint, at: Date) =>
    db
      .insertInto('relayer_losses')
      .values({
        ...{ txn_hash: hash, user_op_hash: hash, network, wei, lost_at: at },
        ...{ account: '0xaa', sent_by: null, reason: 'underpaid', owed: 0n, repaid_by: null },
      })
      .execute()

  expect(await read()).toEqual([
    [1, 0],
    [2, 0],
  ])
  await lose('0x01', 1, 900n, minutesAgo(61))
  await lose('0x02', 1, 250n, minutesAgo(59))
  await lose('0x03', 1, 1_000n, minutesAgo(1))
  expect(await read()).toEqual([
    [1, 1.25],
    [2, 0],
  ])
})
