import { localTransport } from '@lanyard/devnet'
import { safeModuleSetupAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import protocolKit, { encodeMultiSendData, hashSafeMessage } from '@safe-global/protocol-kit'
import { type Address, createPublicClient, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeAccountAddress, defaultDeployment, defaultVerifiers, encodeInitCode } from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { safePasskeySigner } from './safe-passkey-signer.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

/* Safe's own SDK, with the parameters of docs/clients.md. */

/** The types describe its CommonJS build, whose default export is one level deeper. */
const Safe = protocolKit as unknown as typeof protocolKit.default

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.[Symbol.asyncDispose]())

const payee: Address = '0x00000000000000000000000000000000000000Ad'
const { module, moduleSetup, multiSend, multiSendCallOnly, singleton, factory } = defaultDeployment
const { sharedSigner, signerFactory } = defaultDeployment

/**
 * The addresses that the SDK would take from its own list on a known network. Contracts that these tests
 * never call are omitted.
 */
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
    safeWebAuthnSharedSignerAddress: sharedSigner,
    safeWebAuthnSignerFactoryAddress: signerFactory,
  },
}
const enableModule = encodeFunctionData({
  abi: safeModuleSetupAbi,
  functionName: 'enableModules',
  args: [[module]],
})

type Kit = Awaited<ReturnType<typeof Safe.init>>
type Signer = NonNullable<Parameters<typeof Safe.init>[0]['signer']>

/** The SDK's Safe of an owner, before and after its deployment. */
async function deploy(signer: Signer, owner: Address, setup: { to: Address; data: Hex }) {
  const common = { provider: chain.rpcUrl, signer, isL1SafeSingleton: true, contractNetworks }
  const predicted = await Safe.init({
    ...common,
    predictedSafe: {
      safeAccountConfig: { owners: [owner], threshold: 1, ...setup, fallbackHandler: module },
      safeDeploymentConfig: { saltNonce: '0', safeVersion: '1.4.1' },
    },
  })
  const deployment = await predicted.createSafeDeploymentTransaction()
  const address = (await predicted.getAddress()) as Address // the SDK computes it
  const hash = await chain.client.sendTransaction({
    to: deployment.to as Address, // of the contracts above
    data: deployment.data as Hex,
  })
  await chain.client.waitForTransactionReceipt({ hash })
  const safe = await Safe.init({ ...common, safeAddress: address })
  expect(await safe.isSafeDeployed()).toBe(true)
  expect(await safe.isModuleEnabled(module)).toBe(true)
  expect(await safe.getOwners()).toEqual([owner])
  await chain.fund(address, parseEther('1'))
  return { safe, address, initCode: `${deployment.to}${deployment.data.slice(2)}`.toLowerCase() }
}

/** Sends a batch and signs a text. The SDK's passkey signs neither network transactions nor typed data. */
async function sendAndSign(safe: Kit, address: Address, { isPasskey }: { readonly isPasskey: boolean }) {
  const transaction = await safe.createTransaction({
    transactions: [
      { to: payee, value: '3', data: '0x' },
      { to: payee, value: '4', data: '0x' },
    ],
  })
  const before = await chain.client.getBalance({ address: payee })
  const signedTransaction = await safe.signTransaction(transaction)
  const sendByOther = async () =>
    chain.client.sendTransaction({
      to: address,
      data: (await safe.getEncodedTransaction(signedTransaction)) as Hex, // calldata
    })
  const sendByOwner = async () => (await safe.executeTransaction(signedTransaction)).hash as Hex // of a transaction
  const hash = await (isPasskey ? sendByOther() : sendByOwner())
  expect(await chain.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect((await chain.client.getBalance({ address: payee })) - before).toBe(7n)

  const signed = await safe.signMessage(
    safe.createMessage('Hello'),
    isPasskey ? 'eth_sign' : 'eth_signTypedData_v4',
  )
  const signature = signed.encodedSignatures() as Hex // bytes
  expect(await safe.isValidSignature(hashSafeMessage('Hello'), signature)).toBe(true)
  const client = createPublicClient({ chain: foundry, transport: localTransport(chain.rpcUrl) })
  expect(await client.verifyMessage({ address, message: 'Hello', signature })).toBe(true)
  expect(await client.verifyMessage({ address, message: 'hello', signature })).toBe(false)
}

test("behavior: protocol-kit has an EOA's account, deploys it, sends and signs for it", async () => {
  const signer = randomPrivateKey()
  const owner = { kind: 'eoa', address: privateKeyToAccount(signer).address } as const
  const { safe, address, initCode } = await deploy(signer, owner.address, {
    to: moduleSetup,
    data: enableModule,
  })
  expect(address).toBe(computeAccountAddress(owner))
  expect(initCode).toBe(encodeInitCode(owner))
  await chain.fund(owner.address)
  await sendAndSign(safe, address, { isPasskey: false })
})

test("behavior: protocol-kit has a passkey's account, deploys it, and signs for it", async () => {
  const passkey = new SoftwareAuthenticator()
  const { x, y } = passkey.publicKey
  const owner = { kind: 'passkey', x, y, verifiers: defaultVerifiers } as const
  const configure = encodeFunctionData({
    abi: parseAbi(['function configure((uint256 x, uint256 y, uint176 verifiers) signer)']),
    args: [owner],
  })
  const setup = [
    { to: moduleSetup, value: '0', data: enableModule, operation: 1 },
    { to: sharedSigner, value: '0', data: configure, operation: 1 },
  ]
  const data = encodeFunctionData({
    abi: parseAbi(['function multiSend(bytes transactions)']),
    args: [encodeMultiSendData(setup) as Hex], // bytes
  })
  const signer = safePasskeySigner(passkey)
  const { safe, address, initCode } = await deploy(signer, sharedSigner, { to: multiSend, data })
  expect(address).toBe(computeAccountAddress(owner))
  expect(initCode).toBe(encodeInitCode(owner))
  await sendAndSign(safe, address, { isPasskey: true })
})
