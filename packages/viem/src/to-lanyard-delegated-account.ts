import { type DelegatedDeployment, delegatedDeployment } from '@lanyard/accounts'
import type {
  Chain,
  Client,
  Hash,
  Hex,
  JsonRpcAccount,
  LocalAccount,
  PrivateKeyAccount,
  Transport,
} from 'viem'
import { entryPoint08Abi, toSimple7702SmartAccount } from 'viem/account-abstraction'
import { getChainId } from 'viem/actions'
import { laneManager } from './lane-manager.ts'

export interface ToLanyardDelegatedAccountParameters {
  /** Reads the chain. All signatures over operations are for this client's chain. */
  readonly client: Client<Transport, Chain | undefined, JsonRpcAccount | LocalAccount | undefined>
  /** The EOA that is the account itself. It signs operations and its own delegation. */
  readonly owner: PrivateKeyAccount
  /** The nonce key of every operation. Default: keys 0 to 15, each reused once its operation is included. */
  readonly nonceKey?: bigint | undefined
  /** Default: the canonical contracts. */
  readonly deployment?: DelegatedDeployment | undefined
}

export type LanyardDelegatedAccount = Awaited<ReturnType<typeof toSimple7702SmartAccount>> & {
  readonly sign: (parameters: { readonly hash: Hash }) => Promise<Hex>
}

/**
 * An EOA that is a Lanyard account itself (`eip7702`), as viem's smart account. It is viem's
 * `toSimple7702SmartAccount` with the nonce keys of the service.
 *
 * The first operation needs `authorization`, the owner's signature over `account.authorization`. The account signs
 * messages as an EOA does, before and after.
 *
 * @example
 * const account = await toLanyardDelegatedAccount({ client, owner: privateKeyToAccount(key) })
 * const bundlerClient = createBundlerClient({ account, client, transport: http(`${service}/rpc/${client.chain.id}`) })
 * const nonce = await client.getTransactionCount({ address: owner.address })
 * const { address } = account.authorization // the delegate
 * const authorization = await owner.signAuthorization({ chainId: client.chain.id, address, nonce })
 * const userOpHash = await bundlerClient.sendUserOperation({ calls: [{ to, value: 1n }], authorization })
 */
export async function toLanyardDelegatedAccount({
  client,
  owner,
  nonceKey,
  deployment = delegatedDeployment,
}: ToLanyardDelegatedAccountParameters): Promise<LanyardDelegatedAccount> {
  const account = await toSimple7702SmartAccount({
    client,
    owner,
    implementation: deployment.delegate,
    entryPoint: { abi: entryPoint08Abi, address: deployment.entryPoint, version: '0.8' },
  })
  const lanes = laneManager(deployment.entryPoint)
  const chainIdOf = async () => client.chain?.id ?? (await getChainId(client))
  // viem has no parameter for the nonce keys of this account. Its default opens a new key for each operation.
  const nextKey = async () =>
    BigInt(await lanes.consume({ address: owner.address, chainId: await chainIdOf(), client }))
  return {
    ...account,
    getNonce: async (parameters) =>
      account.getNonce({ ...parameters, key: parameters?.key ?? nonceKey ?? (await nextKey()) }),
    signUserOperation: async (operation) =>
      account.signUserOperation({ ...operation, chainId: operation.chainId ?? (await chainIdOf()) }),
    sign: ({ hash }) => owner.sign({ hash }),
  }
}
