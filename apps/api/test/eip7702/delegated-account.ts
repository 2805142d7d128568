import { delegatedDeployment } from '@lanyard/accounts'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, createWalletClient, type Hex, parseEther, publicActions } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { RestClient } from '../rest.ts'

export const recipient = '0x000000000000000000000000000000000000bEEF'

/** A call that pays `value` wei. */
export const pay = (value = '1') => ({ encodedData: '0x', targetContractAddress: recipient, value })

/** An EOA that is an account itself, and what its owner does, on one network. */
export async function createDelegatedAccount(rest: RestClient, rpcUrl: string, key: PrivateKeyAccount) {
  const chain = createTestClient({
    mode: 'anvil',
    transport: localTransport(rpcUrl),
    pollingInterval: 25,
  }).extend(publicActions)
  const chainId = await chain.getChainId()
  const wallet = createWalletClient({
    account: key,
    chain: { ...foundry, id: chainId },
    transport: localTransport(rpcUrl),
    pollingInterval: 25,
  })
  await rest.post('/smart-account/create', { eoaAddress: key.address, type: 'eip7702' })
  await chain.setBalance({ address: key.address, value: parseEther('10') })

  const build = (more: object = {}) =>
    rest.post('/smart-account/transaction/build', {
      network: String(chainId),
      walletAddress: key.address,
      transactionDetails: [pay()],
      ...more,
    })
  const submit = (more: object) =>
    rest.post('/smart-account/transaction/submit', { walletAddress: key.address, ...more })

  /** As a wallet signs a build: the typed data, and the authorisation if there is one. */
  async function sign({ typedData, authorization }: { typedData: TypedData; authorization?: Authorization }) {
    const { EIP712Domain: _, ...types } = typedData.types
    return {
      signature: await key.signTypedData({ ...typedData, types }),
      ...(authorization && { authorization: await authorize(authorization) }),
    }
  }

  async function authorize(authorization: Partial<Authorization> = {}) {
    const {
      chainId: id,
      address,
      nonce,
      r,
      s,
      yParity,
    } = await key.signAuthorization({
      chainId,
      address: delegatedDeployment.delegate,
      nonce: await chain.getTransactionCount({ address: key.address }),
      ...authorization,
    })
    return { chainId: id, address, nonce, r, s, yParity: yParity ?? 0 }
  }

  async function send(more: object = {}) {
    const { body } = await build(more)
    return submit(await sign(body))
  }

  /** Delegates the EOA without the service; to the zero address: revokes. */
  async function delegateTo(address: Hex) {
    const nonce = (await chain.getTransactionCount({ address: key.address })) + 1
    const hash = await wallet.sendTransaction({
      to: key.address,
      authorizationList: [await key.signAuthorization({ chainId, address, nonce })],
    })
    await chain.waitForTransactionReceipt({ hash })
  }

  return { key, chain, chainId, wallet, build, submit, sign, authorize, send, delegateTo }
}

export type DelegatedAccount = Awaited<ReturnType<typeof createDelegatedAccount>>

interface Authorization {
  readonly chainId: number
  readonly address: Hex
  readonly nonce: number
}

interface TypedData {
  readonly domain: object
  readonly types: Record<string, { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}

export const newKey = () => privateKeyToAccount(randomPrivateKey())
