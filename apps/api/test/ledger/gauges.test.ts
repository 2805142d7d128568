import { startLedger } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { expect, test } from 'vitest'
import { addLedgerGauges } from '../../src/domain/ledger/ledger-gauges.ts'
import type { Metrics } from '../../src/platform/metrics/metrics.ts'
import { cliEngines } from '../cli/cli-context.ts'

test('behavior: a network that the configuration no longer names has no lag', async () => {
  await using database = await freshDatabase(cliEngines[0] ?? 'pglite')
  const [blockAt, now] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:01:00Z')]
  for (const network of [1, 2]) await startLedger(database.db, network, { block: 9n, blockAt, now })
  const networks = createNetworks([
    networkConfig.parse({ chainId: 1, name: 'Named', rpcUrls: ['http://127.0.0.1:9'] }),
  ])
  const gauges = new Map<string, Parameters<Metrics['addGauge']>[0]>()
  addLedgerGauges(
    { addGauge: (gauge) => void gauges.set(gauge.name, gauge) },
    { database: database.db, networks, now: () => now },
  )
  expect(await gauges.get('ledger_lag_seconds')?.read()).toEqual([{ labels: { network: 1 }, value: 60 }])
  expect(await gauges.get('ledger_accounts_behind')?.read()).toEqual([{ labels: { network: 1 }, value: 0 }])
})
