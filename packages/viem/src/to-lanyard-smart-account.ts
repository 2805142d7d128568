import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  decodeCalls,
  defaultDeployment,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  safeMessageTypedData,
  safeOperationTypedData,
  stubSignature,
} from '@lanyard/accounts'
import {
  type Address,
  type Chain,
  type Client,
  getAddress,
  type Hash,
  hashMessage,
  hashTypedData,
  isAddressEqual,
  type JsonRpcAccount,
  type LocalAccount,
  type Prettify,
  type SignableMessage,
  slice,
  type Transport,
  type TypedDataDefinition,
} from 'viem'
import {
  entryPoint07Abi,
  type SmartAccount,
  type SmartAccountImplementation,
  toSmartAccount,
} from 'viem/account-abstraction'
import { getChainId } from 'viem/actions'
import { laneManager } from './lane-manager.ts'
import { type LanyardOwner, toOwnerSigner } from './owner-signer.ts'
import { SigningError } from './signing-error.ts'
import { toOperation } from './to-operation.ts'

export interface ToLanyardSmartAccountParameters {
  /** Reads the chain. All signatures are for this client's chain. */
  readonly client: Client<Transport, Chain | undefined, JsonRpcAccount | LocalAccount | undefined>
  /** The owner that signs. */
  readonly owner: LanyardOwner
  /** The account's address. Default: that of `firstOwner`. */
  readonly address?: Address | undefined
  /** The owner that the account was created with, which determines its address. Default: `owner`. */
  readonly firstOwner?: AccountOwner | undefined
  /** The nonce key of every operation. Default: keys 0 to 15, each reused once its operation is included. */
  readonly nonceKey?: bigint | undefined
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment | undefined
}

export type LanyardSmartAccountImplementation = SmartAccountImplementation<typeof entryPoint07Abi, '0.7'> & {
  readonly decodeCalls: NonNullable<SmartAccountImplementation['decodeCalls']>
  readonly sign: NonNullable<SmartAccountImplementation['sign']>
}

export type LanyardSmartAccount = Prettify<SmartAccount<LanyardSmartAccountImplementation>>

/**
 * A Lanyard account as viem's smart account, for viem's bundler client, wagmi and permissionless.
 *
 * Signatures over messages and typed data are valid on the client's chain only. While the account is not
 * deployed, they are wrapped as ERC-6492 specifies, and only the first owner can make them.
 *
 * @example
 * const account = await toLanyardSmartAccount({ client, owner: privateKeyToAccount(key) })
 * const bundlerClient = createBundlerClient({ account, client, transport: http(`${service}/rpc/${client.chain.id}`) })
 * const userOpHash = await bundlerClient.sendUserOperation({ calls: [{ to, value: 1n }] })
 * @throws SigningError NO_OWNER; AccountsError NOT_ON_CURVE
 */
export async function toLanyardSmartAccount({
  client,
  owner,
  address: givenAddress,
  firstOwner,
  nonceKey,
  deployment = defaultDeployment,
}: ToLanyardSmartAccountParameters): Promise<LanyardSmartAccount> {
  const signer = toOwnerSigner(owner, deployment)
  const first = firstOwner ?? signer.owner
  const created = computeAccountAddress(first, deployment)
  const address = givenAddress === undefined ? created : getAddress(givenAddress)
  const { entryPoint } = deployment
  const lanes = laneManager(entryPoint)

  let knownChainId = client.chain?.id
  const chainIdOf = async () => (knownChainId ??= await getChainId(client))
  const signMessageHash = async (messageHash: Hash) =>
    signer.sign(safeMessageTypedData(messageHash, { chainId: await chainIdOf(), account: address }), address)

  return toSmartAccount<LanyardSmartAccountImplementation>({
    client,
    entryPoint: { abi: entryPoint07Abi, address: entryPoint, version: '0.7' },
    nonceKeyManager: {
      ...lanes,
      // Keys have 192 bits, and viem converts this result to a bigint.
      consume: async (parameters) =>
        nonceKey === undefined ? lanes.consume(parameters) : (nonceKey as unknown as number),
    },

    getAddress: async () => address,

    async getFactoryArgs() {
      if (!isAddressEqual(created, address))
        throw new SigningError(
          'UNKNOWN_FIRST_OWNER',
          `The account ${address} is not deployed on this chain, and this owner is not its first. Pass firstOwner.`,
        )
      const initCode = encodeInitCode(first, deployment)
      return { factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) }
    },

    encodeCalls: async (calls) =>
      encodeCalls(
        calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data })),
        deployment,
      ),

    async decodeCalls(callData) {
      const decoded = decodeCalls(callData, deployment)
      if (!decoded.ok) throw new SigningError('NOT_CALLS', decoded.message)
      return decoded.calls
    },

    async getStubSignature() {
      const verifier = signer.signerOf(address)
      return stubSignature(signer.owner, verifier === undefined ? {} : { signer: verifier })
    },

    async signUserOperation({ chainId, ...unpacked }) {
      const operation = toOperation({ ...unpacked, sender: unpacked.sender ?? address })
      const typedData = safeOperationTypedData(operation, {
        chainId: chainId ?? (await chainIdOf()),
        module: deployment.module,
        entryPoint,
      })
      const signatures = await signer.sign(typedData, address)
      return encodeSignature({ validAfter: 0, validUntil: 0, signatures })
    },

    sign: ({ hash }) => signMessageHash(hash),
    signMessage: ({ message }: { message: SignableMessage }) => signMessageHash(hashMessage(message)),
    signTypedData: (typedData) => signMessageHash(hashTypedData(typedData as TypedDataDefinition)),
  })
}
