/** @module-tag all */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preflightDomain } from '../../src/admin/preflight/passkey-domain.ts'
import { parseAndroidApp, parseIosApp } from '../../src/platform/environment/native-apps.ts'
import { ask } from '../http-service.ts'
import { Authenticator } from './authenticator.ts'
import { type PasskeyService, startPasskeyService, transfer } from './passkey-service.ts'

const rpId = 'wallet.example'
const page = 'https://app.wallet.example'
const ios = 'A1B2C3D4E5.example.wallet.Wallet'
const certificate = 'Fb'.repeat(31).concat('07')
const fingerprint = certificate.toUpperCase().match(/../g)?.join(':') ?? ''
const otherCertificate = '11'.repeat(32)
const android = `example.wallet.app:${fingerprint}`
const androidOrigin = `android:apk-key-hash:${Buffer.from(certificate, 'hex').toString('base64url')}`

let service: PasskeyService
let url: string
beforeAll(async () => {
  service = await startPasskeyService({
    environment: {
      RP_ID: rpId,
      ORIGINS: page,
      IOS_APPS: ios,
      ANDROID_APPS: `${android}, example.wallet.app:${otherCertificate}`,
    },
  })
  url = service.service.url
})
afterAll(() => service?.[Symbol.asyncDispose]())

describe('the files of the domain', () => {
  test('behavior: Apple finds the iOS apps, and Google the Android apps with their certificates', async () => {
    const apple = await ask(`${url}/.well-known/apple-app-site-association`)
    expect([apple.status, apple.body]).toEqual([200, { webcredentials: { apps: [ios] } }])
    expect(apple.headers.get('content-type')).toMatch(/^application\/json/)
    const google = await ask(`${url}/.well-known/assetlinks.json`)
    expect(google.headers.get('content-type')).toMatch(/^application\/json/)
    expect([google.status, google.body]).toEqual([
      200,
      [
        {
          relation: [
            'delegate_permission/common.handle_all_urls',
            'delegate_permission/common.get_login_creds',
          ],
          target: {
            namespace: 'android_app',
            package_name: 'example.wallet.app',
            sha256_cert_fingerprints: [fingerprint, otherCertificate.match(/../g)?.join(':')],
          },
        },
      ],
    ])
  })

  test('behavior: a file without an entry is not served', async () => {
    expect((await ask(`${url}/.well-known/webauthn`)).status).toBe(404)
  })
})

describe('ceremonies in an app', () => {
  /** The members that phones write, in their order: iOS omits `crossOrigin`, Android adds its package. */
  const asIos = (data: Record<string, unknown>) => {
    delete data.crossOrigin
  }
  const asAndroid = (data: Record<string, unknown>) => {
    delete data.crossOrigin
    data.androidPackageName = 'example.wallet.app'
  }

  test.each([
    ['iOS', `https://${rpId}`, asIos],
    ['Android', androidOrigin, asAndroid],
  ] as const)(
    'behavior: a passkey of %s registers, signs in and pays with the client data of the phone',
    async (system, origin, clientData) => {
      const username = `of-${system.toLowerCase()}`
      const phone = new Authenticator(origin)
      const creation = await service.registerOptions(username)
      const registered = await service.registerVerify(username, phone.create(creation.body, { clientData }))
      expect(registered.status, registered.body.message).toBe(200)
      const address = registered.body.wallet.scw_address
      await service.chain.setBalance({ address, value: parseEther('1') })
      const signIn = await service.authenticateOptions(username)
      const { passkeyAuthenticationOptions } = signIn.body
      const signedIn = await service.authenticateVerify(
        username,
        phone.get(passkeyAuthenticationOptions, { clientData }),
      )
      expect(signedIn.status, signedIn.body.message).toBe(200)
      // The contract hashes the client data with these members.
      const body = { username, network: '31337', transactionDetails: transfer() }
      const built = await service.transactionOptions(body)
      const sent = await service.transactionVerify(username, phone.get(built.body, { clientData }))
      expect(sent).toMatchObject({ status: 200, body: { success: true } })
    },
  )

  test.each([
    ['another Android certificate', `android:apk-key-hash:${'A'.repeat(43)}`],
    ['an app that names itself', 'ios:bundle-id:example.wallet.Wallet'],
    ['a page of a sibling domain', 'https://other.example'],
  ])('error: VERIFICATION_FAILED for %s', async (_name, origin) => {
    const { body } = await service.registerOptions('stranger')
    const answer = await service.registerVerify('stranger', new Authenticator(origin).create(body))
    expect(answer).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
  })
})

test.each([
  ['A1B2C3D4E5.com.example.wallet', true],
  ['com.example.wallet', false],
  ['a1b2c3d4e5.com.example', false],
  ['A1B2C3D4E5.', false],
  ['A1B2C3D4E5.com.exa mple', false],
])('behavior: IOS_APPS accepts %s: %s', (text, isValid) => {
  expect(parseIosApp(text) !== undefined).toBe(isValid)
})

