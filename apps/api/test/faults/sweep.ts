import { randomPrivateKey } from '@lanyard/testing'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EndpointName } from '../../src/pipeline/access.ts'
import { findEndpoint } from '../../src/platform/endpoint-list.ts'
import { payee } from '../orders/order-service.ts'
import type { RestClient } from '../rest.ts'
import { fees } from '../session-keys/session-service.ts'
import type { FaultyService } from './faulty-service.ts'

/**
 * Creates an EOA wallet and a passkey wallet, both with ether on the given networks. The EOA wallet also has a
 * deposit and tokens.
 */
export async function createCallers(
  service: Pick<FaultyService, 'createFunded' | 'createPasskeyUser' | 'on' | 'mint'>,
  networks: readonly number[],
) {
  const wallet = await service.createFunded(networks)
  const passkey = await service.createPasskeyUser()
  for (const network of networks) {
    for (const { address } of [wallet, passkey]) {
      await service.on(network).chain.setBalance({ address, value: parseEther('10') })
    }
    await service.mint(network, wallet.address, 100_000_000n)
  }
  return { wallet, passkey }
}

export type Callers = Awaited<ReturnType<typeof createCallers>>

const unknownAddress = privateKeyToAccount(randomPrivateKey()).address
const transactionDetails = [{ targetContractAddress: payee, value: '1', encodedData: '0x' }]
const order = { amount: '1000000', type: 'AMOUNT_OUT' }

type Input = Readonly<Record<string, unknown>>

/** Endpoints that read one network, with their inputs. */
const oneNetworkInputs = {
  'smartAccount.build': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'smartAccount.gasFees': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'smartAccount.simulate': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'smartAccount.sponsorship': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'webauthn.transactionOptions': (network, { passkey: { username } }) => ({
    network: String(network),
    username,
    transactionDetails,
  }),
  'sessionKey.enable': (network, { wallet }) => ({
    ...on(network, wallet),
    sessionKey: unknownAddress,
    validAfter: Math.floor(Date.now() / 1000),
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    permissions: [{ type: 'native-token-allowance', allowance: '1' }, fees],
  }),
  'sessionKey.disable': (network, { wallet }) => ({ ...on(network, wallet), sessionKey: unknownAddress }),
  'sessionKey.check': (network, { wallet }) => ({
    ...on(network, wallet),
    sessionKey: unknownAddress,
    transactionDetails,
  }),
  'message.prepare': (network, { wallet }) => ({ ...on(network, wallet), message: 'Hello' }),
  'message.check': (network, { wallet }) => ({ ...on(network, wallet), message: 'Hello', signature: '0x' }),
  'webauthn.messageOptions': (network, { passkey: { username } }) => ({
    network: String(network),
    username,
    message: 'Hello',
  }),
  'wallet.faucet': (network, { wallet }) => on(network, wallet),
  'smartBalance.getQuote': (outputNetwork, { wallet: { address } }) => ({
    walletAddress: address,
    outputNetwork,
    ...order,
  }),
  'smartBalance.computeSolution': (outputNetwork, { wallet: { address } }) => ({
    walletAddress: address,
    outputNetwork,
    ...order,
  }),
  'smartBalance.terms': (outputNetwork, { wallet: { address } }) => ({
    walletAddress: address,
    outputNetwork,
  }),
  'smartBalance.deposit': (network, { wallet }) => ({ ...on(network, wallet), amount: '1' }),
  'smartBalance.exit': (network, { wallet }) => ({ ...on(network, wallet), action: 'request', amount: '1' }),
} satisfies Partial<Record<EndpointName, (network: number, callers: Callers) => Input>>

