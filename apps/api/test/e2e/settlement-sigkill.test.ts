/** @module-tag all */
/** @module-tag longer */
// @promise 1

import type { Engine } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { isLong } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type SettlementCheckpointName as CheckpointName,
  settlementCheckpoints as checkpoints,
} from '../../src/domain/smart-balance/model/checkpoints.ts'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { expectSettledOnce, spendOverRest } from '../settlement/spend-over-rest.ts'
import { startConfigured } from '../start-configured.ts'

/** `npm run test:all` kills before a transaction is sent, `npm run test:long` at every step on both engines. */
const cases: readonly { engine: Engine; step: CheckpointName }[] = isLong
  ? testEngines().flatMap((engine) => checkpoints.map((step) => ({ engine, step })))
  : testEngines()
      .slice(-1)
      .map((engine) => ({ engine, step: 'settlement:row-written' }))

/** Only a row that was written and never sent is sent again. */
const precedingCrash: Partial<Record<CheckpointName, CheckpointName>> = {
  'settlement:resent': 'settlement:row-written',
}

/**
 * SIGKILL ends the process at every checkpoint of tracking, attesting and settling. A new process starts on the
 * same database while the chains keep running. The order is settled once on each source network, with the exact
 * amount.
 */
reportPassed(1, 'kills survived: settlements')
describe('SIGKILL between any two steps of a settlement', () => {
  let devnet: DevnetInFolder
  beforeAll(async () => {
    devnet = await startDevnetInFolder()
  })
  afterAll(() => devnet?.stop())

  test.each(cases)('behavior: at $step ($engine)', async ({ engine, step }) => {
    await using storage = await devnet.environment(engine)
    const { env } = storage
    const before = precedingCrash[step]
    await using crashing = await startServiceProcess({ ...env, CRASH_AT: before ?? step })
    const spending = await spendOverRest(devnet, restClient(crashing.url))
    expect(await crashing.ended).toBe('SIGKILL')
    await spending.answered
    if (before) {
      await using crashingAgain = await startServiceProcess({ ...env, CRASH_AT: step })
      expect(await crashingAgain.ended).toBe('SIGKILL')
    }

    await using restarted = await startConfigured(env)
    await expectSettledOnce(devnet, restClient(restarted.url), spending)
  })
})
