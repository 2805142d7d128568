// @promise 10
import { type CallerKind, callers, includesScope, keyScopes, type Verdict } from '@lanyard/contracts'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { type Address, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { endpointList, type NamedEndpoint } from '../../src/platform/endpoint-list.ts'
import { appRouter } from '../../src/routers/router.ts'
import { type Answer, ask } from '../http-service.ts'
import { consentOf } from '../owner-consent.ts'
import { origin, startPasskeyService } from '../passkeys/passkey-service.ts'
import { type CallResult, type People, type Scenario, scenarios } from './scenarios.ts'

const secretKey = 'a-secret-of-32-characters-xxxxxx'
const relayerKey = randomPrivateKey()
let service: Awaited<ReturnType<typeof startPasskeyService>>
let people: People
let publishableKey: string
/** A secret key of each scope. */
const scoped = new Map<string, string>()
beforeAll(async () => {
  service = await startPasskeyService({
    local: false,
    smartBalance: true,
    headers: { 'x-api-key': secretKey },
    environment: {
      API_KEYS: `server:${secretKey}`,
      RELAYER_PRIVATE_KEYS: relayerKey,
      OPERATOR_PRIVATE_KEY: randomPrivateKey(),
      ROLES: 'api,worker',
    },
  })
  const { address } = privateKeyToAccount(relayerKey)
  await service.chain.setBalance({ address, value: parseEther('10') })
  const owner = await service.register('owner')
  await addEoaOwner(owner)
  const other = await service.register('other')
  people = { owner, other, service }
  const key = { kind: 'publishable', name: 'app', origins: [origin] } as const
  publishableKey = (await createApiKey(service.database, key, new Date())).key
  for (const scope of keyScopes) {
    const given = { kind: 'secret', name: scope, origins: [], scope } as const
    scoped.set(scope, (await createApiKey(service.database, given, new Date())).key)
  }
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** `smartAccount.build` needs a wallet with an EOA owner. */
async function addEoaOwner(user: People['owner']): Promise<void> {
  const added = privateKeyToAccount(randomPrivateKey())
  const { body } = await service.post<{ networks: readonly { transactionDetails: unknown }[] }>(
    '/smart-account/owner/add',
    {
      ...{ walletAddress: user.address, ownerAddress: added.address },
      ownerSignature: await consentOf(added, user.address as Address),
    },
  )
  const { body: submitted } = await service.send(user, body.networks[0]?.transactionDetails)
  expect(submitted).toMatchObject({ success: true })
}

function headersOf(caller: CallerKind): Record<string, string> {
  const fromPage = { 'x-api-key': publishableKey, origin }
  const headers = {
    anonymous: {},
    publishable: fromPage,
    secret: { 'x-api-key': secretKey },
    otherUser: { ...fromPage, authorization: `Bearer ${people.other.token}` },
    owner: { ...fromPage, authorization: `Bearer ${people.owner.token}` },
  } satisfies Record<CallerKind, Record<string, string>>
  return headers[caller]
}

const transports = ['REST', 'tRPC'] as const
type Transport = (typeof transports)[number]

/** Sends the call and returns the answer in the same form for both transports. */
async function call(
  { name, declaration: { method, path, query } }: NamedEndpoint,
  caller: CallerKind | { readonly scope: string },
  transport: Transport,
  input: Record<string, unknown>,
): Promise<CallResult> {
  const named =
    typeof caller === 'string' ? headersOf(caller) : { 'x-api-key': scoped.get(caller.scope) ?? '' }
  const headers = { ...named, 'content-type': 'application/json' }
  const send = (url: string, body: unknown): Promise<Answer> =>
    ask(`${service.service.url}${url}`, {
      method,
      headers,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
  if (transport === 'tRPC') {
    const search = method === 'GET' ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
    const { status, body } = await send(`/trpc/${name}${search}`, input)
    return { status, body: body.error?.data ?? body.result.data }
  }
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) {
    if (method === 'GET' || key in (query?.shape ?? {})) parameters.append(key, String(value))
  }
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !parameters.has(key)))
  const { status, body } = await send(`${path}?${parameters}`, rest)
  return { status, body }
}

const rejectionCodes = ['UNAUTHORIZED', 'FORBIDDEN']
const isRejection = (verdict: Verdict) => verdict === 'needsKey' || verdict === 'needsToken'

reportPassed(10, 'checked combinations of procedure, caller and transport', (title) =>
  / over (REST|tRPC)/.test(title),
)

test('behavior: the router has exactly the declared procedures', () => {
  const named = endpointList.map(({ name }) => name)
  // `src/transport/trpc/subscriptions.test.ts` tests who may subscribe.
  expect([...named, 'events.listen'].sort()).toEqual(Object.keys(appRouter._def.procedures).sort())
  reportFigure(10, 'procedures, each called by five kinds of callers', endpointList.length)
})

describe.each(endpointList)('$name', (endpoint) => {
  const { name } = endpoint
  const access = endpoint.declaration.access
  const rejected = callers.filter((caller) => isRejection(access[caller]))
  const admitted = callers.filter((caller) => !isRejection(access[caller]))
  const cells = (some: readonly CallerKind[]) =>
    some.flatMap((caller) =>
      transports.map((transport) => ({ caller, transport, verdict: access[caller] }) as const),
    )

  test.each(cells(rejected))('$caller over $transport: $verdict', async ({ caller, transport }) => {
    const { status, body } = await call(endpoint, caller, transport, {})
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  // The input is empty. A caller with access gets a validation error.
  test.each(cells(admitted))('$caller over $transport: $verdict', async ({ caller, transport }) => {
    const { body } = await call(endpoint, caller, transport, {})
    expect(rejectionCodes).not.toContain(body.code)
  })

  // Both transports ask the same function, so tRPC needs one of them.
  const needed = endpoint.declaration.scope ?? 'full'
  test.each([
    ...keyScopes.map((scope) => ({ scope, transport: 'REST', needed }) as const),
    { scope: 'metrics', transport: 'tRPC', needed } as const,
  ])('a key for $scope over $transport, which needs $needed', async ({ scope, transport, needed }) => {
    const { status, body } = await call(endpoint, { scope }, transport, {})
    const isRejected = status === 403 && body.code === 'FORBIDDEN'
    expect(isRejected).toBe(access.anonymous !== 'allowed' && !includesScope(scope, needed))
  })

  const scenario: Scenario | undefined = scenarios[name as keyof typeof scenarios]
  if (!scenario) return
  test.each(cells(admitted))("$caller over $transport, with the owner's data: $verdict", async (cell) => {
    const { caller, transport, verdict } = cell
    const ask = (input: Record<string, unknown>) => call(endpoint, caller, transport, input)
    await scenario.check(verdict, await ask(await scenario.input(people)), { people, caller, retry: ask })
  })
})

test('behavior: what changes something needs full rights', () => {
  const looser = endpointList.filter(
    ({ declaration: { method, scope } }) => method === 'POST' && scope !== undefined,
  )
  // These compute their answer and keep nothing.
  expect(looser.map(({ name }) => name).sort()).toEqual([
    'message.check',
    'sessionKey.check',
    'smartAccount.gasFees',
    'smartAccount.simulate',
  ])
})

test.each(keyScopes)(
  'behavior: a key for %s, at /metrics, /rpc and the events of all accounts',
  async (scope) => {
    const headers = { 'x-api-key': scoped.get(scope) ?? '' }
    const { status: metrics } = await ask(`${service.service.url}/metrics`, { headers })
    expect(metrics).toBe(scope === 'full' || scope === 'metrics' ? 200 : 403)
    const rpc = async (method: string) => {
      const { body } = await ask(`${service.service.url}/rpc/31337`, {
        ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      })
      return /This key (may only|is only)/.test(body.error?.message ?? '') ? 'refused' : 'done'
    }
    expect(await rpc('eth_chainId')).toBe(scope === 'metrics' ? 'refused' : 'done')
    expect(await rpc('eth_estimateUserOperationGas')).toBe(includesScope(scope, 'read') ? 'done' : 'refused')
    expect(await rpc('eth_sendUserOperation')).toBe(scope === 'full' ? 'done' : 'refused')
    const stream = await fetch(`${service.service.url}/events`, { headers })
    await stream.body?.cancel()
    expect(stream.status).toBe(includesScope(scope, 'read') ? 200 : 403)
  },
)

test('error: UNAUTHORIZED for a batch in which one call needs a key', async () => {
  const { status } = await ask(`${service.service.url}/trpc/system.health,system.networks?batch=1&input={}`)
  expect(status).toBe(401)
  const { status: alone } = await ask(`${service.service.url}/trpc/system.health?batch=1&input={}`)
  expect(alone).toBe(200)
})
