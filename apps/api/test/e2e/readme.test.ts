/** @module-tag all */
// @promise 22

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentAt, otherPages, pathOf } from '../../../docs/.vitepress/pages.ts'
import { linksOf, sidebar } from '../../../docs/.vitepress/sidebar.ts'
import { asked, doors } from '../../../docs/.vitepress/theme/doors.ts'
import { generatedPages } from '../../../docs/scripts/generated-pages.ts'
import { ask, postJson } from '../http-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'
import { blockOf } from './block-of.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const hasGo = spawnSync('go', ['version']).status === 0
const hasPython = spawnSync('python3', ['--version']).status === 0
const generated = generatedPages(root)
const read = async (path: string) => generated[path] ?? readFile(join(root, path), 'utf8')

/** What this test reads of an operation of the OpenAPI document. */
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

/**
 * What the examples answer that need something of an earlier call: a signature, a hash, a deposit, a Safe, the answer of a
 * passkey, or a login. All others are answered with 200.
 */
const needs: Readonly<Record<string, string>> = {
  connectCallsStatus: 'UNKNOWN_OPERATION',
  guardianProve: 'NOT_A_GUARDIAN',
  identityAskGuardians: 'IDENTITY_REFUSED',
  identityExchange: 'IDENTITY_REFUSED',
  identityLink: 'IDENTITY_REFUSED',
  identityRegister: 'VERIFICATION_FAILED',
  identityReserve: 'IDENTITY_REFUSED',
  identityStart: 'IDENTITY_REFUSED',
  identityUnlink: 'UNKNOWN_IDENTITY',
  identityVerify: 'IDENTITY_REFUSED',
  loginVerify: 'VERIFICATION_FAILED',
  ownerRemove: 'UNKNOWN_OWNER',
  ownershipSubmit: 'INVALID_SIGNATURE',
  recoveryCancel: 'NO_GUARDIANS',
  recoveryExecute: 'UNKNOWN_RECOVERY',
  recoveryPrepare: 'NO_GUARDIANS',
  recoverySign: 'NO_GUARDIANS',
  sessionKeyDisable: 'UNKNOWN_SESSION',
  smartAccountImportSafe: 'UNSUPPORTED_SAFE',
  smartAccountStatus: 'UNKNOWN_OPERATION',
  smartAccountSubmit: 'INVALID_SIGNATURE',
  smartBalanceComputeSolution: 'INSUFFICIENT_FUNDS',
  smartBalanceExit: 'INSUFFICIENT_FUNDS',
  smartBalanceGetQuote: 'INSUFFICIENT_FUNDS',
  smartBalanceOrder: 'UNKNOWN_ORDER',
  webauthnAuthenticateVerify: 'VERIFICATION_FAILED',
  webauthnCredentialRemove: 'UNKNOWN_CREDENTIAL',
  webauthnCredentialVerify: 'VERIFICATION_FAILED',
  webauthnDiscoverVerify: 'VERIFICATION_FAILED',
  webauthnMessageVerify: 'VERIFICATION_FAILED',
  webauthnRegisterVerify: 'VERIFICATION_FAILED',
  webauthnTransactionVerify: 'VERIFICATION_FAILED',
}

