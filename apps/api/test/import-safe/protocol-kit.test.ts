/** @module-tag all */
import { defaultDeployment } from '@lanyard/accounts'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import protocolKit from '@safe-global/protocol-kit'
import { type Address, createWalletClient, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { sign } from '../orders/order-service.ts'
import { consentOf } from '../owner-consent.ts'
import { receiptOf } from '../receipt-of.ts'
import { compatibilityHandler, startImportService } from './existing-safes.ts'

/** The types describe its CommonJS build, whose default export is one level deeper. */
const Safe = protocolKit as unknown as typeof protocolKit.default

const { module, multiSend, multiSendCallOnly, singleton, factory, sharedSigner, signerFactory } =
  defaultDeployment

test("default: a Safe that Safe's own SDK made is enabled by it, imported, and pays", async () => {
  await using service = await startImportService()
  const { chain, rpcUrl } = service.on(31337)
  const key = randomPrivateKey()
  const owner = privateKeyToAccount(key)
  await chain.setBalance({ address: owner.address, value: parseEther('1') })
  const contractNetworks = {
    31337: {
      ...{ safeSingletonAddress: singleton, safeProxyFactoryAddress: factory },
      ...{ multiSendAddress: multiSend, multiSendCallOnlyAddress: multiSendCallOnly },
      // Contracts that this test never calls.
      ...{ fallbackHandlerAddress: compatibilityHandler, signMessageLibAddress: module },
      ...{ createCallAddress: module, simulateTxAccessorAddress: module },
      ...{ safeWebAuthnSharedSignerAddress: sharedSigner, safeWebAuthnSignerFactoryAddress: signerFactory },
    },
  }
  const common = { provider: rpcUrl, signer: key, isL1SafeSingleton: true, contractNetworks }
  const predicted = await Safe.init({
    ...common,
    predictedSafe: {
      safeAccountConfig: { owners: [owner.address], threshold: 1, fallbackHandler: compatibilityHandler },
      safeDeploymentConfig: { saltNonce: '77', safeVersion: '1.4.1' },
    },
  })
  const { to, data } = await predicted.createSafeDeploymentTransaction()
  const address = (await predicted.getAddress()) as Address // the SDK computes it
  const funder = privateKeyToAccount(devAccounts[6]?.privateKey ?? randomPrivateKey())
  const wallet = createWalletClient({ account: funder, transport: localTransport(rpcUrl) })
  const sent = { chain: null, to: to as Address, data: data as Hex } // of the contracts above
  await receiptOf(chain, await wallet.sendTransaction(sent))

  // Its owner has never sent a transaction.
  const consents = [{ owner: owner.address, signature: await consentOf(owner, address) }]
  const before = await service.importSafe(address, { consents })
  expect(before.body.networks[0]).toMatchObject({ state: 'incomplete', owners: [owner.address] })
  const { calls, safeTxHash } = before.body.networks[0].transaction
  const safe = await Safe.init({ ...common, safeAddress: address })
  const transaction = await safe.createTransaction({ transactions: calls, onlyCalls: true })
  // The SDK builds the same transaction from the same calls.
  expect(await safe.getTransactionHash(transaction)).toBe(safeTxHash)
  const executed = await safe.executeTransaction(await safe.signTransaction(transaction))
  await receiptOf(chain, executed.hash as Hex) // a transaction's hash
  expect(await safe.isModuleEnabled(module)).toBe(true)

  const { body } = await service.importSafe(address)
  expect(body).toMatchObject({ wallet: { scw_address: address }, networks: [{ state: 'ready' }, {}] })
  await chain.setBalance({ address, value: parseEther('1') })
  const payee: Address = '0x000000000000000000000000000000000000bEEF'
  const built = await service.build({
    ...{ network: '31337', walletAddress: address },
    transactionDetails: [{ targetContractAddress: payee, value: '5', encodedData: '0x' }],
  })
  const signature = await sign.raw(owner, built.body.messageToSign)
  expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
    body: { success: true },
  })
  expect(await chain.getBalance({ address: payee })).toBe(5n)
})
