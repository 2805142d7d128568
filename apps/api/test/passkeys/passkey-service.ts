import type { Engine } from '@lanyard/database'
import { freshDatabase, usualEngine } from '@lanyard/database/testing'
import { type Hardfork, localTransport, startDevnet } from '@lanyard/devnet'
import { networkConfig } from '@lanyard/networks'
import { noteStarted } from '@lanyard/testing'
import { pino } from 'pino'
import { type Address, createTestClient, type Hash, parseEther, publicActions } from 'viem'
import { startService } from '../../src/app/server.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { orderChains } from '../orders/order-chains.ts'
import { Authenticator, type CreationOptions, type RequestOptions } from './authenticator.ts'

export const origin = 'http://localhost:3000'

/** A response of the service with any body. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T & { readonly code?: string; readonly message?: string }
}

interface Registered {
  readonly username: string
  readonly wallet: {
    readonly scw_address: Address
    readonly multi_scw: readonly { network: number; address: Address; deployed: boolean }[]
  }
  readonly token: string
}

export interface Submitted {
  readonly userOpHash: Hash
  readonly txnHash: Hash
  readonly success: boolean
}

interface StartOptions {
  readonly engine?: Engine
  readonly hardfork?: Hardfork
  readonly chainIds?: readonly number[]
  readonly environment?: Record<string, string>
  /** Headers of every request, e.g. an API key. */
  readonly headers?: Record<string, string>
  /** False: the service treats the chains as real networks. Default: true. */
  readonly local?: boolean
  /** True: the chains have a smart balance. Default: false. */
  readonly smartBalance?: boolean
  /** Further members of each network's configuration. */
  readonly settings?: object
}

/** Starts the service on its own chains and database. Tests use it over HTTP only. */
export async function startPasskeyService({
  engine = usualEngine(),
  hardfork,
  chainIds = [31337],
  environment = {},
  headers = {},
  local = true,
  smartBalance: offered = false,
  settings = {},
}: StartOptions = {}) {
  await using started = new AsyncDisposableStack()
  const devnet = started.use(await startDevnet({ chainIds, ...(hardfork && { hardfork }) }))
  const database = started.use(await freshDatabase(engine))
  let offset = 0
  // Suites run hundreds of ceremonies in seconds. src/transport/limit-rate.test.ts covers the limits.
  const limits = { RATE_LIMITS: 'off', READ_CACHE: '0' }
  noteStarted('services in a test worker')
  const service = started.use(
    await startService(
      readEnv({
        PORT: '0',
        NODE_ENV: 'test',
        RP_ID: 'localhost',
        ORIGINS: origin,
        ...limits,
        ...environment,
      }),
      {
        log: pino({ level: 'silent' }),
        now: () => new Date(Date.now() + offset),
        database,
        networks: devnet.networks.map(
          ({ chainId, name, rpcUrl, settlementToken, smartBalance, sessionKeys, nativePrice }) =>
            networkConfig.parse({
              ...{ chainId, name, rpcUrls: [rpcUrl], local, sessionKeys, pollingInterval: 25 },
              ...(offered && { settlementToken, smartBalance, nativePrice }),
              ...settings,
            }),
        ),
      },
    ),
  )
  const chains = devnet.networks.map(({ rpcUrl }) =>
    createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), pollingInterval: 25 }).extend(
      publicActions,
    ),
  )
  const [chain] = chains
  if (!chain) throw new TypeError('startDevnet returns one network per chain id')

  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer<T>> {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer<T>['body'] } // the caller knows the type
  }
  const get = <T>(path: string, token?: string) => call<T>('GET', path, undefined, token)
  const post = <T>(path: string, body: unknown, token?: string) => call<T>('POST', path, body, token)
  const named = (username: string) => `username=${encodeURIComponent(username)}`

  const api = {
    get,
    post,
    registerOptions: (username: string) =>
      get<CreationOptions>(`/v3/webauthn/register/generate-options?${named(username)}`),
    registerVerify: (username: string, body: unknown, more = '') =>
      post<Registered>(`/v3/webauthn/register/verify?${named(username)}${more}`, body),
    authenticateOptions: (username: string) =>
      get<{ passkeyAuthenticationOptions: RequestOptions & { allowCredentials: { id: string }[] } }>(
        `/webauthn/authenticate/generate-options?${named(username)}`,
      ),
    authenticateVerify: (username: string, body: unknown) =>
      post<{ message: string; token: string }>(`/webauthn/authenticate/verify?${named(username)}`, body),
    transactionOptions: (body: unknown) =>
      post<RequestOptions & { allowCredentials: { id: string }[]; userOp: { verificationGasLimit: string } }>(
        '/v3/webauthn/transaction/generate-options',
        body,
      ),
    transactionVerify: (username: string, body: unknown) =>
      post<Submitted>(`/v3/webauthn/transaction/verify?${named(username)}`, body),
  }

  /** Registers a user with a new passkey and funds the account on every chain. */
  async function register(username: string, passkey = new Authenticator(origin)) {
    const options = await api.registerOptions(username)
    const { status, body } = await api.registerVerify(username, passkey.create(options.body))
    if (status !== 200) throw new Error(`${body.code}: ${body.message}`)
    const address = body.wallet.scw_address
    for (const { setBalance } of chains) await setBalance({ address, value: parseEther('10') })
    return { passkey, address, ...body }
  }

  /** Builds, signs and submits calls with a passkey. */
  async function send(
    { username, passkey }: { username: string; passkey: Authenticator },
    transactionDetails: unknown,
    network = '31337',
  ): Promise<Answer<Submitted>> {
    const options = await api.transactionOptions({ username, network, transactionDetails })
    if (options.status !== 200) throw new Error(`${options.body.code}: ${options.body.message}`)
    return api.transactionVerify(username, passkey.get(options.body))
  }

  const running = started.move()
  return {
    ...api,
    register,
    send,
    chain,
    chains,
    rpcUrl: devnet.networks[0]?.rpcUrl ?? '',
    /** The same chains with functions for deposits in the smart balance. */
    deposits: orderChains(devnet),
    service,
    database: database.db,
    /** Advances the service's clock. */
    advance: (milliseconds: number) => {
      offset += milliseconds
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type PasskeyService = Awaited<ReturnType<typeof startPasskeyService>>

/** A transfer of 1 wei to an unused address. */
export const transfer = (value = '1') => [
  { targetContractAddress: '0x00000000000000000000000000000000000000ad', value, encodedData: '0x' },
]