describe('docs/quick-start.md', () => {
  let service: ConfiguredService
  beforeAll(async () => {
    service = await startConfigured({})
  })
  afterAll(() => service.stop())

  test('behavior: every example of the reference runs as shown', { tags: ['all'] }, async () => {
    const { body: document } = await ask(`${service.url}/openapi.json`)
    const send = (path: string, method: string, body: unknown, token?: string) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return method === 'POST'
        ? postJson(service.url + path, body, headers)
        : ask(service.url + path, { headers })
    }
    // What the page asks for first: the account of the EOA, a passkey account named alice, and play money for both.
    const owned = await send('/smart-account/create', 'POST', {
      eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })
    const options = await send('/v3/webauthn/register/generate-options?username=alice', 'GET', undefined)
    const passkey = new Authenticator(service.url.replace('127.0.0.1', 'localhost'))
    const registered = await send(
      '/v3/webauthn/register/verify?username=alice',
      'POST',
      passkey.create(options.body),
    )
    expect(registered.body).toMatchObject({ username: 'alice' })
    for (const { body } of [owned, registered])
      await send('/wallet/faucet', 'POST', { walletAddress: body.wallet.scw_address, network: '31337' })
    const outcomes: Record<string, string> = {}
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths))
      for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
        const query = new URLSearchParams(
          parameters.flatMap(({ name, example }): [string, string][] =>
            example === undefined ? [] : [[name, String(example)]],
          ),
        )
        const { status, body } = await send(
          `${path}?${query}`,
          method.toUpperCase(),
          requestBody?.content['application/json'].example,
          registered.body.token,
        )
        if (status !== 200) outcomes[operationId] = body.code
      }
    expect(outcomes).toEqual(needs)
  })

  test('behavior: the first transaction with curl', { tags: ['all'] }, async () => {
    const script = blockOf(await read('docs/quick-start.md'), 'curl').replace(
      'http://127.0.0.1:3000',
      service.url,
    )
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root })
    expect(stdout).toContain('"success":true')
  })

  test('behavior: one balance over all networks with curl', { tags: ['all'] }, async () => {
    const quickStart = await read('docs/quick-start.md')
    const script = `${blockOf(quickStart, 'curl')}${blockOf(quickStart, 'balance')}`
    const { stdout } = await run(
      'bash',
      ['-euo', 'pipefail', '-c', script.replace('http://127.0.0.1:3000', service.url)],
      { cwd: root },
    )
    expect(stdout.match(/"success":true/g)).toHaveLength(4)
    expect(stdout).toMatch(/"netBalance":"\d+"/)
  })

  test('behavior: the first transaction with the client', async () => {
    const example = 'examples/first-transaction/first-transaction.ts'
    expect(await read(example)).toBe(blockOf(await read('docs/quick-start.md'), 'client'))
    const { stdout } = await run(process.execPath, [join(root, example)], {
      env: { ...process.env, LANYARD_URL: service.url },
    })
    expect(stdout).toContain('success: true')
  })

  test.skipIf(!hasPython)('behavior: the first transaction with Python', async () => {
    const script = blockOf(await read('docs/guides/from-python-or-go.md'), 'python')
    const { stdout } = await run('python3', ['-c', script], {
      cwd: root,
      env: { ...process.env, LANYARD_URL: service.url },
    })
    expect(stdout).toContain("'success': True")
  })

  test('behavior: the first page shows commands and addresses that the documents have run', async () => {
    const texts = await Promise.all(['docs/tutorial.md', 'docs/quick-start.md'].map(read))
    for (const { command } of doors) expect(texts.join(), command).toContain(command)
    const pages = linksOf(sidebar.flatMap(({ items }) => items))
    for (const { to } of [...asked, ...doors.map(({ link }) => link)]) expect(pages).toContain(to)
  })

  test.skipIf(!hasGo)('behavior: the first transaction with Go', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-go-'))
    try {
      const file = join(folder, 'main.go')
      await writeFile(file, blockOf(await read('docs/guides/from-python-or-go.md'), 'go'))
      const { stdout } = await run('go', ['run', file], {
        cwd: root,
        env: { ...process.env, LANYARD_URL: service.url },
      })
      expect(stdout).toContain('success: true')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('behavior: the session agent pays until its allowance is used up and is then refused', {
    tags: ['all'],
  }, async () => {
    const { stdout } = await run(process.execPath, [join(root, 'examples/session-agent/agent.ts')], {
      env: { ...process.env, LANYARD_URL: service.url, PAUSE: '0' },
    })
    expect(stdout.match(/paid 0\.001 ether/g)).toHaveLength(5)
    expect(stdout).toContain('refused: The session has 0 base units of the native token left')
  })

  test('behavior: the agent buys until its limit, is granted more, and goes on; a thief gets nothing', {
    tags: ['all'],
  }, async () => {
    const { stdout } = await run(process.execPath, [join(root, 'examples/agent/agent.ts')], {
      env: { ...process.env, LANYARD_URL: service.url },
    })
    expect(stdout.match(/^day \d: paid, 0\.4 USDC$/gm)).toHaveLength(4)
    expect(stdout).toContain('day 3: It is more than what is left: 0 USDC. The agent asks its owner:')
    expect(stdout).toContain(
      "a thief with the session key gets 0 of the account's tokens: CallNotAllowed on chain",
    )
  })
})

/** Pages below `/docs` that the service draws itself. */
const served = ['/docs/reference']

describe('documents', async () => {
  const documents = [
    ...(await Array.fromAsync(
      glob(['*.md', '.changeset/README.md', 'docs/**/*.md', '{apps,packages,tools,examples}/*/README.md'], {
        cwd: root,
      }),
    )),
    ...Object.keys(generated),
  ]

  test.each(documents)('behavior: every link and path in %s exists', async (document) => {
    const text = await read(document)
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) =>
      join(dirname(document), target ?? ''),
    )
    const paths = [
      ...text.matchAll(/`((?:apps|packages|tools|docs|scripts|examples|deploy)\/[\w./-]+)`/g),
    ].map(([, path]) => path ?? '')
    // Only a generated page links to another: the repository has none of them.
    const exists = (path: string) =>
      (document in generated && path in generated) ||
      existsSync(join(root, path)) ||
      existsSync(join(root, dirname(document), path))
    const missing = [...links, ...paths].filter((path) => !exists(path))
    expect(missing).toEqual([])
  })

  test.each(documents)('behavior: every address of the site that %s names is a page', async (document) => {
    const addresses = [...(await read(document)).matchAll(/`(\/docs\/[^`]+)`/g)].map(([, path]) => path ?? '')
    const exists = (address: string) => {
      const page = documentAt(address) ?? address.slice(1)
      return page in generated || existsSync(join(root, page)) || served.includes(address)
    }
    expect(addresses.filter((address) => !exists(address))).toEqual([])
  })

  /** Commands of the package managers themselves. */
  const ownCommands = new Set(['audit', 'create', 'install', 'pack', 'publish'])

  test.each(documents)('behavior: every script that %s names exists', async (document) => {
    const text = await read(document)
    const manifests = ['package.json', join(dirname(document), 'package.json')].filter((path) =>
      existsSync(join(root, path)),
    )
    const scripts = Object.assign(
      {},
      ...(await Promise.all(manifests.map(async (path) => JSON.parse(await read(path)).scripts))),
    )
    const named = [...text.matchAll(/`(?:npm|pnpm) (?:run )?([a-z][\w:]*)/g)].map(
      ([, script]) => script ?? '',
    )
    expect(named.filter((script) => !(script in scripts) && !ownCommands.has(script))).toEqual([])
  })

  test('behavior: the sidebar of the site lists exactly the pages of docs', async () => {
    const pages = [
      ...(await Array.fromAsync(glob('docs/{,guides/}*.md', { cwd: root }))),
      ...Object.keys(generated).filter((page) => /^docs\/(api\/)?[^/]+\.md$/.test(page)),
    ]
    const listed = sidebar.flatMap(({ items }) => linksOf(items))
    const expected = [
      ...pages,
      ...Object.keys(otherPages),
      'docs/audit/README.md',
      'docs/endpoints/README.md',
    ]
    expect(listed.toSorted()).toEqual(expected.map((page) => pathOf(page)).toSorted())
  })
})
