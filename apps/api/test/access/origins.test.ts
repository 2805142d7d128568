// @promise 10 24 B.17
import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createPublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, postJson, startHttpService } from '../http-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'

const own = 'https://wallet.example:8443'
const related = 'https://app.other.example'
const keys = ['first', 'second'].map((name) => ({ name, 'x-api-key': `${name}-secret-of-enough-characters` }))

let service: HttpService
beforeAll(async () => {
  service = await startHttpService({
    RP_ID: 'wallet.example',
    ORIGINS: `${own},${related}`,
    API_KEYS: keys.map(({ name, 'x-api-key': key }) => `${name}:${key}`).join(','),
    SPONSORED_DEPLOYMENTS: '1',
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const headersOf = (index = 0, more: Record<string, string> = {}) => ({
  'x-api-key': keys[index]?.['x-api-key'] ?? '',
  ...more,
})

async function register(origin: string, username: string, { index = 0, query = '' } = {}) {
  const baseUrl = `${service.url}/v3/webauthn/register`
  const { body } = await ask(`${baseUrl}/generate-options?username=${username}`, {
    headers: headersOf(index),
  })
  const registration = new Authenticator(origin).create(body)
  return postJson(`${baseUrl}/verify?username=${username}${query}`, registration, headersOf(index))
}

describe('signing in with an EOA', () => {
  const signer = privateKeyToAccount(generatePrivateKey())

  async function requestMessage(headers: Record<string, string>): Promise<string> {
    const post = (path: string, body: object) => postJson(service.url + path, body, headersOf(0, headers))
    const { body } = await post('/smart-account/create', { eoaAddress: signer.address })
    const walletAddress = body.wallet.scw_address
    return (await post('/login/message', { walletAddress, eoaAddress: signer.address })).body.message
  }

  const verify = async (message: string) =>
    postJson(
      `${service.url}/login/verify`,
      { message, signature: await signer.signMessage({ message }) },
      headersOf(),
    )

  test.each([
    ['the first of ORIGINS without an Origin header', {}, own],
    ['the Origin header', { origin: own }, own],
    ['an Origin header of another domain', { origin: related }, related],
    ['the first of ORIGINS for an unknown Origin header', { origin: 'https://evil.example' }, own],
  ])(
    'behavior: the domain of the message comes from %s',
    async (_name, headers: Record<string, string>, origin) => {
      const message = await requestMessage(headers)
      expect(parseSiweMessage(message)).toMatchObject({ domain: new URL(origin).host, uri: origin })
      expect(await verify(message)).toMatchObject({ status: 200 })
    },
  )

  test('error: VERIFICATION_FAILED for a message with a foreign URI, or with a domain that differs from its URI', async () => {
    for (const [from, to] of [
      [own, 'https://evil.example'],
      ['wallet.example:8443 wants', 'wallet.example wants'],
      ['wallet.example:8443 wants', 'app.other.example wants'],
    ] as const) {
      const message = (await requestMessage({ origin: own })).replace(from, to)
      expect(await verify(message)).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
    }
  })
})

describe('passkeys of related origins', () => {
  test('behavior: /.well-known/webauthn lists the origins outside RP_ID and needs no key', async () => {
    const { status, body, headers } = await ask(`${service.url}/.well-known/webauthn`)
    expect([status, body]).toEqual([200, { origins: [related] }])
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('behavior: a related origin may register', async () => {
    const answer = await register(related, 'related')
    expect(answer.status, answer.text).toBe(200)
  })
})

describe('deployWallet', () => {
  test('behavior: the relayer pays within the daily budget of each key', async () => {
    const chain = createPublicClient({ transport: localTransport(service.node.rpcUrl) })
    const relayer = devAccounts.at(-1)?.address ?? '0x'
    const sent = () => chain.getTransactionCount({ address: relayer })
    const before = await sent()
    const deploy = (username: string, index: number) =>
      register(own, username, { index, query: '&deployWallet=true' })
    expect(await deploy('deployed', 0)).toMatchObject({
      status: 200,
      body: { wallet: { multi_scw: [{ deployed: true }] } },
    })
    expect(await sent()).toBe(before + 1)
    expect(await deploy('one-too-many', 0)).toMatchObject({
      status: 400,
      body: { code: 'DEPLOYMENT_REFUSED' },
    })
    expect(await deploy('of-another-key', 1)).toMatchObject({ status: 200 })
    expect(await sent()).toBe(before + 2)
  })

  test('error: DEPLOYMENT_REFUSED on real networks unless the operator sets a budget', async () => {
    await using real = await startHttpService({ RELAYER_PRIVATE_KEYS: randomPrivateKey() }, { local: false })
    const baseUrl = `${real.url}/v3/webauthn/register`
    const origin = `http://localhost:${new URL(real.url).port}`
    const { body } = await ask(`${baseUrl}/generate-options?username=alice`)
    const registration = new Authenticator(origin).create(body)
    expect(await postJson(`${baseUrl}/verify?username=alice&deployWallet=true`, registration)).toMatchObject({
      status: 400,
      body: { code: 'DEPLOYMENT_REFUSED' },
    })
    expect(await postJson(`${baseUrl}/verify?username=alice`, registration)).toMatchObject({ status: 200 })
    // All its origins are on RP_ID.
    expect((await ask(`${real.url}/.well-known/webauthn`)).status).toBe(404)
  })
})
