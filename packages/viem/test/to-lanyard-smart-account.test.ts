import {
  type AccountOwner,
  computeAccountAddress,
  computeSignerAddress,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  stubSignature,
} from '@lanyard/accounts'
import { SoftwareAuthenticator, startChain, webAuthnAccountOf } from '@lanyard/accounts/testing'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  http,
  maxUint256,
  parseAbi,
  parseErc6492Signature,
  size,
} from 'viem'
import type { UserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LanyardOwner, type LanyardSmartAccount, toLanyardSmartAccount } from '../src/index.ts'
import { toOperation } from '../src/to-operation.ts'
import { deployPermit2, permit2Address, permitTransferFrom, permitTypedData } from './permit2.ts'

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.[Symbol.asyncDispose]())

const client = () => createPublicClient({ chain: foundry, transport: http(chain.rpcUrl), cacheTime: 0 })
const sink: Address = '0x00000000000000000000000000000000000000Ad'
const typedData = {
  domain: { name: 'Shop', chainId: foundry.id },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: 12n },
} as const

const newKey = () => privateKeyToAccount(randomPrivateKey())
function newPasskey() {
  const authenticator = new SoftwareAuthenticator()
  const added = { ...authenticator.publicKey, verifiers: defaultVerifiers }
  const owner: AccountOwner = { kind: 'passkey', ...added }
  return { account: webAuthnAccountOf(authenticator), added, owner }
}

/** Prepares an operation as viem does, without a bundler. The limits are far above what these tests need. */
async function prepare(
  account: LanyardSmartAccount,
  calls: Parameters<LanyardSmartAccount['encodeCalls']>[0] = [{ to: sink, value: 1n }],
) {
  const operation: UserOperation<'0.7'> = {
    sender: account.address,
    nonce: await account.getNonce(),
    callData: await account.encodeCalls(calls),
    ...(await account.getFactoryArgs()),
    callGasLimit: 500_000n,
    verificationGasLimit: 1_000_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: await account.getStubSignature(),
  }
  return operation
}

async function send(account: LanyardSmartAccount, calls?: Parameters<LanyardSmartAccount['encodeCalls']>[0]) {
  const operation = await prepare(account, calls)
  const signature = await account.signUserOperation(operation)
  return chain.handleOps({ ...toOperation(operation), signature })
}

const owners: readonly [string, () => { owner: LanyardOwner; address: Address }][] = [
  [
    'a key',
    () => {
      const key = newKey()
      return { owner: key, address: computeAccountAddress({ kind: 'eoa', address: key.address }) }
    },
  ],
  [
    'a wallet client',
    () => {
      const key = newKey()
      const wallet = createWalletClient({ account: key, chain: foundry, transport: http(chain.rpcUrl) })
      return { owner: wallet, address: computeAccountAddress({ kind: 'eoa', address: key.address }) }
    },
  ],
  [
    'a passkey',
    () => {
      const { account, owner } = newPasskey()
      return { owner: account, address: computeAccountAddress(owner) }
    },
  ],
]

describe.each(owners)('%s', (_, make) => {
  test('behavior: deploys with its first operation, and sends another', async () => {
    const { owner, address } = make()
    const account = await toLanyardSmartAccount({ client: client(), owner })
    expect(account.address).toBe(address)
    await chain.fund(address)
    expect(await account.isDeployed()).toBe(false)
    expect(await send(account)).toMatchObject({ success: true })
    expect(await account.isDeployed()).toBe(true)
    expect(await send(account, [{ to: sink }, { to: sink, value: 2n, data: '0xcafe' }])).toMatchObject({
      success: true,
    })
  })

  test('behavior: signs texts, typed data and hashes, before and after deployment', async () => {
    const { owner, address } = make()
    const account = await toLanyardSmartAccount({ client: client(), owner })
    const verifyAll = async () => {
      const message = await account.signMessage({ message: 'Hello' })
      expect(await client().verifyMessage({ address, message: 'Hello', signature: message })).toBe(true)
      expect(await client().verifyMessage({ address, message: 'Hullo', signature: message })).toBe(false)
      const typed = await account.signTypedData(typedData)
      expect(await client().verifyTypedData({ ...typedData, address, signature: typed })).toBe(true)
      const hash = `0x${'5a'.repeat(32)}` as const
      const signature = await account.sign({ hash })
      expect(await client().verifyHash({ address, hash, signature })).toBe(true)
      return parseErc6492Signature(message).address
    }
    expect(await verifyAll()).toBeDefined()
    await chain.fund(address)
    await send(account)
    expect(await verifyAll()).toBeUndefined()
  })

  test('behavior: the stub has the same kind as the real signature, and is at least as long', async () => {
    const { owner } = make()
    const account = await toLanyardSmartAccount({ client: client(), owner })
    const operation = await prepare(account)
    expect(size(operation.signature)).toBeGreaterThanOrEqual(size(await account.signUserOperation(operation)))
  })
})