/** Endpoints that read all networks, with their inputs. */
const allNetworkInputs = {
  'system.health': () => ({}),
  'user.details': ({ passkey: { username } }) => ({ username }),
  'smartAccount.create': () => ({ eoaAddress: privateKeyToAccount(randomPrivateKey()).address }),
  'smartAccount.importSafe': ({ wallet: { address } }) => ({ walletAddress: address }),
  'sessionKey.list': ({ wallet: { address } }) => ({ walletAddress: address }),
  'owner.list': ({ wallet: { address } }) => ({ walletAddress: address }),
  'owner.add': ({ wallet: { address, owner } }) => ({
    walletAddress: address,
    ownerAddress: owner.address,
  }),
  'owner.remove': ({ wallet: { address, owner } }) => ({
    walletAddress: address,
    ownerAddress: owner.address,
  }),
  'ownership.status': ({ wallet: { address } }) => ({ walletAddress: address }),
  'ownership.prepare': ({ wallet: { address } }) => ({ walletAddress: address, change: { kind: 'cancel' } }),
  'guardian.list': ({ wallet: { address } }) => ({ account: address }),
  'guardian.check': ({ wallet: { address } }) => ({
    account: address,
    guardian: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  }),
  'recovery.status': ({ wallet: { address } }) => ({ account: address }),
  'recovery.prepare': ({ wallet: { address } }) => ({
    account: address,
    newOwners: [{ address: unknownAddress }],
  }),
  'wallet.balances': ({ wallet: { address } }) => ({ walletAddress: address }),
  'wallet.transfers': ({ wallet: { address } }) => ({ walletAddress: address }),
  'wallet.activity': ({ wallet: { address } }) => ({ walletAddress: address }),
  'smartBalance.getBalance': ({ wallet: { address } }) => ({ walletAddress: address }),
  'smartBalance.deposits': ({ wallet: { address } }) => ({ walletAddress: address }),
} satisfies Partial<Record<EndpointName, (callers: Callers) => Input>>

/** Orders on one network draw on deposits on the others. */
const crossNetworkEndpoints: readonly string[] = [
  'smartBalance.getQuote',
  'smartBalance.computeSolution',
  'smartBalance.terms',
  ...Object.keys(allNetworkInputs),
]

/** Endpoints that read no network, and endpoints that take a signature. Other suites call them. */
type CoveredElsewhere =
  | 'connect.callsStatus'
  | `system.${'networks' | 'brand' | 'prices'}`
  | `login.${'message' | 'verify'}`
  | `identity.${'start' | 'exchange' | 'verify' | 'reserve' | 'register' | 'link' | 'unlink' | 'list' | 'askGuardians'}`
  | `webauthn.${'registerOptions' | 'registerVerify' | 'authenticateOptions' | 'authenticateVerify'}`
  | `webauthn.${'discoverOptions' | 'discoverVerify' | 'transactionVerify' | 'messageVerify'}`
  | 'webauthn.recoveryOptions'
  | 'gas.tokens'
  | 'message.finish'
  | `webauthn.${'credentials' | 'credentialOptions' | 'credentialVerify' | 'credentialRemove'}`
  | `user.${'search' | 'checkUsername'}`
  | 'owner.recoveryKit'
  | 'ownership.submit'
  | 'guardian.prove'
  | `recovery.${'sign' | 'cancel' | 'execute'}`
  | `smartAccount.${'submit' | 'status'}`
  | `smartBalance.${'order' | 'orders'}`
  | 'sessionKey.history'
  | 'wallet.ledger'

/** The compiler rejects an endpoint that is in none of the three lists. */
const _complete: Exclude<
  EndpointName,
  keyof typeof oneNetworkInputs | keyof typeof allNetworkInputs | CoveredElsewhere
> extends never
  ? true
  : never = true
void _complete

const on = (network: number, { address }: Callers['wallet']) => ({
  network: String(network),
  walletAddress: address,
})

export interface SweptAnswer {
  readonly endpoint: string
  readonly status: number
  readonly code: string | undefined
  /** Whether the answer depends on deposits on other networks. */
  readonly spansNetworks: boolean
  /** Milliseconds. */
  readonly took: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
  readonly body: any
}

async function call(rest: RestClient, endpoint: string, input: Input): Promise<SweptAnswer> {
  const { method = 'GET', path = '/' } = findEndpoint(endpoint) ?? {}
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const began = performance.now()
  const { status, body } = await (method === 'GET' ? rest.get(`${path}?${query}`) : rest.post(path, input))
  const took = performance.now() - began
  return {
    endpoint,
    status,
    code: body.code,
    spansNetworks: crossNetworkEndpoints.includes(endpoint),
    took,
    body,
  }
}

/** Calls all endpoints that read one network, in parallel. */
export const sweepNetwork = (rest: RestClient, network: number, callers: Callers): Promise<SweptAnswer[]> =>
  Promise.all(
    Object.entries(oneNetworkInputs).map(([endpoint, inputFor]) =>
      call(rest, endpoint, inputFor(network, callers)),
    ),
  )

/** Calls all endpoints that read all networks, in parallel. */
export const sweepAll = (rest: RestClient, callers: Callers): Promise<SweptAnswer[]> =>
  Promise.all(
    Object.entries(allNetworkInputs).map(([endpoint, inputFor]) => call(rest, endpoint, inputFor(callers))),
  )
