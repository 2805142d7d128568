/** @module-tag all */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNode, writeNetworksFile } from '@lanyard/devnet'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { version } from '../../src/platform/version.ts'
import { startServiceProcess } from '../service-process.ts'

test('behavior: in production, start and end are lines of the log with version and roles, whatever LOG_LEVEL', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-lifecycle-'))
  stack.defer(() => rm(directory, { recursive: true }))
  const node = await startNode()
  stack.defer(() => node.stop())
  const networksFile = join(directory, 'networks.json')
  await writeNetworksFile(networksFile, [{ ...node, name: 'Local' }])
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const service = stack.use(
    await startServiceProcess({
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      NETWORKS_FILE: networksFile,
      ALLOW_PGLITE: 'true',
      ALLOW_ANONYMOUS: 'true',
      TOKEN_KEY: JSON.stringify(await exportJWK(privateKey)),
      OPERATOR_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
    }),
  )
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  const lines = service.output().trim().split('\n')
  const roles = ['api', 'worker', 'attestor', 'settler', 'topUp']
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 30,
      version,
      roles,
      url: service.url,
      networks: [31337],
      msg: `Lanyard is ready: ${service.url}`,
    },
    { level: 30, version, roles, signal: 'SIGTERM', msg: 'Lanyard stops' },
    { level: 30, version, roles, code: 0, msg: 'Lanyard has stopped' },
  ])
})
