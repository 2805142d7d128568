/** @module-tag all */
/** @module-tag longer */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@lanyard/database'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import { type Devnet, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { isLong } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheckpointName, checkpoints } from '../../src/domain/smart-balance/settlement/checkpoints.ts'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { expectSettledOnce, spendOverRest } from '../settlement/spend-over-rest.ts'

/** `npm run test:all` kills at a step or two of each part, `npm run test:long` at all. */
const everywhere = isLong
const some: Readonly<Record<Engine, readonly CheckpointName[]>> = {
  pglite: ['tracking:signature-recorded', 'settlement:row-written'],
  postgresql: ['attest:decided', 'settlement:sent'],
}

/** A row that was written and never sent is what gets sent again. */
const livesBefore: Partial<Record<CheckpointName, CheckpointName>> = {
  'settlement:resent': 'settlement:row-written',
}

/**
 * The process dies by SIGKILL at every step of tracking, attesting and settling that the code itself names, and a new
 * one starts on the same database while the chains live on: the order is settled once on each source, to the unit.
 */
reportPassed(1, 'kills survived: settlements')
describeEachEngine('killed between any two steps of a settlement', (engine) => {
  let devnet: Devnet
  let directory: string
  beforeAll(async () => {
    devnet = await startDevnet()
    directory = await mkdtemp(join(tmpdir(), 'lanyard-settlement-'))
    await writeNetworksFile(join(directory, 'networks.json'), devnet.networks)
  })
  afterAll(async () => {
    await devnet.stop()
    await rm(directory, { recursive: true })
  })

  test.each(everywhere ? checkpoints : some[engine])('behavior: at %s', async (step) => {
    await using database = engine === 'postgresql' ? await freshDatabase(engine) : undefined
    const env = {
      NETWORKS_FILE: join(directory, 'networks.json'),
      ...(database?.url
        ? { DATABASE_URL: database.url }
        : { DATA_DIR: join(directory, step.replace(':', '-')) }),
    }
    const before = livesBefore[step]
    await using dying = await startServiceProcess({ ...env, CRASH_AT: before ?? step })
    const spending = await spendOverRest(devnet, restClient(dying.url))
    expect(await dying.ended).toBe('SIGKILL')
    await spending.answered
    if (before) {
      await using dyingAgain = await startServiceProcess({ ...env, CRASH_AT: step })
      expect(await dyingAgain.ended).toBe('SIGKILL')
    }

    await using restarted = await startServiceProcess(env)
    await expectSettledOnce(devnet, restClient(restarted.url), spending)
  })
})
