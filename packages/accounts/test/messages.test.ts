import { localTransport } from '@lanyard/devnet'
import { erc1271Abi, safeAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { toSafeSmartAccount } from 'permissionless/accounts'
import {
  type Address,
  createPublicClient,
  type Hash,
  type Hex,
  hashMessage,
  hexToBytes,
  type LocalAccount,
  parseErc6492Signature,
  size,
  slice,
  toHex,
} from 'viem'
import { entryPoint07Address, type WebAuthnAccount } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountMessage,
  type AccountOwner,
  type Call,
  computeAccountAddress,
  computeSignerAddress,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  encodeExecTransaction,
  encodeInitCode,
  encodeRemoveOwner,
  encodeWebAuthnSignature,
  getSafeMessageHash,
  getSafeTransactionHash,
  hashAccountMessage,
  recoverOwnerSignature,
  safeMessageTypedData,
  toSafeTransaction,
  wrapErc6492Signature,
} from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'
import { webAuthnAccountOf } from './web-authn-account.ts'

/* A real Safe, its fallback handler and viem's ERC-6492 verifier check every signature. */

type Chain = Awaited<ReturnType<typeof startChain>>

/** The owner of a fresh account. */
interface Signer {
  readonly owner: AccountOwner
  /** The same owner in permissionless' format. */
  readonly peer: LocalAccount | WebAuthnAccount
  /** Signs 32 bytes for `account`. */
  signHash(hash: Hash, account: Address): Promise<Hex>
  sign(messageHash: Hash, account: Address, chain?: number): Promise<Hex>
}

const eoaSigner = (form: 'eth_signTypedData_v4' | 'personal_sign'): Signer => {
  const key = privateKeyToAccount(randomPrivateKey())
  const encode = async (hash: Hash, signature: Hex) => {
    const encoded = await recoverOwnerSignature({ hash, owner: key.address, signature })
    if (!encoded.ok) throw new TypeError(encoded.message)
    return encoded.signature
  }
  const signHash = async (hash: Hash) => encode(hash, await key.signMessage({ message: { raw: hash } }))
  return {
    owner: { kind: 'eoa', address: key.address },
    peer: key,
    signHash,
    async sign(messageHash, account, chain = chainId) {
      const context = { chainId: chain, account }
      const hash = getSafeMessageHash(messageHash, context)
      if (form === 'personal_sign') return signHash(hash)
      return encode(hash, await key.signTypedData(safeMessageTypedData(messageHash, context)))
    },
  }
}

const passkeySigner = (): Signer => {
  const authenticator = new SoftwareAuthenticator()
  const owner = { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers } as const
  const signHash = async (hash: Hash, account: Address) => {
    const assertion = authenticator.get({ challenge: hexToBytes(hash) })
    const isFirst = computeAccountAddress(owner) === account
    const signer = isFirst ? {} : { signer: computeSignerAddress(owner) }
    const encoded = encodeWebAuthnSignature({ hash, assertion, ...signer })
    if (!encoded.ok) throw new TypeError(encoded.message)
    return encoded.signature
  }
  return {
    owner,
    peer: webAuthnAccountOf(authenticator),
    signHash,
    sign: (messageHash, account, chain = chainId) =>
      signHash(getSafeMessageHash(messageHash, { chainId: chain, account }), account),
  }
}

const kinds: readonly [string, () => Signer, { direct: number; wrapped: number }][] = [
  ['an EOA by eth_signTypedData_v4', () => eoaSigner('eth_signTypedData_v4'), { direct: 65, wrapped: 960 }],
  ['an EOA by personal_sign', () => eoaSigner('personal_sign'), { direct: 65, wrapped: 960 }],
  ['a passkey', passkeySigner, { direct: 417, wrapped: 1664 }],
]

const order = {
  domain: { name: 'Shop', chainId },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: '12' },
} as const
const messages: readonly [string, AccountMessage, AccountMessage][] = [
  ['text', { message: 'Hello' }, { message: 'hello' }],
  ['bytes', { rawMessage: '0x00ff' }, { rawMessage: '0x00fe' }],
  ['typed data', { typedData: order }, { typedData: { ...order, message: { amount: '13' } } }],
]

const publicClientOf = (chain: Chain) =>
  createPublicClient({ chain: foundry, transport: localTransport(chain.rpcUrl) })

/** Deploys the account by an ordinary transaction of a third party. */
async function deploy(chain: Chain, owner: AccountOwner) {
  const initCode = encodeInitCode(owner)
  const hash = await chain.client.sendTransaction({ to: slice(initCode, 0, 20), data: slice(initCode, 20) })
  await chain.client.waitForTransactionReceipt({ hash })
}

