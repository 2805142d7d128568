import { encodeSignature, getUserOperationHash, safeOperationTypedData } from '@lanyard/accounts'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { toLanyardSmartAccount } from '@lanyard/viem'
import { type Address, createPublicClient, type Hash, http, numberToHex, parseEther } from 'viem'
import {
  createBundlerClient,
  entryPoint07Address,
  formatUserOperationRequest,
  type UserOperation,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import { parseOperation, toSigned } from '../../src/transport/rpc/user-operation.ts'
import type { PasskeyService } from '../passkeys/passkey-service.ts'

export const payee: Address = '0x00000000000000000000000000000000000000Ad'

export const rpcUrl = ({ service }: Pick<PasskeyService, 'service'>, path = '/rpc/31337') =>
  service.url + path

/** A client of the chain's own node. */
export const nodeClient = ({ service }: Pick<PasskeyService, 'service'>, chainId = 31337) =>
  publicClientOf(service.services.networks.get(chainId).config.rpcUrls[0])
export const publicClientOf = (nodeUrl: string | undefined) =>
  createPublicClient({
    chain: foundry,
    transport: localTransport(nodeUrl),
    cacheTime: 0,
    pollingInterval: 25,
  })

// biome-ignore lint/suspicious/noExplicitAny: answers are examined member by member
export type Json = any

export async function postRpc(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Calls a method and expects status 200. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  headers?: Record<string, string>,
): Promise<Json> {
  const { status, body } = await postRpc(url, { jsonrpc: '2.0', id: 1, method, params }, headers)
  expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', 1])
  return body
}

export const sendRpc = (url: string, operation: object, headers?: Record<string, string>): Promise<Json> =>
  callRpc(url, 'eth_sendUserOperation', [operation, entryPoint07Address], headers)

/** Like {@link sendRpc}, but expects success. */
export async function sendAccepted(url: string, operation: object): Promise<Hash> {
  const answer = await sendRpc(url, operation)
  expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  return answer.result
}

/** Waits for the receipt of an operation. */
export const waitForReceipt = (url: string, client: ReturnType<typeof publicClientOf>, hash: Hash) =>
  createBundlerClient({ client, transport: http(url), pollingInterval: 25 }).waitForUserOperationReceipt({
    hash,
    timeout: 180_000,
  })

/** Runs a function while blocks are mined only by `mine`. */
export async function withoutBlocks(
  { chain }: Pick<PasskeyService, 'chain'>,
  use: () => Promise<void>,
): Promise<void> {
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  try {
    await use()
  } finally {
    await chain.setAutomine(true)
    await chain.setIntervalMining({ interval: 1 })
  }
}

/** The operation's hash, computed from its JSON-RPC form. */
export const hashOf = (operation: object): Hash =>
  getUserOperationHash(toSigned(parseOperation(operation), entryPoint07Address), { chainId: foundry.id })

/** The account of a new EOA that is not registered. */
export async function createRpcAccount(service: PasskeyService, balance = parseEther('1')) {
  const created = await newRpcAccount(nodeClient(service))
  await service.chain.setBalance({ address: created.account.address, value: balance })
  return created
}

export async function newRpcAccount(client: ReturnType<typeof publicClientOf>) {
  const key = privateKeyToAccount(randomPrivateKey())
  return { key, account: await toLanyardSmartAccount({ client, owner: key, nonceKey: 0n }) }
}
export type RpcAccount = Awaited<ReturnType<typeof newRpcAccount>>['account']

type Operation = UserOperation<'0.7'>

/** An unsigned operation with limits that suffice for a transfer. */
export const draftOperation = async (
  account: RpcAccount,
  changed: Partial<Operation> = {},
): Promise<Operation> => ({
  sender: account.address,
  nonce: await account.getNonce(),
  callData: await account.encodeCalls([{ to: payee, value: 1n }]),
  ...((await account.isDeployed()) ? {} : await account.getFactoryArgs()),
  callGasLimit: 200_000n,
  verificationGasLimit: 600_000n,
  preVerificationGas: 100_000n,
  maxFeePerGas: 10_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  signature: '0x',
  ...changed,
})

/** The draft with the gas that the service estimates if it pays, as ERC-7677 prescribes. */
export async function draftSponsored(
  url: string,
  account: RpcAccount,
  changed: Partial<Operation> = {},
  headers?: Record<string, string>,
): Promise<Operation> {
  const draft = await draftOperation(account, changed)
  const { callGasLimit: _, verificationGasLimit: __, preVerificationGas: ___, ...bare } = draft
  const given = formatUserOperationRequest(bare)
  const rest = [entryPoint07Address, numberToHex(foundry.id), {}]
  const { result: stub } = await callRpc(url, 'pm_getPaymasterStubData', [given, ...rest], headers)
  const { sponsor: _sponsor, isFinal: _isFinal, ...paymaster } = stub
  const params = [{ ...given, ...paymaster }, entryPoint07Address]
  const { result: gas } = await callRpc(url, 'eth_estimateUserOperationGas', params, headers)
  return {
    ...draft,
    callGasLimit: BigInt(gas.callGasLimit),
    verificationGasLimit: BigInt(gas.verificationGasLimit),
    preVerificationGas: BigInt(gas.preVerificationGas),
    ...changed,
  }
}

/** A prepared and signed operation in viem's form. */
export async function prepare(account: RpcAccount, changed: Partial<Operation> = {}) {
  const operation = await draftOperation(account, changed)
  const signature = changed.signature ?? (await account.signUserOperation(operation))
  return formatUserOperationRequest({ ...operation, signature })
}

/** Like {@link prepare}, but signed with a validity in Unix seconds; 0 means no bound. */
export async function prepareValid(
  { key, account }: Awaited<ReturnType<typeof newRpcAccount>>,
  { validAfter = 0, validUntil = 0 }: { readonly validAfter?: number; readonly validUntil?: number },
  changed: Partial<Operation> = {},
) {
  const request = formatUserOperationRequest(await draftOperation(account, changed))
  const { signature: _, ...operation } = toSigned(parseOperation(request), entryPoint07Address)
  const signatures = await key.signTypedData(
    safeOperationTypedData(operation, { chainId: foundry.id, validAfter, validUntil }),
  )
  return { ...request, signature: encodeSignature({ validAfter, validUntil, signatures }) }
}
