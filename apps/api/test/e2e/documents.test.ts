/** @module-tag all */
// @promise 22

import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ceremonyBody, createLanyardClient, LanyardApiError } from '@lanyard/client'
import { errorCodes } from '@lanyard/contracts'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedPages } from '../../../docs/scripts/generated-pages.ts'
import { type HttpService, startHttpService } from '../http-service.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const generated = generatedPages(root)
const read = (path: string) => generated[path] ?? readFileSync(join(root, path), 'utf8')
const isDocument = (path: string) => path in generated || existsSync(join(root, path))
const blocks = (markdown: string, language: string) =>
  [...markdown.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  )

/** Codes that show a malformed example or a fault of the service. */
const unexpectedCodes = ['INVALID_INPUT', 'INVALID_JSON', 'UNKNOWN_ROUTE', 'METHOD_NOT_ALLOWED', 'INTERNAL']

describe('pages of endpoints', () => {
  let service: HttpService
  beforeAll(async () => {
    service = await startHttpService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const pages = Object.keys(generated).filter((page) => /^docs\/endpoints\/(?!README)/.test(page))

  test.each(pages)('behavior: every curl example in %s is well-formed', async (page) => {
    const examples = blocks(read(page), 'sh').filter((example) => !example.includes('@answer.json'))
    for (const example of examples) {
      const { stdout } = await run('bash', ['-euc', example], {
        env: { PATH: process.env.PATH, BASE: service.url },
      })
      const { code } = JSON.parse(stdout)
      if (code !== undefined) expect(errorCodes).toContain(code)
      expect(unexpectedCodes, `${example}${stdout}`).not.toContain(code)
    }
  })

  test.each(pages)('behavior: every client example in %s is well-formed', async (page) => {
    const lanyard = createLanyardClient({ baseUrl: service.url })
    const answer = {
      id: 'AAAA',
      rawId: 'AAAA',
      clientExtensionResults: {},
      response: { clientDataJSON: 'e30' },
    }
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
    for (const example of blocks(read(page), 'ts')) {
      const outcome = await new AsyncFunction('lanyard', 'ceremonyBody', 'answer', example)(
        lanyard,
        ceremonyBody,
        answer,
      ).catch((error: unknown) => error)
      if (outcome === undefined) continue
      expect(outcome, example).toBeInstanceOf(LanyardApiError)
      // The page does not contain the answer of a browser, and the placeholder here is not a valid one.
      if (!example.includes('ceremonyBody')) expect(unexpectedCodes, example).not.toContain(outcome.code)
    }
  })
})

const hasPsql = spawnSync('psql', ['--version']).error === undefined

describe.skipIf(!hasPsql || !testEngines().includes('postgresql'))('docs/self-hosting.md', () => {
  test('behavior: its commands, run in one shell, end with a transaction', {
    tags: ['all'],
  }, async () => {
    await using database = await freshDatabase('postgresql', { migrated: false })
    const home = mkdtempSync(join(tmpdir(), 'lanyard-self-hosting-'))
    const [api, chains] = await Promise.all([freePort(), freePort()])
    const parts = [...read('docs/self-hosting.md').matchAll(/<!-- run: \w+ -->\n```sh\n([\s\S]*?)```/g)]
    expect(parts).toHaveLength(6)
    const script = parts.map(([, text]) => text).join('')
    // No process keeps running, even if a command fails.
    const trap = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
    const name = nameOf(home)
    const urls = {
      POSTGRES: urlOf(database.url ?? '', 'postgres'),
      DATABASE_URL: urlOf(database.url ?? '', name),
    }
    try {
      const { stdout } = await run(
        'bash',
        ['-euo', 'pipefail', '-c', trap + script.replaceAll('lanyard_try', name)],
        {
          cwd: root,
          timeout: 280_000, // ends the shell before the test ends
          env: {
            ...{
              PATH: process.env.PATH,
              LANYARD_HOME: home,
              API_PORT: String(api),
              CHAINS_PORT: String(chains),
            },
            ...urls,
          },
        },
      )
      expect(stdout).toContain('"success":true')
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

test('behavior: the documents install with the pinned pnpm', () => {
  const { packageManager } = JSON.parse(read('package.json'))
  const named = globSync('docs/**/*.md', { cwd: root }).flatMap(
    (page) => read(page).match(/pnpm@[\d.]+/g) ?? [],
  )
  expect(named).not.toEqual([])
  expect(new Set(named)).toEqual(new Set([packageManager]))
})

/** Concurrent runs need different databases. */
const nameOf = (home: string) => `lanyard_try_${home.slice(-6).toLowerCase().replaceAll(/\W/g, '_')}`

/** The URL of another database on the same server. */
function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

describe('anchors', () => {
  const documents = [
    ...globSync(['*.md', 'docs/**/*.md', '{apps,packages,examples}/*/README.md'], { cwd: root }),
    ...Object.keys(generated),
  ]

  /** The anchors that GitHub gives to headings, and explicit anchors. */
  const anchorsOf = (markdown: string) => [
    ...[...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
    ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''),
  ]

  test.each(documents)('behavior: every anchor that %s names exists', (document) => {
    const wrong = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].filter(
      ([, path = '', anchor = '']) => {
        const target = path === '' ? document : join(dirname(document), path)
        return !isDocument(target) || !anchorsOf(read(target)).includes(anchor)
      },
    )
    expect(wrong.map(([link]) => link)).toEqual([])
  })
})
