// @promise 20
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '@lanyard/testing'
import { expect, onTestFinished, test } from 'vitest'
import { ask, startHttpService } from '../../test/http-service.ts'
import { startServiceProcess } from '../../test/service-process.ts'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import { readEnv } from '../platform/environment/env.ts'
import { startService } from './server.ts'

async function occupiedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('error: the configured port is taken', async () => {
  const port = await occupiedPort()
  await expect(startService(readEnv({ PORT: String(port) }))).rejects.toThrow(
    new ConfigurationError('The environment', [`PORT: ${port} is taken by another process`]),
  )
})

test('error: the networks file is invalid', async () => {
  const file = join(tmpdir(), `networks-${process.pid}.json`)
  await writeFile(file, '{"networks":[{"chainId":-1,"name":"x","rpcUrls":[]}]}')
  const starting = startService(readEnv({ PORT: '0', NETWORKS_FILE: file, LOG_LEVEL: 'silent' }))
  await expect(starting).rejects.toThrow(/networks\.0\.chainId[\s\S]*networks\.0\.rpcUrls/)
})

test('error: a network with the embedded bundler has no relayer key', async () => {
  const file = join(tmpdir(), `networks-real-${process.pid}.json`)
  await writeFile(file, '{"networks":[{"chainId":1,"name":"Real","rpcUrls":["http://127.0.0.1:1"]}]}')
  const settings = { PORT: '0', NETWORKS_FILE: file, LOG_LEVEL: 'silent' }
  await expect(startService(readEnv({ ...settings, NODE_ENV: 'development' }))).rejects.toThrow(
    /RELAYER_PRIVATE_KEYS: needed, since Real/,
  )
  // A network that is not local implies production, unless NODE_ENV says otherwise.
  await expect(startService(readEnv(settings))).rejects.toThrow(
    /DATABASE_URL: [\s\S]*TOKEN_KEY: [\s\S]*NODE_ENV: /,
  )
})

test('behavior: closing frees the port and can be repeated', async () => {
  const http = await startHttpService()
  const { url, service } = http
  expect((await ask(`${url}/networks`)).status).toBe(200)
  await Promise.all([service.close(), service.close()])
  await expect(fetch(url)).rejects.toThrow()
  await http[Symbol.asyncDispose]()
})

test('behavior: the process starts local networks, prints its URL and exits on a signal', {
  tags: ['all'],
}, async () => {
  // Another service on this machine may take the default ports as soon as they are free.
  await using service = await startServiceProcess({ DEVNET_PORT: String(await freePorts(3)) })
  const { body } = await ask(`${service.url}/networks`)
  expect(body.networks.map(({ network }: { network: number }) => network)).toEqual([31337, 31338, 31339])
  expect(service.output()).toContain('PUBLIC key')

  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  for (const { rpcUrl } of body.networks) await expect(fetch(rpcUrl, { method: 'POST' })).rejects.toThrow()
})

test('behavior: environment errors are printed in plain words with exit code 1', {
  tags: ['all'],
}, async () => {
  const starting = startServiceProcess({ PORT: 'many', LOG_LEVEL: 'loud' })
  await expect(starting).rejects.toThrow(/PORT: [\s\S]*LOG_LEVEL: /)
})
