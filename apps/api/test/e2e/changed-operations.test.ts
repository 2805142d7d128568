// @promise 9
import {
  fromWireUserOperation,
  getSafeOperationHash,
  packUserOperation,
  type UserOperation,
  type WireUserOperation,
} from '@lanyard/accounts'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { type Address, createTestClient, type Hex, parseEther, publicActions, zeroAddress } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'

/** A signature is valid only for the signed operation, network and wallet. */
let service: HttpService
let rest: RestClient
beforeAll(async () => {
  service = await startHttpService({ RATE_LIMITS: 'off' })
  rest = restClient(service.url)
})
afterAll(() => service?.[Symbol.asyncDispose]())

reportPassed(9, 'changed operations, networks and wallets refused', (title) => title.startsWith('error: '))

const owner = privateKeyToAccount(randomPrivateKey())

/** Builds an unsigned operation for a funded account of the owner. */
async function build() {
  const { chainId, rpcUrl } = service.node
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl) }).extend(publicActions)
  const created = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  const account: Address = created.body.wallet.scw_address
  await chain.setBalance({ address: account, value: parseEther('1') })
  const { body } = await rest.post('/smart-account/transaction/build', {
    network: String(chainId),
    walletAddress: account,
    transactionDetails: [{ targetContractAddress: owner.address, value: '1', encodedData: '0x' }],
  })
  const read = fromWireUserOperation(body.userOp)
  if (!read.ok) throw new TypeError(read.message)
  const hash: Hex = body.messageToSign
  return { chain, chainId, account, operation: read.operation, hash }
}

const submit = (walletAddress: Address, signature: Hex) =>
  rest.post('/smart-account/transaction/submit', { walletAddress, signature })

type Field = keyof WireUserOperation

/** Changes one field. */
const changes: { [F in Field]-?: (value: UserOperation[F]) => UserOperation[F] } = {
  sender: () => zeroAddress,
  nonce: (value) => value + 1n,
  initCode: (value) => `${value}00`,
  callData: (value) => `${value}00`,
  callGasLimit: (value) => value + 1n,
  verificationGasLimit: (value) => value + 1n,
  preVerificationGas: (value) => value + 1n,
  maxFeePerGas: (value) => value + 1n,
  maxPriorityFeePerGas: (value) => value + 1n,
  paymasterAndData: () => `0x${'11'.repeat(20)}${'00'.repeat(32)}`,
}
const fields = Object.keys(changes) as Field[] // the keys of `changes`

function changed(operation: UserOperation, field: Field): UserOperation {
  const change = changes[field] as (value: unknown) => unknown // each takes the value of its own field
  return { ...operation, [field]: change(operation[field]) }
}

describe('a signature of another operation', () => {
  test.each(fields)('error: INVALID_SIGNATURE for another %s', async (field) => {
    const { chainId, account, operation, hash } = await build()
    const other = getSafeOperationHash(changed(operation, field), { chainId })
    expect(other).not.toBe(hash)
    expect(await submit(account, await owner.sign({ hash: other }))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SIGNATURE' },
    })
  })

  test('error: INVALID_SIGNATURE for another network', async () => {
    const { account, operation } = await build()
    const other = getSafeOperationHash(operation, { chainId: 1 })
    expect(await submit(account, await owner.sign({ hash: other }))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SIGNATURE' },
    })
  })

  test('error: the signature is not valid for an operation of another wallet', async () => {
    const { hash } = await build()
    const thirdParty = privateKeyToAccount(randomPrivateKey())
    const { body } = await rest.post('/smart-account/create', { eoaAddress: thirdParty.address })
    const address: Address = body.wallet.scw_address
    const signature = await owner.sign({ hash })
    expect(await submit(address, signature)).toMatchObject({ body: { code: 'UNKNOWN_OPERATION' } })
    await rest.post('/smart-account/transaction/build', {
      network: String(service.node.chainId),
      walletAddress: address,
      allowRevert: true,
    })
    expect((await submit(address, signature)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('on the chain', () => {
  test.each(fields)('error: EntryPoint rejects the operation with another %s', async (field) => {
    const { chain, operation, hash } = await build()
    const times = '00'.repeat(12) // validAfter and validUntil
    const signature: Hex = `0x${times}${(await owner.sign({ hash })).slice(2)}`
    const bundler = devAccounts[0]?.address ?? zeroAddress
    const handle = (signed: UserOperation) =>
      chain.simulateContract({
        account: bundler,
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation({ ...signed, signature })], bundler],
      })
    await handle(operation)
    await expect(handle(changed(operation, field))).rejects.toThrow('FailedOp')
  })
})