describe('Permit2', () => {
  beforeAll(() => deployPermit2(chain.client))

  test.each(owners)('behavior: %s permits one transfer of one amount, after deployment', async (_, make) => {
    const { owner, address: from } = make()
    const account = await toLanyardSmartAccount({ client: client(), owner })
    const { client: spender, token } = chain
    const { address: to } = newKey()
    const mint = await spender.writeContract({
      address: token,
      abi: parseAbi(['function mint(address to, uint256 amount)']),
      functionName: 'mint',
      args: [from, 100n],
    })
    await spender.waitForTransactionReceipt({ hash: mint })
    const balances = () =>
      Promise.all(
        [from, to].map((owner) =>
          spender.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
        ),
      )
    const permit = { permitted: { token, amount: 30n }, nonce: 0n, deadline: maxUint256 }
    const sign = () => account.signTypedData(permitTypedData(spender, permit))

    // Permit2 supports ERC-1271 only. Without code at the address, it expects an EOA's signature.
    const wrapped = await sign()
    const early = { permit, from, to, signature: wrapped }
    await expect(permitTransferFrom(spender, early)).rejects.toThrow('InvalidSignatureLength')

    await chain.fund(from)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2Address, 100n] })
    expect(await send(account, [{ to: token, data }])).toMatchObject({ success: true })
    // Safe reads the wrapper as a contract signature, and calls a contract that has no such function.
    await expect(permitTransferFrom(spender, early)).rejects.toThrow('"permitTransferFrom" reverted.')

    const signature = await sign()
    const more = { ...permit, permitted: { token, amount: 31n } }
    await expect(permitTransferFrom(spender, { permit: more, from, to, signature })).rejects.toThrow(
      /GS02[46]/,
    )
    expect(await balances()).toEqual([100n, 0n])

    await permitTransferFrom(spender, { permit, from, to, signature })
    expect(await balances()).toEqual([70n, 30n])
    await expect(permitTransferFrom(spender, { permit, from, to, signature })).rejects.toThrow('InvalidNonce')
    expect(await balances()).toEqual([70n, 30n])
  })
})

describe('a later owner', () => {
  test('behavior: sends and signs for the address once it is added', async () => {
    const key = newKey()
    const firstOwner: AccountOwner = { kind: 'eoa', address: key.address }
    const first = await toLanyardSmartAccount({ client: client(), owner: key })
    const passkey = newPasskey()
    const { address } = first
    const later = await toLanyardSmartAccount({
      client: client(),
      owner: passkey.account,
      address,
      firstOwner,
    })
    await chain.fund(address)
    const signer = computeSignerAddress(passkey.added)
    expect(await later.getStubSignature()).toBe(stubSignature(passkey.owner, { signer }))

    const add = [encodeCreateSigner(passkey.added), encodeAddOwner({ account: address, owner: signer })]
    expect(await send(first, add)).toMatchObject({ success: true })
    expect(await send(later)).toMatchObject({ success: true })
    const signature = await later.signMessage({ message: 'Hello' })
    expect(await client().verifyMessage({ address, message: 'Hello', signature })).toBe(true)
  })

  test('error: UNKNOWN_FIRST_OWNER if only the first owner could deploy', async () => {
    const { address } = await toLanyardSmartAccount({ client: client(), owner: newKey() })
    const later = await toLanyardSmartAccount({ client: client(), owner: newKey(), address })
    const expected = expect.objectContaining({ name: 'SigningError', code: 'UNKNOWN_FIRST_OWNER' })
    await expect(later.getFactoryArgs()).rejects.toThrow(expected)
    await expect(later.signMessage({ message: 'Hello' })).rejects.toThrow(expected)
  })
})

