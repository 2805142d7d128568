import { randomPrivateKey } from '@lanyard/testing'
import { type Address, bytesToHex, type Hex, hexToBytes, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sign, startOrderService } from '../orders/order-service.ts'

/** An unused address that is not a precompile's: sessions may not call addresses below 0x10000. */
export const payee: Address = '0x00000000000000000000000000000000DeaDBeef'

type StartOptions = Parameters<typeof startOrderService>[0]

/** A key of an app: its form in requests, and a function that signs `messageToSign`. */
export interface SessionKeyPair {
  readonly sessionKey: string
  readonly sign: (hash: Hex) => Promise<Hex>
}

export function ecdsaKey(): SessionKeyPair {
  const account = privateKeyToAccount(randomPrivateKey())
  return { sessionKey: account.address, sign: (hash) => account.sign({ hash }) }
}

/** A non-extractable key, like one of a browser. */
export async function webCryptoKey(): Promise<SessionKeyPair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  return {
    sessionKey: bytesToHex(point),
    async sign(hash) {
      const scheme = { name: 'ECDSA', hash: 'SHA-256' }
      const signature = await crypto.subtle.sign(scheme, privateKey, new Uint8Array(hexToBytes(hash)))
      return bytesToHex(new Uint8Array(signature))
    },
  }
}

/** Permission to pay the fees of a few operations. */
export const fees = { type: 'gas-fee-allowance', allowance: parseEther('1').toString(), operations: 20 }

/** A transfer of native coin. */
export const payment = (value: bigint, to: Address = payee) => ({
  targetContractAddress: to,
  value: String(value),
  encodedData: '0x',
})

/** Starts the service with the session requests of owners and apps. */
export async function startSessionService(options: StartOptions = {}) {
  const service = await startOrderService(options)
  const { rest, on } = service
  const now = async (chainId: number) => Number((await on(chainId).chain.getBlock()).timestamp)

  type Wallet = Awaited<ReturnType<typeof service.createWallet>>

  /** Creates an undeployed wallet with ether and 100 tokens on some networks. */
  async function createFundedWallet(chainIds: readonly number[]): Promise<Wallet> {
    const wallet = await service.createWallet()
    for (const chainId of chainIds) {
      await on(chainId).chain.setBalance({ address: wallet.address, value: parseEther('10') })
      await service.mint(chainId, wallet.address, 100_000_000n)
    }
    return wallet
  }

  /** Requests a session of one hour. */
  async function enable(
    { address }: Pick<Wallet, 'address'>,
    chainId: number,
    { sessionKey }: Pick<SessionKeyPair, 'sessionKey'>,
    permissions: readonly object[],
    more: object = {},
  ) {
    const validAfter = await now(chainId)
    return rest.post('/smart-account/session-key/enable', {
      network: String(chainId),
      walletAddress: address,
      sessionKey,
      validAfter,
      validUntil: validAfter + 3600,
      permissions,
      ...more,
    })
  }

  const disable = ({ address }: Pick<Wallet, 'address'>, chainId: number, sessionKey: unknown) =>
    rest.post('/smart-account/session-key/disable', {
      network: String(chainId),
      walletAddress: address,
      sessionKey,
    })

  /** Signs and submits an enable or disable plan with the wallet's EOA. */
  async function approve(
    { owner, address }: Wallet,
    plan: Awaited<ReturnType<typeof rest.post>>,
  ): ReturnType<typeof rest.post> {
    if (plan.status !== 200) return plan
    const signature = await sign.personal(owner, plan.body.messageToSign)
    return service.submit({ walletAddress: address, signature })
  }

  interface Act {
    readonly chainId: number
    readonly key: SessionKeyPair
    readonly calls: readonly object[]
    readonly more?: object
  }

  const buildAs = ({ address }: Pick<Wallet, 'address'>, { chainId, key, calls, more }: Act) =>
    service.build({
      network: String(chainId),
      walletAddress: address,
      signMode: 'SESSION_KEY',
      sessionKey: key.sessionKey,
      transactionDetails: calls,
      ...more,
    })

  /** Builds, signs and submits as a session. If the build fails, its answer is returned. */
  async function act(wallet: Pick<Wallet, 'address'>, request: Act) {
    const build = await buildAs(wallet, request)
    if (build.status !== 200) return build
    return service.submit({
      walletAddress: wallet.address,
      signatureType: 'SESSION_KEY',
      signature: await request.key.sign(build.body.messageToSign),
    })
  }

  const check = ({ address }: Pick<Wallet, 'address'>, { chainId, key, calls, more }: Act) =>
    rest.post('/smart-account/session-key/check', {
      network: String(chainId),
      walletAddress: address,
      sessionKey: key.sessionKey,
      transactionDetails: calls,
      ...more,
    })

  const list = ({ address }: Pick<Wallet, 'address'>, more = '') =>
    rest.get(`/smart-account/session-key?walletAddress=${address}${more}`)

  const history = (
    { address }: Pick<Wallet, 'address'>,
    { sessionKey }: Pick<SessionKeyPair, 'sessionKey'>,
  ) => rest.get(`/smart-account/session-key/history?walletAddress=${address}&sessionKey=${sessionKey}`)

  return { ...service, now, createFundedWallet, enable, disable, approve, buildAs, act, check, list, history }
}

export type SessionService = Awaited<ReturnType<typeof startSessionService>>
