import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, startHttpService } from '../../../test/http-service.ts'

const built = existsSync(new URL('../../../../recovery/dist/recovery.html', import.meta.url))

/** `npm start` creates the build. Without it the page does not exist. */
describe.skipIf(!built)('recovery page', () => {
  let service: HttpService
  beforeAll(async () => {
    service = await startHttpService({ API_KEYS: 'server:a-secret-of-32-characters-xxxxxx' })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('default: the page is public, a single file with its own policy', async () => {
    const { status, text, headers } = await ask(`${service.url}/recovery`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/)
    expect(policy).toContain("frame-ancestors 'none'")
    // The page is self-contained.
    expect(text).not.toMatch(/<script[^>]+src=|<link|<img|@import/)
  })
  test.each(['recovery.html', 'lanyard-key.html'])(
    'behavior: %s is a file to save, with its hash',
    async (name) => {
      const page = await ask(`${service.url}/${name}`)
      expect(page.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
      const digest = createHash('sha256').update(page.text).digest('hex')
      expect((await ask(`${service.url}/${name}.sha256`)).text).toBe(`${digest}  ${name}\n`)
    },
  )
  test('behavior: the path in older recovery kits redirects to the page', async () => {
    const { status, headers } = await ask(`${service.url}/leave`)
    expect([status, headers.get('location')]).toEqual([308, '/recovery'])
  })
})
