import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import protocolKit, { hashSafeMessage } from '@safe-global/protocol-kit'
import { type Address, createPublicClient, encodeFunctionData, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeAccountAddress, safeDeployment, safeModuleSetupAbi } from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'

/* Safe's own SDK, with the parameters of docs/clients.md. */

/** The types are those of its CommonJS build, whose default export is one level deeper. */
const Safe = protocolKit as unknown as typeof protocolKit.default

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.[Symbol.asyncDispose]())

const payee: Address = '0x00000000000000000000000000000000000000Ad'
const { module, moduleSetup, multiSend, multiSendCallOnly, singleton, factory } = safeDeployment

/** What the SDK would take from its own list on a network that it knows. Those that nothing here calls are left out. */
const contractNetworks = {
  [chainId]: {
    safeSingletonAddress: singleton,
    safeProxyFactoryAddress: factory,
    multiSendAddress: multiSend,
    multiSendCallOnlyAddress: multiSendCallOnly,
    fallbackHandlerAddress: module,
    signMessageLibAddress: module,
    createCallAddress: module,
    simulateTxAccessorAddress: module,
  },
}

test("behavior: protocol-kit has an EOA's account, deploys it, sends and signs for it", async () => {
  const signer = randomPrivateKey()
  const owner = privateKeyToAccount(signer)
  const common = { provider: chain.rpcUrl, signer, isL1SafeSingleton: true, contractNetworks }
  const predicted = await Safe.init({
    ...common,
    predictedSafe: {
      safeAccountConfig: {
        owners: [owner.address],
        threshold: 1,
        to: moduleSetup,
        data: encodeFunctionData({
          abi: safeModuleSetupAbi,
          functionName: 'enableModules',
          args: [[module]],
        }),
        fallbackHandler: module,
      },
      safeDeploymentConfig: { saltNonce: '0', safeVersion: '1.4.1' },
    },
  })
  const address = computeAccountAddress({ kind: 'eoa', address: owner.address })
  expect(await predicted.getAddress()).toBe(address)

  const deployment = await predicted.createSafeDeploymentTransaction()
  const hash = await chain.client.sendTransaction({
    to: deployment.to as Address,
    data: deployment.data as Hex,
  })
  await chain.client.waitForTransactionReceipt({ hash })
  const safe = await Safe.init({ ...common, safeAddress: address })
  expect(await safe.isSafeDeployed()).toBe(true)
  expect(await safe.isModuleEnabled(module)).toBe(true)
  expect(await safe.getOwners()).toEqual([owner.address])

  for (const funded of [owner.address, address]) await chain.fund(funded, parseEther('1'))
  const transaction = await safe.createTransaction({
    transactions: [
      { to: payee, value: '3', data: '0x' },
      { to: payee, value: '4', data: '0x' },
    ],
  })
  const before = await chain.client.getBalance({ address: payee })
  const executed = await safe.executeTransaction(await safe.signTransaction(transaction))
  await chain.client.waitForTransactionReceipt({ hash: executed.hash as Hex })
  expect((await chain.client.getBalance({ address: payee })) - before).toBe(7n)

  const signed = await safe.signMessage(safe.createMessage('Hello'))
  const signature = signed.encodedSignatures() as Hex
  expect(await safe.isValidSignature(hashSafeMessage('Hello'), signature)).toBe(true)
  const client = createPublicClient({ chain: foundry, transport: localTransport(chain.rpcUrl) })
  expect(await client.verifyMessage({ address, message: 'Hello', signature })).toBe(true)
  expect(await client.verifyMessage({ address, message: 'hello', signature })).toBe(false)
})
