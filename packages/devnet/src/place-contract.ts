import {
  type Address,
  concat,
  createTestClient,
  type Hex,
  type HttpTransport,
  keccak256,
  type PublicActions,
  publicActions,
  type TestClient,
  toHex,
  type WalletActions,
  walletActions,
} from 'viem'
import { DevnetError } from './errors.ts'
import type { LocalContract } from './local-contract.ts'
import { localTransport } from './local-transport.ts'

/** Sends the set-up transactions, so that the well-known accounts start with nonce 0. Its key is unknown. */
export const deployer: Address = `0x${keccak256(toHex('lanyard.devnet.deployer')).slice(-40)}`

export type SetupClient = TestClient<'anvil', HttpTransport> & PublicActions & WalletActions

/** A client for {@link placeContract}, on an automining anvil. */
export async function createSetupClient(rpcUrl: string): Promise<SetupClient> {
  const client = createTestClient({
    mode: 'anvil',
    transport: localTransport(rpcUrl),
    pollingInterval: 10,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  await client.impersonateAccount({ address: deployer })
  await client.setBalance({ address: deployer, value: 10n ** 20n })
  return client
}

/** Places a contract's code, storage and children at its address. */
export async function placeContract(
  client: SetupClient,
  contract: Pick<LocalContract, 'address' | 'placement'>,
) {
  const { address, placement } = contract
  if (placement.kind === 'runtime') await client.setCode({ address, bytecode: placement.code })
  else if (placement.kind === 'create2')
    await send(client, placement.factory, concat([placement.salt, placement.initCode]))
  else await constructAt(client, address, placement.initCode)

  if ((await client.getCode({ address })) === undefined)
    throw new DevnetError('ANVIL_FAILED', `No code was deployed at ${address}`)
}

/**
 * Runs a constructor as `address`: the creation code is set as the code there, and a transaction to it writes
 * the storage and creates the children as the constructor would. It returns the runtime code, with the
 * correct immutables, such as `address(this)`.
 */
async function constructAt(client: SetupClient, address: Address, initCode: Hex): Promise<void> {
  // A contract's nonce starts at 1 (EIP-161) and determines the addresses of its children.
  await client.setNonce({ address, nonce: 1 })
  await client.setCode({ address, bytecode: initCode })
  const { data: runtimeCode } = await client.call({ to: address })
  if (!runtimeCode) throw new DevnetError('ANVIL_FAILED', `The constructor for ${address} returned no code`)
  await send(client, address, '0x')
  await client.setCode({ address, bytecode: runtimeCode })
}

async function send(client: SetupClient, to: Address, data: Hex): Promise<void> {
  // `chain: null`: the state is used for every chain id, so there is nothing to compare.
  const hash = await client.sendTransaction({ account: deployer, chain: null, to, data })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new DevnetError('ANVIL_FAILED', `The set-up transaction to ${to} reverted`)
}
