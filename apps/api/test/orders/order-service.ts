import { defaultVerifiers } from '@lanyard/accounts'
import type { Engine, OpenDatabase } from '@lanyard/database'
import { freshDatabase, usualEngine } from '@lanyard/database/testing'
import { type Devnet, type Hardfork, type RunningNetwork, startDevnet } from '@lanyard/devnet'
import { networkConfig } from '@lanyard/networks'
import { logEvidence, noteStarted, randomPrivateKey } from '@lanyard/testing'
import { pino } from 'pino'
import { type Address, bytesToBigInt, type Hex, zeroAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Service, startService } from '../../src/app/server.ts'
import type { PassPauses } from '../../src/app/workers/passes.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { localRelayers } from '../../src/platform/keys/role-keys.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { type RestClient, restClient } from '../rest.ts'
import { orderChains } from './order-chains.ts'
import { openMarket, productionKeys } from './production.ts'

export interface StartOptions {
  readonly engine?: Engine
  /** An open, migrated database to use in place of a fresh one. It is closed with the service. */
  readonly database?: OpenDatabase
  readonly hardfork?: Hardfork
  /** Seconds between blocks. Transactions are still mined at once. */
  readonly blockTime?: number
  readonly chainIds?: readonly number[]
  readonly environment?: Record<string, string>
  /** False: the service treats the chains as real networks. */
  readonly local?: boolean
  /** As for real money: networks that are not local, two RPC origins, keys of its own, a secret key, a market. */
  readonly production?: boolean
  /** Starts a bundler for a network, or nothing for the embedded one. */
  readonly startBundler?: (network: RunningNetwork) => Promise<AsyncDisposable & { url: string }>
  /** Starts a proxy for the service's requests to a network. The tests still use the network directly. */
  readonly startProxy?: (
    network: RunningNetwork,
  ) => Promise<AsyncDisposable & { url: string; further?: readonly string[] }>
  /** Starts another node with a network's state in place of anvil; the tests then use Hardhat's test methods. */
  readonly startOtherNode?: (network: RunningNetwork) => Promise<AsyncDisposable & { url: string }>
  /** Extra settings of each network. */
  readonly settings?: object
  /** How often background work looks. Default: five times as often as in production, since most tests wait for it. */
  readonly pauses?: PassPauses
}

/** pino's number of "info". */
const infoLevel = 30

const origin = 'http://localhost:3000'
let userCount = 0

export { payee } from './order-chains.ts'