/** Executes a Safe transaction that `signer` signs and a third party sends. */
async function execute(chain: Chain, account: Address, { signHash }: Signer, calls: readonly Call[]) {
  const nonce = await chain.client.readContract({ address: account, abi: safeAbi, functionName: 'nonce' })
  const transaction = toSafeTransaction(calls, nonce)
  const signature = await signHash(getSafeTransactionHash(transaction, { chainId, account }), account)
  const hash = await chain.client.sendTransaction({
    to: account,
    data: encodeExecTransaction(transaction, signature),
  })
  expect(await chain.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}

/** The response to a contract that supports only ERC-1271: the magic value, or a revert. */
const askAccount = (chain: Chain, account: Address, messageHash: Hash, signature: Hex) =>
  chain.client.readContract({
    address: account,
    abi: erc1271Abi, // isValidSignature(bytes32, bytes)
    functionName: 'isValidSignature',
    args: [messageHash, signature],
  })

describe.each([
  ['with the P-256 precompile', {}],
  ['without the P-256 precompile', { hardfork: 'prague' } as const],
])('%s', (_, options) => {
  let chain: Chain
  beforeAll(async () => {
    chain = await startChain(options)
  })
  afterAll(() => chain?.[Symbol.asyncDispose]())

  describe.each(kinds)('%s signs', (_, makeSigner, sizes) => {
    test.each(messages)('%s, before and after deployment', async (_, what, changed) => {
      const { owner, sign } = makeSigner()
      const account = computeAccountAddress(owner)
      const client = publicClientOf(chain)
      const hash = hashAccountMessage(what)
      const signature = await sign(hash, account)
      const wrapped = wrapErc6492Signature({ owner, signature })
      // The length of a passkey's client data varies a little with the origin.
      expect(Math.abs(size(signature) - sizes.direct)).toBeLessThanOrEqual(owner.kind === 'eoa' ? 0 : 64)
      expect(Math.abs(size(wrapped) - sizes.wrapped)).toBeLessThanOrEqual(owner.kind === 'eoa' ? 0 : 64)
      const verify = (over: Hash, proof: Hex) =>
        client.verifyHash({ address: account, hash: over, signature: proof })

      expect(await verify(hash, wrapped)).toBe(true)
      expect(await verify(hash, signature)).toBe(false)
      expect(await verify(hashAccountMessage(changed), wrapped)).toBe(false)
      const elsewhere = wrapErc6492Signature({ owner, signature: await sign(hash, account, chainId + 1) })
      expect(await verify(hash, elsewhere)).toBe(false)

      await deploy(chain, owner)
      expect(await verify(hash, signature)).toBe(true)
      expect(await verify(hash, wrapped)).toBe(true)
      expect(await askAccount(chain, account, hash, signature)).toBe('0x1626ba7e')
      await expect(askAccount(chain, account, hash, wrapped)).rejects.toThrow()
      await expect(askAccount(chain, account, hashAccountMessage(changed), signature)).rejects.toThrow()
      expect(await verify(hash, await sign(hash, account, chainId + 1))).toBe(false)
    })
  })

  test.each([
    ['a later passkey signs for an EOA', () => eoaSigner('eth_signTypedData_v4'), passkeySigner],
    ['a later EOA signs for a passkey', passkeySigner, () => eoaSigner('personal_sign')],
    ['a later passkey signs for a passkey', passkeySigner, passkeySigner],
  ])('%s, and a removed owner no longer does', async (_, makeFirst, makeLater) => {
    const first = makeFirst()
    const later = makeLater()
    const account = computeAccountAddress(first.owner)
    const hash = hashMessage('Hello')
    const laterOwner = later.owner.kind === 'eoa' ? later.owner.address : computeSignerAddress(later.owner)
    await deploy(chain, first.owner)
    const byFirst = await first.sign(hash, account)
    const byLater = await later.sign(hash, account)
    const verify = (signature: Hex) => publicClientOf(chain).verifyHash({ address: account, hash, signature })
    expect([await verify(byFirst), await verify(byLater)]).toEqual([true, false])

    await execute(chain, account, first, [
      ...(later.owner.kind === 'passkey' ? [encodeCreateSigner(later.owner)] : []),
      encodeAddOwner({ account, owner: laterOwner }),
    ])
    expect([await verify(byFirst), await verify(byLater)]).toEqual([true, true])

    const owners = await chain.client.readContract({
      address: account,
      abi: safeAbi,
      functionName: 'getOwners',
    })
    const removed = owners.find((owner) => owner !== laterOwner)
    if (removed === undefined) throw new TypeError('The first owner is an owner.')
    await execute(chain, account, later, [encodeRemoveOwner({ account, owner: removed, owners })])
    expect([await verify(byFirst), await verify(byLater)]).toEqual([false, true])
  })

  test.each(kinds.slice(1))(
    'permissionless signs the same, before and after deployment: %s',
    async (_, makeSigner) => {
      const { owner, sign, peer } = makeSigner()
      const account = computeAccountAddress(owner)
      const client = publicClientOf(chain)
      const createPeer = () =>
        toSafeSmartAccount({
          client,
          owners: [peer],
          version: '1.4.1',
          entryPoint: { address: entryPoint07Address, version: '0.7' },
          useMultiSendForSetup: owner.kind === 'passkey',
          safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
          saltNonce: 0n,
        })
      const hash = hashMessage('Hello')
      const typedHash = hashAccountMessage({ typedData: order })
      const ours = await sign(hash, account)
      for (const isDeployed of [false, true]) {
        if (isDeployed) await deploy(chain, owner)
        const theirs = await createPeer()
        const made = await theirs.signMessage({ message: 'Hello' })
        expect(await client.verifyHash({ address: account, hash, signature: made })).toBe(true)
        const typed = await theirs.signTypedData({ ...order, message: { amount: 12n } })
        expect(await client.verifyHash({ address: account, hash: typedHash, signature: typed })).toBe(true)
        const { address: wrapper, signature: bare } = parseErc6492Signature(made)
        expect(wrapper === undefined).toBe(isDeployed)
        // An EOA's signature is deterministic; a passkey's is randomized.
        if (owner.kind === 'eoa') expect(bare).toBe(ours)
      }
    },
  )
})
