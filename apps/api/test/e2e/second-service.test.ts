/** @module-tag all */
// @promise 6
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DevnetNode, startNode, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, postJson } from '../http-service.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

let directory: string
let node: DevnetNode
let env: { NETWORKS_FILE: string; DATA_DIR: string }
let first: ServiceProcess
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-second-service-'))
  node = await startNode()
  env = { NETWORKS_FILE: join(directory, 'networks.json'), DATA_DIR: join(directory, 'data') }
  await writeNetworksFile(env.NETWORKS_FILE, [node])
  first = await startServiceProcess(env)
})
afterAll(async () => {
  await first?.stop()
  await node?.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Starts a service that is expected to fail. */
function startAnother(
  env: Record<string, string>,
): Promise<{ code: unknown; output: string; milliseconds: number }> {
  const began = performance.now()
  const options = { env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [main], options, (error, stdout, stderr) =>
      resolve({
        code: error ? error.code : 0,
        output: stdout + stderr,
        milliseconds: performance.now() - began,
      }),
    )
  })
}

const createUser = async (): Promise<string> => {
  const eoaAddress = privateKeyToAddress(randomPrivateKey())
  const { status, body } = await postJson(`${first.url}/smart-account/create`, { eoaAddress })
  expect(status).toBe(200)
  return body.username
}

test('behavior: a second service does not touch the stored chains of the first', async () => {
  const { DATA_DIR } = env
  await mkdir(join(DATA_DIR, 'chains'), { recursive: true })
  await writeFile(join(DATA_DIR, 'chains', 'chain-31337.json'), '{') // as if the first were writing it
  const { code, output } = await startAnother({ DATA_DIR })
  expect(output).toContain(`is in use by process ${first.child.pid}.`)
  expect(code).toBe(1)
})

test('error: a second service on one DATA_DIR exits and names the process that uses it, and the first keeps running', {}, async () => {
  const users = [await createUser()]
  const { code, output, milliseconds } = await startAnother(env)
  expect(output).toContain(
    `Lanyard could not start. The data directory ${join(env.DATA_DIR, 'database')} is in use by process ${first.child.pid}. Stop that process, or use another DATA_DIR.`,
  )
  expect(output).not.toContain('    at ') // an operator can fix it, so there is no stack
  expect(code).toBe(1)
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`
  reportFigure(6, 'time until a second service on one DATA_DIR exited', seconds)

  expect((await ask(`${first.url}/health`)).status).toBe(200)
  users.push(await createUser())
  await first.stop()
  await using again = await startConfigured(env)
  for (const username of users) {
    expect((await ask(`${again.url}/user?username=${username}`)).status).toBe(200)
  }
})