describe('nonce keys', () => {
  const keyOf = (nonce: bigint) => nonce >> 64n

  test('default: uses one key for sequential operations, and another for each concurrent one', async () => {
    const account = await toLanyardSmartAccount({ client: client(), owner: newKey() })
    await chain.fund(account.address)
    await send(account)
    await send(account)
    expect(await account.getNonce()).toBe(2n)
    const beside = await Promise.all(Array.from({ length: 15 }, () => account.getNonce()))
    expect(beside.map(keyOf)).toEqual(Array.from({ length: 15 }, (_, index) => BigInt(index + 1)))
    // None of these operations was sent, so the oldest key is reused.
    expect(keyOf(await account.getNonce())).toBe(0n)
  })

  test('args: nonceKey, of up to 192 bits', async () => {
    const nonceKey = 2n ** 191n + 7n
    const account = await toLanyardSmartAccount({ client: client(), owner: newKey(), nonceKey })
    expect(keyOf(await account.getNonce())).toBe(nonceKey)
    expect(keyOf(await account.getNonce({ key: 5n }))).toBe(5n)
  })
})

test('decodeCalls: the inverse of encodeCalls', async () => {
  const account = await toLanyardSmartAccount({ client: client(), owner: newKey() })
  const calls = [{ to: sink, value: 1n, data: '0xcafe' as const }]
  expect(await account.decodeCalls(await account.encodeCalls(calls))).toEqual(calls)
  await expect(account.decodeCalls('0xcafe')).rejects.toThrow(expect.objectContaining({ code: 'NOT_CALLS' }))
})

test('args: address in any case', async () => {
  const { address } = owners[0]?.[1]() ?? {}
  const lowerCase = (address?.toLowerCase() ?? '0x') as Address // same address, in lower case
  const account = await toLanyardSmartAccount({ client: client(), owner: newKey(), address: lowerCase })
  expect(account.address).toBe(getAddress(lowerCase))
})

test('behavior: asks the node for the chain if the client has none', async () => {
  const chainless = createPublicClient({ transport: http(chain.rpcUrl) })
  const account = await toLanyardSmartAccount({ client: chainless, owner: newKey(), nonceKey: 0n })
  const signature = await account.signMessage({ message: 'Hello' })
  const { address } = account
  expect(await client().verifyMessage({ address, message: 'Hello', signature })).toBe(true)
})

describe('errors of wallets and authenticators', () => {
  test('error: NO_OWNER', async () => {
    const owner = createWalletClient({ chain: foundry, transport: http(chain.rpcUrl) })
    await expect(toLanyardSmartAccount({ client: client(), owner })).rejects.toThrow(
      expect.objectContaining({ code: 'NO_OWNER' }),
    )
  })

  test('error: WRONG_SIGNER if a wallet signs with another key', async () => {
    const [mine, other] = [newKey(), newKey()]
    const owner = { ...mine, signTypedData: other.signTypedData }
    const account = await toLanyardSmartAccount({ client: client(), owner })
    await expect(account.signMessage({ message: 'Hello' })).rejects.toThrow(
      expect.objectContaining({ code: 'WRONG_SIGNER' }),
    )
  })

  test('error: MALFORMED_AUTHENTICATOR_DATA', async () => {
    const { account: passkey } = newPasskey()
    const owner = {
      ...passkey,
      async sign(parameters: { hash: `0x${string}` }) {
        const signed = await passkey.sign(parameters)
        return { ...signed, webauthn: { ...signed.webauthn, authenticatorData: '0x12' as const } }
      },
    }
    const account = await toLanyardSmartAccount({ client: client(), owner })
    await expect(account.signMessage({ message: 'Hello' })).rejects.toThrow(
      expect.objectContaining({ name: 'SigningError', code: 'MALFORMED_AUTHENTICATOR_DATA' }),
    )
  })
})
