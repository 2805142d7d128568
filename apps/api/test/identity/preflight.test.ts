import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { preflightProviders } from '../../src/admin/preflight/identity-providers.ts'
import { describeReports } from '../../src/admin/preflight/report.ts'
import { identityProviders } from '../../src/platform/environment/identity-providers.ts'
import { startLoginProvider } from './start-login-provider.ts'

const configured = (...issuers: readonly string[]) =>
  identityProviders.parse(
    JSON.stringify(issuers.map((issuer) => ({ issuer, name: 'Login', audience: 'lanyard-wallet' }))),
  )

/** A server whose description is whatever a test says of it. */
async function startDescription(more: object) {
  const server = createServer((_, response) => {
    const { port } = server.address() as AddressInfo // it listens
    const issuer = `http://127.0.0.1:${port}`
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer, ...more }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens
  return {
    issuer: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('default: a provider that describes itself is ready; without providers there is nothing to check', async () => {
  await using provider = await startLoginProvider()
  const reports = await preflightProviders(configured(provider.issuer))
  expect(reports).toEqual([{ issuer: provider.issuer, findings: [] }])
  expect(describeReports(reports)).toEqual([`Logins of ${provider.issuer}: ready`, '', 'Ready.'])
  expect(await preflightProviders([])).toEqual([])
})

test('error: IDENTITY_PROVIDER_UNREADABLE if nobody answers, or another issuer does', async () => {
  await using other = await startDescription({ issuer: 'https://login.example' })
  const reports = await preflightProviders(configured('http://127.0.0.1:9', other.issuer))
  for (const { findings } of reports)
    expect(findings).toMatchObject([{ code: 'IDENTITY_PROVIDER_UNREADABLE', severity: 'error' }])
})

test('error: IDENTITY_PROVIDER_LACKS without keys, or without PKCE by S256', async () => {
  const ends = {
    authorization_endpoint: 'https://login.example/a',
    token_endpoint: 'https://login.example/t',
  }
  await using keyless = await startDescription(ends)
  await using plain = await startDescription({
    ...{ ...ends, jwks_uri: 'https://login.example/k', code_challenge_methods_supported: ['plain'] },
  })
  const reports = await preflightProviders(configured(keyless.issuer, plain.issuer))
  expect(reports.map(({ findings }) => findings.map(({ code, seen }) => `${code}: ${seen}`))).toEqual([
    ['IDENTITY_PROVIDER_LACKS: without jwks_uri'],
    ['IDENTITY_PROVIDER_LACKS: without S256 among code_challenge_methods_supported'],
  ])
})
