/** @module-tag all */
import { randomPrivateKey } from '@lanyard/testing'
import { Contract, hashMessage, JsonRpcProvider, TypedDataEncoder, Wallet } from 'ethers'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'

/* ethers acts as the owner's wallet, as the verifier, and as a client of the JSON-RPC. */

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Prepared {
  readonly messageHash: string
  readonly typedData: {
    readonly domain: { chainId: number; verifyingContract: string }
    readonly types: Record<string, { name: string; type: string }[]>
    readonly message: { message: string }
  }
}

test('behavior: an ethers wallet signs for its account, and an ethers contract verifies the signature', async () => {
  const owner = new Wallet(randomPrivateKey())
  const created = await service.post<{ wallet: { scw_address: `0x${string}` } }>('/smart-account/create', {
    eoaAddress: owner.address,
  })
  const walletAddress = created.body.wallet.scw_address
  await service.chain.setBalance({ address: walletAddress, value: parseEther('1') })
  const named = { network: '31337', walletAddress }
  const built = await service.post<{ messageToSign: string }>('/smart-account/transaction/build', {
    ...named,
    transactionDetails: transfer(),
  })
  const signature = await owner.signMessage(Buffer.from(built.body.messageToSign.slice(2), 'hex'))
  const submitted = await service.post('/smart-account/transaction/submit', { walletAddress, signature })
  expect(submitted.body).toMatchObject({ success: true })

  const [rpcUrl] = service.service.services.networks.get(31337).config.rpcUrls
  const node = new JsonRpcProvider(rpcUrl, 31337, { staticNetwork: true })
  const account = new Contract(
    walletAddress,
    ['function isValidSignature(bytes32, bytes) view returns (bytes4)'],
    node,
  )
  const order = {
    domain: { name: 'Shop', chainId: 31337 },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order',
    message: { amount: '12' },
  }
  const messages = [
    [{ message: 'Hello' }, hashMessage('Hello')],
    [{ typedData: order }, TypedDataEncoder.hash(order.domain, order.types, order.message)],
  ] as const
  for (const [what, hash] of messages) {
    const prepared = await service.post<Prepared>('/smart-account/message/prepare', { ...named, ...what })
    expect(prepared.body.messageHash).toBe(hash)
    const { domain, types, message } = prepared.body.typedData
    const { EIP712Domain: _, ...structs } = types // ethers adds this type itself.
    const made = await owner.signTypedData(domain, structs, message)
    const finished = await service.post<{ signature: string }>('/smart-account/message/finish', {
      ...named,
      ...what,
      signature: made,
    })
    expect(await account.getFunction('isValidSignature')(hash, finished.body.signature)).toBe('0x1626ba7e')
  }
  node.destroy()
})

test('behavior: an ethers provider calls the JSON-RPC', async () => {
  const provider = new JsonRpcProvider(`${service.service.url}/rpc/31337`, 31337, { staticNetwork: true })
  expect(await provider.send('eth_chainId', [])).toBe('0x7a69')
  expect(await provider.send('eth_supportedEntryPoints', [])).toHaveLength(1)
  await expect(provider.send('eth_getUserOperationReceipt', ['0x12'])).rejects.toMatchObject({
    error: { code: -32602 },
  })
  provider.destroy()
})
