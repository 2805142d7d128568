import { randomPrivateKey } from '@lanyard/testing'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EndpointName } from '../../src/pipeline/access/endpoint-name.ts'
import { findEndpoint } from '../../src/platform/endpoint-list.ts'
import { payee } from '../orders/order-service.ts'
import type { RestClient } from '../rest.ts'
import type { FaultyService } from './faulty-service.ts'

/** Who asks: an EOA's wallet and a passkey's, both with ether and a deposit on some networks. */
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

const nobody = privateKeyToAccount(randomPrivateKey()).address
const transactionDetails = [{ targetContractAddress: payee, value: '1', encodedData: '0x' }]
const order = { amount: '1000000', type: 'AMOUNT_OUT' }

type Input = Readonly<Record<string, unknown>>

/** Endpoints that ask one network, and what they are asked here. */
const aboutOne = {
  'smartAccount.build': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'smartAccount.gasFees': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'smartAccount.sponsorship': (network, { wallet }) => ({ ...on(network, wallet), transactionDetails }),
  'webauthn.transactionOptions': (network, { passkey: { username } }) => ({
    network: String(network),
    username,
    transactionDetails,
  }),
  'sessionKey.enable': (network, { wallet }) => ({
    ...on(network, wallet),
    sessionKey: nobody,
    validAfter: Math.floor(Date.now() / 1000),
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    permissions: [{ type: 'native-token-allowance', allowance: '1' }],
  }),
  'sessionKey.disable': (network, { wallet }) => ({ ...on(network, wallet), sessionKey: nobody }),
  'sessionKey.check': (network, { wallet }) => ({
    ...on(network, wallet),
    sessionKey: nobody,
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

/** Endpoints that ask all networks at once. */
const aboutAll = {
  'system.health': () => ({}),
  'user.details': ({ passkey: { username } }) => ({ username }),
  'smartAccount.create': () => ({ eoaAddress: privateKeyToAccount(randomPrivateKey()).address }),
  'sessionKey.list': ({ wallet: { address } }) => ({ walletAddress: address }),
  'owner.list': ({ wallet: { address } }) => ({ walletAddress: address }),
  'owner.add': ({ wallet: { address } }) => ({ walletAddress: address, eoaAddress: nobody }),
  'owner.remove': ({ wallet: { address, owner } }) => ({ walletAddress: address, eoaAddress: owner.address }),
  'wallet.balances': ({ wallet: { address } }) => ({ walletAddress: address }),
  'wallet.transfers': ({ wallet: { address } }) => ({ walletAddress: address }),
  'wallet.activity': ({ wallet: { address } }) => ({ walletAddress: address }),
  'smartBalance.getBalance': ({ wallet: { address } }) => ({ walletAddress: address }),
  'smartBalance.deposits': ({ wallet: { address } }) => ({ walletAddress: address }),
} satisfies Partial<Record<EndpointName, (callers: Callers) => Input>>

/** Orders on one network draw on deposits on the others. */
const spanning: readonly string[] = [
  'smartBalance.getQuote',
  'smartBalance.computeSolution',
  'smartBalance.terms',
  ...Object.keys(aboutAll),
]

/** Endpoints that ask no network, and some that take a signature, which suites ask by themselves. */
type Elsewhere =
  | 'connect.callsStatus'
  | 'system.networks'
  | `login.${'message' | 'verify'}`
  | `webauthn.${'registerOptions' | 'registerVerify' | 'authenticateOptions' | 'authenticateVerify'}`
  | `webauthn.${'discoverOptions' | 'discoverVerify' | 'transactionVerify' | 'messageVerify'}`
  | 'message.finish'
  | `webauthn.${'credentials' | 'credentialOptions' | 'credentialVerify' | 'credentialRemove'}`
  | `user.${'search' | 'checkUsername'}`
  | 'owner.recoveryKit'
  | `smartAccount.${'submit' | 'status'}`
  | `smartBalance.${'order' | 'orders'}`

/** An endpoint that is in none of the three lists does not compile. */
const _complete: Exclude<
  EndpointName,
  keyof typeof aboutOne | keyof typeof aboutAll | Elsewhere
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
  /** Another network's deposits have a part in the answer. */
  readonly spansNetworks: boolean
  /** Milliseconds. */
  readonly took: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are examined by the tests, member by member
  readonly body: any
}

async function ask(rest: RestClient, endpoint: string, input: Input): Promise<SweptAnswer> {
  const { method = 'GET', path = '/' } = findEndpoint(endpoint) ?? {}
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const began = performance.now()
  const { status, body } = await (method === 'GET' ? rest.get(`${path}?${query}`) : rest.post(path, input))
  const took = performance.now() - began
  return { endpoint, status, code: body.code, spansNetworks: spanning.includes(endpoint), took, body }
}

/** Asks everything about one network, at once. */
export const sweepNetwork = (rest: RestClient, network: number, callers: Callers): Promise<SweptAnswer[]> =>
  Promise.all(
    Object.entries(aboutOne).map(([endpoint, inputFor]) => ask(rest, endpoint, inputFor(network, callers))),
  )

/** Asks everything that concerns all networks, at once. */
export const sweepAll = (rest: RestClient, callers: Callers): Promise<SweptAnswer[]> =>
  Promise.all(Object.entries(aboutAll).map(([endpoint, inputFor]) => ask(rest, endpoint, inputFor(callers))))
