import { devAccounts } from '@lanyard/devnet'
import { erc1271Abi, safeAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { type Hash, type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  encodeExecTransaction,
  encodeInitCode,
  encodeWebAuthnSignature,
  getSafeTransactionHash,
  type SafeTransaction,
  safeTransactionTypedData,
  toSafeTransaction,
  unpackUserOperation,
} from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const eoa = privateKeyToAccount(devAccounts[3]?.privateKey ?? '0x')
const eoaOwner: AccountOwner = { kind: 'eoa', address: eoa.address }
const first = new SoftwareAuthenticator()
const passkeyOwner: AccountOwner = { kind: 'passkey', ...first.publicKey, verifiers: defaultVerifiers }
const payment: Call = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' }

/** Deploys the account by an ordinary transaction of a third party, without EntryPoint. */
async function deploy(owner: AccountOwner) {
  const account = computeAccountAddress(owner)
  const { factory = account, factoryData = '0x' } = unpackUserOperation({
    ...operationOf(owner),
    initCode: encodeInitCode(owner),
  })
  const hash = await chain.client.sendTransaction({ to: factory, data: factoryData })
  await chain.client.waitForTransactionReceipt({ hash })
  await chain.fund(account)
  return account
}

async function execute(
  account: Hex,
  calls: readonly Call[],
  sign: (transaction: SafeTransaction, hash: Hash) => Promise<Hex>,
) {
  const nonce = await chain.client.readContract({ address: account, abi: safeAbi, functionName: 'nonce' })
  const transaction = toSafeTransaction(calls, nonce)
  const hash = getSafeTransactionHash(transaction, { chainId, account })
  const data = encodeExecTransaction(transaction, await sign(transaction, hash))
  await chain.client.call({ account: chain.client.account, to: account, data })
  const sent = await chain.client.sendTransaction({ to: account, data })
  return chain.client.waitForTransactionReceipt({ hash: sent })
}

const byPasskey = (authenticator: SoftwareAuthenticator, signer: Hex) => async (_: unknown, hash: Hash) => {
  const assertion = authenticator.get({ challenge: hexToBytes(hash) })
  const result = encodeWebAuthnSignature({ hash, assertion, signer })
  if (!result.ok) throw new TypeError(result.message)
  return result.signature
}

describe('getSafeTransactionHash', () => {
  test.each<[string, readonly Call[]]>([
    ['one call', [payment]],
    ['a batch', [payment, { ...payment, data: '0x1234' }]],
    ['nothing', []],
  ])('behavior: matches the Safe, %s', async (_, calls) => {
    const account = await deploy({ kind: 'eoa', address: privateKeyToAccount(randomPrivateKey()).address })
    const transaction = toSafeTransaction(calls, 7n)
    const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = transaction
    const onChain = await chain.client.readContract({
      address: account,
      abi: safeAbi,
      functionName: 'getTransactionHash',
      args: [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, 7n],
    })
    expect(getSafeTransactionHash(transaction, { chainId, account })).toBe(onChain)
  })
})

describe('encodeExecTransaction', () => {
  test('behavior: an EOA moves funds without EntryPoint', async () => {
    const account = await deploy(eoaOwner)
    const before = await chain.client.getBalance({ address: payment.to })
    const sign = (transaction: SafeTransaction) =>
      eoa.signTypedData(safeTransactionTypedData(transaction, { chainId, account }))
    expect(await execute(account, [payment], sign)).toMatchObject({ status: 'success' })
    expect(await execute(account, [payment, payment], sign)).toMatchObject({ status: 'success' })
    expect(await chain.client.getBalance({ address: payment.to })).toBe(before + 3n)
  })

  test('behavior: the first passkey and an added one move funds without EntryPoint', async () => {
    const account = await deploy(passkeyOwner)
    const spare = new SoftwareAuthenticator()
    const added = { ...spare.publicKey, verifiers: defaultVerifiers }
    const signer = computeSignerAddress(added)
    const byFirst = byPasskey(first, defaultDeployment.sharedSigner)
    const bySpare = byPasskey(spare, signer)

    const add = [encodeCreateSigner(added), encodeAddOwner({ account, owner: signer })]
    expect(await execute(account, add, byFirst)).toMatchObject({ status: 'success' })
    expect(await execute(account, [payment], bySpare)).toMatchObject({ status: 'success' })
    // GS024: the contract owner rejects the signature.
    await expect(execute(account, [payment], byPasskey(first, signer))).rejects.toThrow('GS024')
  })

  test('behavior: a contract owner accepts only its own signatures', async () => {
    const account = computeAccountAddress(passkeyOwner)
    const hash: Hash = `0x${'5a'.repeat(32)}`
    const ask = async (authenticator: SoftwareAuthenticator) => {
      const assertion = authenticator.get({ challenge: hexToBytes(hash) })
      const encoded = encodeWebAuthnSignature({ hash, assertion })
      if (!encoded.ok) throw new TypeError(encoded.message)
      return chain.client.readContract({
        // The shared signer stores each account's key in that account's storage and identifies the account by
        // the caller.
        account,
        address: defaultDeployment.sharedSigner,
        abi: erc1271Abi,
        functionName: 'isValidSignature',
        args: [hash, `0x${encoded.signature.slice(2 + 2 * 97)}`],
      })
    }
    expect(await ask(first)).toBe('0x1626ba7e')
    expect(await ask(new SoftwareAuthenticator())).not.toBe('0x1626ba7e')
  })
})
