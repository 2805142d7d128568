import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ask, startHttpService } from '../../../test/http-service.ts'

const built = existsSync(new URL('../../../../wallet/dist/index.html', import.meta.url))
const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

/** `npm start` creates the build. Without it the wallet is not served. */
describe.skipIf(!built)('wallet', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>
  let page: string
  beforeAll(async () => {
    service = await startHttpService()
    page = service.url.replace('127.0.0.1', 'localhost')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('default: the root and all wallet paths serve the page with a strict policy', async () => {
    for (const path of ['/', '/send', '/owners']) {
      const { status, text, headers } = await ask(page + path, html)
      expect([status, text.includes('<div id="root">')]).toEqual([200, true])
      expect(headers.get('content-security-policy')).toContain("script-src 'self';style-src 'self'")
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style/)
    }
  })

  test('behavior: only /connect keeps its opener, and no page can be framed', async () => {
    for (const [path, policy] of [
      ['/', 'same-origin'],
      ['/connected-apps', 'same-origin'],
      ['/connect/', 'same-origin'],
      ['/connect', 'unsafe-none'],
    ]) {
      const { status, headers } = await ask(page + path, html)
      expect([path, status, headers.get('cross-origin-opener-policy')]).toEqual([path, 200, policy])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    }
    const { text } = await ask(`${page}/connect`, html)
    expect(text).not.toBe((await ask(page, html)).text)
  })

  test('behavior: if requests need a key, the page contains one for the endpoints that it calls', async () => {
    await using closed = await startHttpService({ API_KEYS: 'server:a-secret-of-32-characters-xxxxxx' })
    const { text } = await ask(closed.url.replace('127.0.0.1', 'localhost'), html)
    const key = /<meta name="lanyard-key" content="([^"]+)">/.exec(text)?.[1] ?? ''
    expect(key).toBe(closed.service.services.apiKeys.walletKey?.text)
    const fromPage = { 'x-api-key': key, 'sec-fetch-site': 'same-origin' }
    expect((await ask(`${closed.url}/trpc/system.networks`, { headers: fromPage })).status).toBe(200)
    expect((await ask(`${closed.url}/trpc/system.networks`)).status).toBe(401)
  })

  test('behavior: a brand is in the page before its first paint, under the same policy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brand-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const links = { terms: 'https://tern.example/?a=1&b=2' }
    await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    await writeFile(
      join(folder, 'brand.json'),
      JSON.stringify({
        name: "Tern & $& Sons'",
        logo: 'logo.svg',
        colors: { light: { primary: '#1d4ed8' } },
        links,
      }),
    )
    await using branded = await startHttpService({ BRAND_FILE: join(folder, 'brand.json') })
    const origin = branded.url.replace('127.0.0.1', 'localhost')
    const { text, headers } = await ask(origin, html)
    expect(text).toContain("<title>Tern &amp; $&amp; Sons'</title>")
    expect(text).not.toContain('Lanyard')
    expect(text).toMatch(/<link rel="stylesheet" href="\/brand\.css">/)
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style/)
    expect(headers.get('content-security-policy')).toBe(
      (await ask(page, html)).headers.get('content-security-policy'),
    )
    const settings = /<meta name="lanyard-brand" content="([^"]+)">/.exec(text)?.[1] ?? ''
    const { body } = await ask(`${origin}/brand`)
    const { logins: _, ...shown } = body // a tag of their own
    expect(JSON.parse(settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(shown)
    expect(body.links).toEqual(links)
    expect((await ask(`${origin}/brand.css`)).text).toContain('--color-primary: light-dark(#1d4ed8, #e9eeea)')
    const logo = await ask(`${origin}${body.logo}`)
    expect([logo.headers.get('content-type'), logo.text]).toEqual([
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    ])
    expect(JSON.parse((await ask(`${origin}/manifest.webmanifest`)).text)).toMatchObject({
      name: "Tern & $& Sons'",
      icons: [{ src: body.logo }],
    })
    expect((await ask(`${origin}/offline.html`)).text).toContain('Tern &amp; $&amp; Sons')
    expect((await ask(`${origin}/sw.js`)).text).toMatch(/'offline-[0-9a-f]{8}-[0-9a-f]{8}'/)
    // Nobody may take the name of the wallet.
    const taken = await ask(`${origin}/api/user/check-username?username=tern-sons`)
    expect(taken.body.message).toContain('unavailable')
    expect((await ask(`${origin}/v3/webauthn/register/generate-options?username=bob`)).body.rp.name).toBe(
      "Tern & $& Sons'",
    )
  })

  test('behavior: all files of the page are served and cached', async () => {
    const { text } = await ask(page, html)
    const names = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? '')
    for (const name of names) expect((await ask(page + name)).status, name).toBe(200)
    const asset = names.find((name) => name.startsWith('/assets/')) ?? ''
    expect((await ask(page + asset)).headers.get('cache-control')).toContain('immutable')
  })

  test('behavior: the files for installation are served, and the service worker may fetch its cached files', async () => {
    const manifest = JSON.parse((await ask(`${page}/manifest.webmanifest`)).text)
    for (const { src, type } of manifest.icons) {
      const { status, headers } = await ask(page + src)
      expect([src, status, headers.get('content-type')]).toEqual([src, 200, type])
    }
    const { text, headers } = await ask(`${page}/sw.js`)
    expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
    for (const [, path] of text.matchAll(/'(\/[^']+)'/g))
      expect((await ask(`${page}${path}`)).status, path).toBe(200)
    const offline = await ask(`${page}/offline.html`, html)
    expect(offline.text).toContain('Lanyard cannot be reached.')
    expect(offline.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style/)
    expect(offline.headers.get('content-security-policy')).toContain("style-src 'self'")
  })

  test('behavior: scripts and styles are compressed as the browser accepts, brotli before gzip', async () => {
    const { text } = await ask(page, html)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const answers = new Map<string, string>()
    for (const accepted of ['gzip, deflate, br', 'gzip', 'identity']) {
      const answer = await ask(page + script, { headers: { 'accept-encoding': accepted } })
      expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/)
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect(answer.headers.get('cache-control')).toContain('immutable')
      answers.set(answer.headers.get('content-encoding') ?? 'identity', answer.text)
    }
    expect([...answers.keys()]).toEqual(['br', 'gzip', 'identity'])
    expect(new Set(answers.values()).size).toBe(1)
    expect((await ask(`${page}${script}.br`, html)).headers.get('content-encoding')).toBeNull()
  })

  test('behavior: an IP address redirects to localhost because passkeys do not work on it', async () => {
    const { status, headers } = await ask(`${service.url}/send?to=x`, { ...html, redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, `${page}/send?to=x`])
  })

  test('behavior: endpoints return JSON, and an unknown path is 404 unless the client accepts HTML', async () => {
    expect((await ask(`${page}/health`, html)).headers.get('content-type')).toContain('json')
    expect((await ask(`${page}/nothing-here`)).status).toBe(404)
  })
})
