import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, startHttpService } from '../../../test/http-service.ts'
import { docsSite, unbuiltDocsSite } from './docs-site.ts'

const built = existsSync(new URL('../../../../docs/dist/index.html', import.meta.url))

/** Bytes of a body as they are sent to a client that accepts gzip. */
async function transferred(url: string): Promise<number> {
  const [answer] = await once(get(url, { headers: { 'accept-encoding': 'gzip' } }), 'response')
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return bytes
}

/** `npm start` and `npm test` create the build. Without it, a page says that it is missing. */
describe('documentation', () => {
  let service: HttpService
  let url: string
  beforeAll(async () => {
    service = await startHttpService()
    url = `${service.url}/docs`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test("default: the reference does not depend on the site's build", async () => {
    expect((await ask(`${url}/reference`)).text).toContain('Lanyard: API reference')
    expect((await ask(`${url}/errors`)).status).toBe(200)
  })

  test('behavior: the reference and the document arrive compressed, below 400 kB together', async () => {
    const paths = ['/docs/reference', '/docs/reference-explorer.js', '/docs/reference.js', '/openapi.json']
    const sizes = await Promise.all(paths.map((path) => transferred(service.url + path)))
    const total = sizes.reduce((sum, size) => sum + size)
    expect(total).toBeLessThan(400_000)
    expect(total).toBeGreaterThan(100_000)
  })

  describe.skipIf(!built)('built', { tags: ['all'] }, () => {
    test('behavior: pages are served by name, and the policy allows their scripts', async () => {
      for (const path of [
        '',
        '/',
        '/quick-start',
        '/architecture',
        '/endpoints/',
        '/decisions/002-nonce-lanes',
        '/security',
      ]) {
        const { status, headers, text } = await ask(url + path)
        expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
        const policy = headers.get('content-security-policy') ?? ''
        expect(policy).toMatch(/script-src 'self' 'sha256-/)
        expect(policy).not.toMatch(/script-src[^;]*unsafe/)
        expect(text).toContain('VPContent')
      }
    })

    test('behavior: the files of a page are served compressed and cached', async () => {
      const { text } = await ask(url)
      const names = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(
        ([, name]) => name ?? '',
      )
      expect(names.length).toBeGreaterThan(2)
      for (const name of names) {
        const answer = await ask(service.url + name, { headers: { 'accept-encoding': 'br' } })
        expect([name, answer.status]).toEqual([name, 200])
        expect(answer.headers.get('cache-control')).toContain('immutable')
        if (/\.(js|css)$/.test(name)) expect(answer.headers.get('content-encoding')).toBe('br')
      }
    })

    test('behavior: each page is there as Markdown too, and llms.txt leads to them', async () => {
      expect((await ask(`${service.url}/llms.txt`)).headers.get('location')).toBe('/docs/llms.txt')
      const { status, text } = await ask(`${url}/llms.txt`)
      expect([status, text]).toEqual([200, expect.stringContaining('](/docs/guides/sponsor-gas.md)')])
      for (const [, path = ''] of text.matchAll(/\]\((\/docs\/[^)]+)\)/g))
        expect([path, (await ask(service.url + path)).status]).toEqual([path, 200])
    })

    test('behavior: llms-full.txt begins with code for each task, and contains the guides', async () => {
      expect((await ask(`${service.url}/llms-full.txt`)).headers.get('location')).toBe('/docs/llms-full.txt')
      const { status, text } = await ask(`${url}/llms-full.txt`)
      expect(status).toBe(200)
      const addresses = [...text.matchAll(/^<!-- (\/docs\/\S+\.md) -->$/gm)].map(([, path = '']) => path)
      expect(addresses[0]).toBe('/docs/skill.md')
      expect(addresses).toEqual(
        expect.arrayContaining(['/docs/guides/sponsor-gas.md', '/docs/session-keys.md']),
      )
      expect(new Set(addresses).size).toBe(addresses.length)
      for (const path of addresses)
        expect([path, (await ask(service.url + path)).status]).toEqual([path, 200])
      for (const task of ['Start', 'Sponsor gas', 'Receive webhooks', 'Deploy'])
        expect(text).toContain(`## ${task}`)
    })

    test('error: a browser gets the page of the site at an unknown address, and a program gets JSON', async () => {
      const page = await ask(`${url}/quik-start`, { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('content-security-policy')]).toEqual([
        404,
        expect.stringContaining('sha256-'),
      ])
      expect(page.text).toContain('404 | Lanyard')
      expect((await ask(`${url}/quik-start`)).body).toMatchObject({ code: 'UNKNOWN_ROUTE' })
    })

    test('error: no other file inside or outside the folder is served', async () => {
      for (const path of ['/nothing', '/../package.json', '/%2e%2e/package.json', '/assets', '/assets/'])
        expect([path, (await ask(url + path)).status]).toEqual([path, 404])
    })
  })
})

test('behavior: until the site is built, each page says so with 503, and loads itself again', async () => {
  const folder = `${await mkdtemp(join(tmpdir(), 'lanyard-docs-'))}/`
  const server = createServer(express().use(docsSite(folder), unbuiltDocsSite(folder))).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const path of ['/docs', '/docs/', '/docs/quick-start', '/docs/decisions/002-nonce-lanes']) {
      const { status, headers, text } = await ask(url + path)
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(text).toContain('<meta http-equiv="refresh" content="5">')
      expect(text).toContain('npx pnpm --filter @lanyard/docs build')
    }
    await writeFile(`${folder}index.html`, 'the home page')
    await writeFile(`${folder}quick-start.html`, 'the first steps')
    expect((await ask(`${url}/docs`)).text).toBe('the home page')
    expect((await ask(`${url}/docs/quick-start`)).text).toBe('the first steps')
    expect((await ask(`${url}/docs/nothing`)).text).not.toContain('not built')
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
