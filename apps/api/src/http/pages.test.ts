import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressed } from './pages.ts'

let folder: string
let port: number
let close: () => void
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-pages-'))
  for (const name of ['both.js', 'both.js.br', 'both.js.gz', 'one.js', 'one.js.br', 'none.js'])
    await writeFile(join(folder, name), name)
  const server = express().use(compressed(folder), express.static(folder)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port // it listens on a port
  close = () => server.close()
})
afterAll(async () => {
  close()
  await rm(folder, { recursive: true })
})

/** The file that a client gets, and how the answer says that it is compressed. */
async function get(path: string, accepted: string) {
  const asked = request({ port, path: `/${path}`, headers: { 'accept-encoding': accepted } }).end()
  const [response] = await once(asked, 'response')
  let body = ''
  for await (const chunk of response) body += chunk
  return [response.statusCode, body, response.headers['content-encoding']]
}

test('default: the compressed file that the client accepts, Brotli first', async () => {
  expect(await get('both.js', 'gzip, br')).toEqual([200, 'both.js.br', 'br'])
  expect(await get('both.js', 'gzip')).toEqual([200, 'both.js.gz', 'gzip'])
})

test('behavior: the file itself where no accepted one is there', async () => {
  expect(await get('one.js', 'gzip')).toEqual([200, 'one.js', undefined])
  expect(await get('both.js', 'identity')).toEqual([200, 'both.js', undefined])
  expect(await get('none.js', 'gzip, br')).toEqual([200, 'none.js', undefined])
})
