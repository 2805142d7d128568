/** @module-tag all */
import { createRequire } from 'node:module'
import { computeAccountAddress, encodeInitCode } from '@lanyard/accounts'
import { SoftwareAuthenticator, safePasskeySigner } from '@lanyard/accounts/testing'
import { devAccounts } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, createWalletClient, type Hash, http, parseEther, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type PasskeyService, startPasskeyService } from '../passkeys/passkey-service.ts'
import { nodeClient, payee, waitForReceipt } from './rpc-client.ts'

/*
 * relay-kit takes contract addresses only from Safe's list, so the chains have ids of that list. On Ethereum its Safe
 * has the account's address. On other chains it uses the SafeL2 singleton for an account that is not deployed.
 */

/**
 * The parts of relay-kit that this test uses. Its own types change viem's types in the whole program: they register
 * addresses as plain strings.
 */
interface RelayKit {
  readonly Safe4337Pack: { init(options: object): Promise<Pack> }
  readonly GenericFeeEstimator: new (nodeUrl: string) => object
}
interface Pack {
  readonly protocolKit: { getAddress(): Promise<string> }
  createTransaction(request: { transactions: readonly object[]; options?: object }): Promise<object>
  signSafeOperation(operation: object): Promise<object>
  executeTransaction(request: { executable: object }): Promise<Hash>
  getUserOperationReceipt(hash: Hash): Promise<unknown>
}
const require = createRequire(import.meta.url)
const { GenericFeeEstimator, Safe4337Pack }: RelayKit = require('@safe-global/relay-kit')

const [ethereum, base] = [1, 8453]

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ chainIds: [ethereum, base], smartBalance: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const rpcUrl = (chainId: number) => `${service.service.url}/rpc/${chainId}`
const nodeUrl = (chainId: number) => service.service.services.networks.get(chainId).config.rpcUrls[0] ?? ''

const start = (chainId: number, signer: unknown, options: object, more: object = {}) =>
  Safe4337Pack.init({
    ...{ provider: nodeUrl(chainId), bundlerUrl: rpcUrl(chainId), signer, options },
    safeModulesVersion: '0.3.0',
    ...more,
  })

/** Options that predict a Lanyard account that is not deployed. */
const predicted = (owners: readonly Address[]) => ({
  ...{ owners: [...owners], threshold: 1, saltNonce: '0', safeVersion: '1.4.1' },
})

const fund = (chainId: number, address: Address) =>
  createTestClient({ mode: 'anvil', transport: http(nodeUrl(chainId)) }).setBalance({
    ...{ address, value: parseEther('1') },
  })

/** Sends an operation with the given fee estimator and waits until it is included. */
async function send(pack: Pack, chainId: number, feeEstimator?: object) {
  const operation = await pack.createTransaction({
    transactions: [{ to: payee, value: '0', data: '0xcafe' }],
    ...(feeEstimator && { options: { feeEstimator } }),
  })
  const executable = await pack.signSafeOperation(operation)
  const hash = await pack.executeTransaction({ executable })
  const receipt = await waitForReceipt(rpcUrl(chainId), nodeClient(service, chainId), hash)
  expect(receipt.success).toBe(true)
  expect(await pack.getUserOperationReceipt(hash)).toMatchObject({ userOpHash: hash, success: true })
  return receipt
}

describe('relay-kit', () => {
  test('behavior: an unregistered account of an EOA deploys and sends again', async () => {
    const signer = randomPrivateKey()
    const owner = privateKeyToAccount(signer).address
    const pack = await start(ethereum, signer, predicted([owner]))
    const address = computeAccountAddress({ kind: 'eoa', address: owner })
    expect(await pack.protocolKit.getAddress()).toBe(address)
    await fund(ethereum, address)
    await send(pack, ethereum)
    await send(pack, ethereum, new GenericFeeEstimator(nodeUrl(ethereum)))
  })

  test("behavior: a passkey's account deploys and sends again", async () => {
    const passkey = new SoftwareAuthenticator({ origin })
    const { body } = await service.registerOptions('relay-kit')
    const challenge = new Uint8Array(Buffer.from(body.challenge, 'base64url'))
    const registered = await service.registerVerify(
      'relay-kit',
      passkey.toJson(passkey.create({ challenge })),
    )
    const safeAddress = registered.body.wallet.scw_address
    const signer = safePasskeySigner(passkey)
    const pack = await start(ethereum, signer, predicted([]))
    expect(await pack.protocolKit.getAddress()).toBe(safeAddress)
    await fund(ethereum, safeAddress)
    await send(pack, ethereum)
    await send(await start(ethereum, signer, { safeAddress }), ethereum)
  })

  test('behavior: it can use the paymaster of the service (ERC-7677)', async () => {
    const signer = randomPrivateKey()
    const owner = privateKeyToAccount(signer).address
    const paymasterOptions = { isSponsored: true, paymasterUrl: rpcUrl(ethereum) }
    const pack = await start(ethereum, signer, predicted([owner]), { paymasterOptions })
    const { paymaster, sender } = await send(pack, ethereum, new GenericFeeEstimator(nodeUrl(ethereum)))
    const { smartBalance } = service.service.services.networks.get(ethereum).config
    expect(paymaster?.toLowerCase()).toBe(smartBalance?.toLowerCase())
    expect(await nodeClient(service, ethereum).getBalance({ address: sender })).toBe(0n)
  })

  test('behavior: on other chains it sends for a deployed account', async () => {
    const signer = randomPrivateKey()
    const owner = { kind: 'eoa', address: privateKeyToAccount(signer).address } as const
    const safeAddress = computeAccountAddress(owner)
    await service.post('/smart-account/create', { eoaAddress: owner.address })
    await fund(base, safeAddress)
    const initCode = encodeInitCode(owner)
    const [{ privateKey } = { privateKey: signer }] = devAccounts.slice(5)
    const wallet = createWalletClient({
      ...{ account: privateKeyToAccount(privateKey), transport: http(nodeUrl(base)) },
    })
    const hash = await wallet.sendTransaction({
      ...{ chain: null, to: slice(initCode, 0, 20), data: slice(initCode, 20) },
    })
    await nodeClient(service, base).waitForTransactionReceipt({ hash })
    const pack = await start(base, signer, { safeAddress })
    await send(pack, base)
  })
})
