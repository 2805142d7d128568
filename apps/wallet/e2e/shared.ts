import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tier } from '@lanyard/testing'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from './find-chromium.ts'
import { chromiumOptions } from './open-browser.ts'
import { startService } from './start-service.ts'

/** A service and a Chromium take longer to start than many a journey, so the journeys of a run share them. */
export default async function share(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium()
  // The fast tier has one journey, with a service of its own.
  if (!executablePath || tier === 'fast') return undefined
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-journeys-'))
  starting.defer(() => rm(folder, { recursive: true }))
  const startShared = async (_: unknown, worker: number) => {
    // A journey that fails shows what the service printed, which is a process of the run and not of its worker.
    const log = join(folder, `service-${worker}.log`)
    const { url, rpcUrl, banner } = starting.use(await startService({}, (text) => appendFileSync(log, text)))
    return { url, rpcUrl, banner, log }
  }
  const [services, browser] = await Promise.all([
    // One for each worker: a journey moves the time of its networks, and uses what one address may.
    Promise.all(Array.from({ length: project.config.maxWorkers }, startShared)),
    chromium
      .launchServer(chromiumOptions(executablePath))
      .then((started) => starting.adopt(started, () => started.close())),
  ])
  project.provide('services', services)
  project.provide('chromium', browser.wsEndpoint())
  const started = starting.move()
  return () => started.disposeAsync()
}
