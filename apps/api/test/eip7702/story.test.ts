/** @module-tag all */

import { createLanyardClient, type DelegatedSigner, signDelegatedBuild } from '@lanyard/client'
import { localTransport } from '@lanyard/devnet'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEther,
  publicActions,
  toHex,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { newKey, pay, recipient } from './delegated-account.ts'

/* The program is what an app with embedded wallets (Privy, Turnkey) has: an EIP-1193 provider, and signAuthorization. */

let service: ServiceProcess
beforeAll(async () => {
  service = await startServiceProcess({})
})
afterAll(() => service?.stop())

/** A wallet SDK whose key stays in it: typed data goes through EIP-1193, authorisations through a function. */
function embeddedWallet(key: PrivateKeyAccount) {
  const provider = {
    async request({ method, params }: { method: string; params: readonly [string, string] }): Promise<Hex> {
      if (method !== 'eth_signTypedData_v4' || params[0] !== key.address) throw new Error(`4200: ${method}`)
      return key.signTypedData(JSON.parse(params[1]))
    },
  }
  return {
    address: key.address,
    provider,
    signAuthorization: ({ contractAddress: address, chainId, nonce }: SdkAuthorization) =>
      key.signAuthorization({ address, chainId, nonce }),
  }
}

interface SdkAuthorization {
  readonly contractAddress: Hex
  readonly chainId: number
  readonly nonce: number
}

/** The twenty lines that an app writes. */
function toSigner({
  address,
  provider,
  signAuthorization,
}: ReturnType<typeof embeddedWallet>): DelegatedSigner {
  return {
    address,
    signTypedData: ({ domain, types, primaryType, message }) =>
      provider.request({
        method: 'eth_signTypedData_v4',
        params: [
          address,
          JSON.stringify({ domain, types, primaryType, message }, (_key, value: unknown) =>
            typeof value === 'bigint' ? toHex(value) : value,
          ),
        ],
      }),
    signAuthorization: ({ address: contractAddress, ...rest }) =>
      signAuthorization({ contractAddress, ...rest }),
  }
}

test('story: an embedded wallet keeps its address, and sends on three networks', async () => {
  const key = newKey()
  const signer = toSigner(embeddedWallet(key))
  const lanyard = createLanyardClient({ baseUrl: service.url })
  const { body } = await restClient(service.url).get('/networks')
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: key.address, type: 'eip7702' })
  expect(wallet.scw_address).toBe(key.address)

  for (const { network, rpcUrl, settlementToken } of body.networks) {
    const chain = createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl) }).extend(publicActions)
    await lanyard.wallet.faucet({ walletAddress: key.address, network: String(network) })
    await chain.setBalance({ address: key.address, value: parseEther('1') })
    const token = {
      targetContractAddress: settlementToken.address,
      encodedData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 5n] }),
      value: '0',
    }
    const gas: Record<string, bigint> = {}
    for (const [name, call] of [
      ['first, native', pay('1')],
      ['later, native', pay('1')],
      ['first ERC-20', token],
      ['later ERC-20', token],
    ] as const) {
      const request = {
        ...{ network: String(network), walletAddress: key.address, transactionDetails: [call] },
      }
      const build = await lanyard.smartAccount.build(request)
      const signed = await signDelegatedBuild({ build, request, signer })
      expect('authorization' in signed).toBe(name === 'first, native')
      const { success, txnHash } = await lanyard.smartAccount.submit({
        walletAddress: key.address,
        ...signed,
      })
      expect(success).toBe(true)
      gas[name] = (await chain.getTransactionReceipt({ hash: txnHash as Hex })).gasUsed
    }
    console.info(`eip7702, gas of the transaction on ${network}:`, gas)
  }
})