test.each([
  [`com.example.wallet:${'0a'.repeat(32)}`, true],
  [`com.example.wallet:${Array(32).fill('0A').join(':')}`, true],
  [`com.example.wallet:${'0a'.repeat(31)}`, false],
  [`com.example.wallet:${Array(31).fill('0A').join(':')}`, false],
  [`com.example.wallet:0a:${'0a'.repeat(31)}`, false],
  [`wallet:${'0a'.repeat(32)}`, false],
  ['com.example.wallet', false],
])('behavior: ANDROID_APPS accepts %s: %s', (text, isValid) => {
  expect(parseAndroidApp(text) !== undefined).toBe(isValid)
})

describe('preflight of the domain', () => {
  const domain = {
    rpId,
    origins: [page, 'https://elsewhere.example'],
    apps: { ios: [ios], android: [parseAndroidApp(android)].flatMap((one) => one ?? []) },
  }
  const codesAt = async (base: string, of = domain) =>
    (await preflightDomain(of, base))?.findings.map(({ code }) => code)

  /** A server in place of the domain. */
  async function withServer<T>(listener: RequestListener, run: (base: string) => Promise<T>): Promise<T> {
    const server = createServer(listener)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      return await run(`http://127.0.0.1:${port}`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }

  test('behavior: the service at the domain has all files that its configuration needs', async () => {
    const found = await preflightDomain({ ...domain, origins: [page] }, url)
    expect(found).toEqual({ domain: rpId, findings: [] })
  })

  test('behavior: nothing is read if only pages on RP_ID use its passkeys', async () => {
    const none = { rpId, origins: [page], apps: { ios: [], android: [] } }
    expect(await preflightDomain(none, 'http://127.0.0.1:9')).toBeUndefined()
  })

  const json = { 'Content-Type': 'application/json' }
  test.each<[string, RequestListener, string, RegExp]>([
    [
      'a redirect',
      (_, response) => response.writeHead(301, { location: '/x' }).end(),
      'UNREADABLE',
      /redirect to \/x/,
    ],
    ['another status', (_, response) => response.writeHead(404, json).end('{}'), 'UNREADABLE', /404/],
    [
      'a page',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('{}'),
      'UNREADABLE',
      /text\/html/,
    ],
    ['no JSON', (_, response) => response.writeHead(200, json).end('{'), 'UNREADABLE', /no JSON/],
    [
      'a large file',
      (_, response) => response.writeHead(200, json).end(`"${'x'.repeat(200_000)}"`),
      'UNREADABLE',
      /more than/,
    ],
    ['a closed connection', (_, response) => response.destroy(), 'UNREADABLE', /./],
    [
      'a file of somebody else',
      (_, response) => response.writeHead(200, json).end('["other"]'),
      'LACKS',
      /without/,
    ],
    [
      'apps and origins in other places of the files',
      (_, response) =>
        response.writeHead(200, json).end(
          JSON.stringify({
            applinks: { details: [{ appIDs: [ios] }] },
            webcredentials: { apps: [] },
            other: ['https://elsewhere.example', fingerprint, 'example.wallet.app'],
          }),
        ),
      'LACKS',
      /without/,
    ],
  ])('behavior: %s is a finding with the file to serve', async (_name, listener, code, seen) => {
    const report = await withServer(listener, (base) => preflightDomain(domain, base))
    expect(report?.findings.map((one) => one.code)).toEqual(Array(3).fill(`DOMAIN_FILE_${code}`))
    for (const one of report?.findings ?? []) expect(one.seen).toMatch(seen)
    expect(report?.findings.map(({ fix }) => fix).join('\n')).toContain(
      JSON.stringify({ webcredentials: { apps: [ios] } }),
    )
  })

  test('behavior: a fingerprint counts only for its package, and for the passkeys', async () => {
    const statement = (package_name: string, relation: string) => ({
      relation: [relation],
      target: { namespace: 'android_app', package_name, sha256_cert_fingerprints: [fingerprint] },
    })
    const creds = 'delegate_permission/common.get_login_creds'
    const only = { ...domain, origins: [page], apps: { ...domain.apps, ios: [] } }
    const codesOf = (file: unknown) =>
      withServer(
        (_, response) => response.writeHead(200, json).end(JSON.stringify(file)),
        (base) => codesAt(base, only),
      )
    expect(await codesOf([statement('example.other.app', creds)])).toEqual(['DOMAIN_FILE_LACKS'])
    const links = 'delegate_permission/common.handle_all_urls'
    expect(await codesOf([statement('example.wallet.app', links)])).toEqual(['DOMAIN_FILE_LACKS'])
    // Another service's statements stand beside ours.
    const web = { relation: [creds], target: { namespace: 'web', site: 'https://other.example' } }
    expect(await codesOf([web, statement('example.wallet.app', creds)])).toEqual([])
  })

  test('behavior: a certificate that is missing is named', async () => {
    const both = {
      ...domain,
      origins: [page],
      apps: {
        ios: [],
        android: [
          ...domain.apps.android,
          { packageName: 'example.wallet.app', certificate: '22'.repeat(32) },
        ],
      },
    }
    expect(await codesAt(url, both)).toEqual(['DOMAIN_FILE_LACKS'])
  })
})