/** Starts the service with its smart balance on local networks and its own database. Amounts have 6 decimals. */
export async function startOrderService({
  engine = usualEngine(),
  database: given,
  hardfork,
  blockTime,
  chainIds = [31337, 31338, 31339],
  environment = {},
  production = false,
  local = !production,
  startBundler,
  startProxy,
  startOtherNode,
  settings = {},
  pauses = { busy: 200, idle: 400 },
}: StartOptions = {}) {
  await using started = new AsyncDisposableStack()
  const anvils = started.use(
    await startDevnet({ chainIds, ...(hardfork && { hardfork }), ...(blockTime && { blockTime }) }),
  )
  const devnet = startOtherNode ? await replaceNodes(anvils, startOtherNode, started) : anvils
  const bundlers = new Map<number, string>()
  for (const network of startBundler ? devnet.networks : []) {
    const bundler = await startBundler?.(network)
    if (bundler) bundlers.set(network.chainId, started.use(bundler).url)
  }
  const rpcUrls = new Map(
    devnet.networks.map(({ chainId, rpcUrl }) => [
      chainId,
      production ? [rpcUrl, rpcUrl.replace('127.0.0.1', 'localhost')] : [rpcUrl],
    ]),
  )
  for (const network of startProxy ? devnet.networks : []) {
    const proxy = await startProxy?.(network)
    if (!proxy) continue
    const { url, further = [] } = started.use(proxy)
    // The test may bring the second origin itself.
    const direct = production && further.length === 0 ? [network.rpcUrl] : []
    rpcUrls.set(network.chainId, [url, ...further, ...direct])
  }
  const bundlerOn = (chainId: number) => {
    const url = bundlers.get(chainId)
    return url === undefined ? {} : { bundler: { kind: 'remote', url } }
  }
  const database = started.use(given ?? (await freshDatabase(engine)))
  const logged: Record<string, unknown>[] = []
  const evidence = logEvidence('service')
  let offset = 0
  const start = async (more: Record<string, string> = {}): Promise<Service> => {
    noteStarted('services in a test worker')
    return startService(
      readEnv({
        PORT: '0',
        NODE_ENV: 'test',
        RATE_LIMITS: 'off',
        READ_CACHE: '0',
        RP_ID: 'localhost',
        ORIGINS: origin,
        ...keys?.environment,
        ...environment,
        ...more,
      }),
      {
        log: pino(
          { level: 'debug' },
          {
            write(line: string) {
              const entry = JSON.parse(line)
              logged.push(entry)
              if (entry.level >= infoLevel) evidence.write(line)
            },
          },
        ),
        now: () => new Date(Date.now() + offset),
        pauses,
        database,
        networks: devnet.networks.map((network) =>
          networkConfig.parse({
            chainId: network.chainId,
            name: network.name,
            rpcUrls: rpcUrls.get(network.chainId),
            local,
            ...(production && {
              rpcOrigins: rpcUrls.get(network.chainId)?.map((_, index) => `rpc-${index}`),
            }),
            settlementToken: network.settlementToken,
            smartBalance: network.smartBalance,
            sessionKeys: network.sessionKeys,
            nativePrice: network.nativePrice,
            pollingInterval: 25,
            ...settings,
            ...bundlerOn(network.chainId),
          }),
        ),
      },
    )
  }
  const chains = orderChains(devnet, startOtherNode ? 'hardhat' : 'anvil')
  const keys = production ? productionKeys() : undefined
  if (keys) for (const { chainId } of devnet.networks) await openMarket(chains, chainId, keys)
  const service = started.use(await start())
  const headers: Readonly<Record<string, string>> = keys ? { 'x-api-key': keys.secret } : {}
  const rest = restClient(service.url, headers)

  async function createWallet(client: RestClient = rest) {
    const owner = privateKeyToAccount(randomPrivateKey())
    const { body } = await client.post('/smart-account/create', { eoaAddress: owner.address })
    const address: Address = body.wallet.scw_address
    return { owner, address, signer: { kind: 'eoa', address: owner.address } as const }
  }

  /** Creates an account with a deposit of 100 on each of some networks. */
  async function createFunded(chainIds: readonly number[], amount = 100_000_000n) {
    const wallet = await createWallet()
    for (const chainId of chainIds) await chains.deposit(chainId, wallet.address, amount, wallet.signer)
    return wallet
  }

  /** Creates a user with a passkey. */
  async function createPasskeyUser() {
    const username = `user-${userCount++}`
    const named = `username=${username}`
    const passkey = new Authenticator(origin)
    const options = await rest.get(`/v3/webauthn/register/generate-options?${named}`)
    const { body } = await rest.post(`/v3/webauthn/register/verify?${named}`, passkey.create(options.body))
    const address: Address = body.wallet.scw_address
    const x = bytesToBigInt(passkey.x)
    const y = bytesToBigInt(passkey.y)
    return {
      username,
      passkey,
      address,
      signer: { kind: 'passkey', x, y, verifiers: defaultVerifiers } as const,
      options: (request: object) =>
        rest.post('/v3/webauthn/transaction/generate-options', { username, ...request }),
      verify: (challenge: Parameters<Authenticator['get']>[0]) =>
        rest.post(`/v3/webauthn/transaction/verify?${named}`, passkey.get(challenge)),
    }
  }

  const post = (path: string) => (body: object) => rest.post(path, body)
  const build = post('/smart-account/transaction/build')
  const solve = post('/v3/smartbalance/computesolution')

  /** Computes a solution and builds its calls only. */
  async function buildSolution(request: { walletAddress: Address; outputNetwork: number; amount: string }) {
    const { body: solution } = await solve(request)
    return build({
      network: String(request.outputNetwork),
      walletAddress: request.walletAddress,
      paymasterData: solution.signatures.paymaster,
      transactionDetails: callsOf(solution),
    })
  }

  const readOrder = (orderId: string) =>
    database.db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()

  const readOperations = (orderId: string) =>
    database.db
      .selectFrom('order_operations')
      .innerJoin('operations', 'operations.user_op_hash', 'order_operations.user_op_hash')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('order_operations.created_at')
      .execute()

  const running = started.move()
  return {
    rest,
    /** The credentials of `rest`. */
    headers,
    service,
    database,
    devnet,
    logged,
    /** Sends the bundles. */
    relayer: keys?.relayer.address ?? localRelayers[0] ?? zeroAddress,
    ...chains,
    start,
    createWallet,
    createFunded,
    createPasskeyUser,
    readOrder,
    readOperations,
    build,
    submit: post('/smart-account/transaction/submit'),
    solve,
    buildSolution,
    /** Advances the service's clock. */
    advance: (milliseconds: number) => {
      offset += milliseconds
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function replaceNodes(
  anvils: Devnet,
  start: NonNullable<StartOptions['startOtherNode']>,
  started: AsyncDisposableStack,
): Promise<Devnet> {
  const networks = []
  for (const network of anvils.networks) {
    const { url } = started.use(await start(network))
    networks.push({ ...network, rpcUrl: url })
  }
  await anvils.stop()
  return { ...anvils, networks }
}

export type OrderService = Awaited<ReturnType<typeof startOrderService>>

/** Signatures over messageToSign, as wallets make them. */
export const sign = {
  raw: (owner: PrivateKeyAccount, hash: Hex) => owner.sign({ hash }),
  personal: (owner: PrivateKeyAccount, hash: Hex) => owner.signMessage({ message: { raw: hash } }),
} as const

/** The calls of a solution as transactionDetails. */
export const callsOf = ({
  transactions: { withdrawal, claim },
}: {
  transactions: Record<'withdrawal' | 'claim', { encodedData: Hex; targetContractAddress: Address }>
}) =>
  [withdrawal, claim]
    .filter(({ encodedData }) => encodedData !== '0x')
    .map((call) => ({ ...call, value: '0' }))
