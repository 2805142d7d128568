/** @module-tag all */
// @promise 25

import { packUserOperation } from '@lanyard/accounts'
import { toSignedOperation } from '@lanyard/bundler'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { usualEngine } from '@lanyard/database/testing'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { createWalletClient, type Hash, type Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Operations,
  recipient,
  startOperations,
  withSendingBundler,
} from '../../../../test/operation-fixture.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { hasUnfinished } from './find-unfinished.ts'
import { reconcile } from './reconcile.ts'

const hours = (count: number) => count * 60 * 60_000

let at: Operations
beforeAll(async () => {
  at = await startOperations(usualEngine())
})
afterAll(() => at[Symbol.asyncDispose]())

const rejecting = (code: ErrorCode, passed = 0): OperationDependencies => ({
  ...at.operations,
  now: () => new Date(Date.now() + passed),
  bundlerFor: (network) => {
    const { check: _, ...bundler } = at.operations.bundlerFor(network)
    const deliver = async () => {
      throw new LanyardError(code)
    }
    return { ...bundler, deliver, drive: async () => {} }
  },
})

/**
 * Signs an operation of a deployed account that the bundler rejects, on the first attempt (`isFirst`) or after a crash.
 */
async function signRejected({ isFirst }: { readonly isFirst: boolean }) {
  const { wallet, owner } = await at.createWallet()
  await at.send(wallet, owner)
  const built = await at.build(wallet)
  const signature = await at.sign(owner, built.operationHash)
  const dependencies = isFirst
    ? rejecting('FEE_TOO_LOW')
    : {
        ...withSendingBundler(at.operations),
        checkpoint: async (name: string) => {
          if (name === 'submit:signed') throw new TypeError('dead')
        },
      }
  let signed: Hex | undefined
  const whenSent = async () => {
    signed ??= (await at.readRow(built.userOpHash)).signature as Hex
  }
  await at
    .submit(wallet, owner, signature, {
      ...dependencies,
      bundlerFor: (network) => {
        const bundler = dependencies.bundlerFor(network)
        return { ...bundler, deliver: (operation) => whenSent().then(() => bundler.deliver(operation)) }
      },
    })
    .catch(() => undefined)
  await whenSent()
  return { wallet, owner, hash: built.userOpHash, signature: signed ?? '0x' }
}

/** Includes the operation as another bundler does. */
async function includeElsewhere(hash: Hash, signature: Hex): Promise<void> {
  const operation = toSignedOperation({ ...(await at.readRow(hash)), signature })
  const other = createWalletClient({
    account: privateKeyToAccount(devAccounts[5]?.privateKey as Hex), // anvil has ten
    transport: localTransport(at.node.rpcUrl),
  })
  const transaction = await other.writeContract({
    chain: null,
    address: at.network.config.entryPoint,
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [[packUserOperation(operation)], other.account.address],
  })
  await at.chain.waitForTransactionReceipt({ hash: transaction })
}

async function reconcileUntil(hash: Hash, expected: object, dependencies = at.operations) {
  const pass = async () => {
    await reconcile(dependencies, at.network)
    return at.readRow(hash)
  }
  await expect.poll(pass).toMatchObject(expected)
}

test('behavior: an operation that was refused here but bundled elsewhere is included and final', async () => {
  const { hash, signature } = await signRejected({ isFirst: true })
  expect(await at.readRow(hash)).toMatchObject({ state: 'built', signature: null })
  await includeElsewhere(hash, signature)
  await reconcileUntil(hash, { state: 'included', success: true })
  await reconcileUntil(hash, { state: 'included', final: true })
})

test('behavior: an operation that was refused and not included becomes an unsigned build after an hour', async () => {
  const { hash } = await signRejected({ isFirst: true })
  await reconcile(rejecting('FEE_TOO_LOW', hours(0.9)), at.network)
  expect((await at.readRow(hash)).signed_at).toBeInstanceOf(Date)
  await reconcile(rejecting('FEE_TOO_LOW', hours(1.1)), at.network)
  expect(await at.readRow(hash)).toMatchObject({ state: 'built', signed_at: null })
})

test('behavior: an operation without a validity that is never accepted is dropped after a day, but a later inclusion counts', async () => {
  const { hash, wallet, owner, signature } = await signRejected({ isFirst: false })
  await reconcile(rejecting('INSUFFICIENT_FUNDS', hours(23)), at.network)
  expect(await at.readRow(hash)).toMatchObject({ valid_until: 0, state: 'submitting', final: false })
  await reconcile(rejecting('INSUFFICIENT_FUNDS', hours(25)), at.network)
  expect(await at.readRow(hash)).toMatchObject({ state: 'dropped', final: true, reason_code: 'REBUILD' })

  // Another build uses the nonce while a third party still holds the signature of the first operation.
  const next = await at.build(wallet, { calls: [{ to: recipient, value: 2n, data: '0x' }] })
  const { nonce_key, nonce_sequence } = await at.readRow(hash)
  expect(await at.readRow(next.userOpHash)).toMatchObject({ nonce_key, nonce_sequence })
  const nextSignature = await at.sign(owner, next.operationHash)
  const dying = {
    ...at.operations,
    checkpoint: async (name: string) => {
      if (name === 'submit:signed') throw new TypeError('dead')
    },
  }
  await expect(at.submit(wallet, owner, nextSignature, dying)).rejects.toThrow('dead')
  await includeElsewhere(hash, signature)
  await reconcileUntil(
    next.userOpHash,
    { state: 'dropped', reason_code: 'REPLACED' },
    rejecting('FEE_TOO_LOW'),
  )
  expect(await at.readRow(hash)).toMatchObject({ state: 'included', success: true })
  await reconcileUntil(hash, { final: true })
})

test('behavior: a dropped operation with an unused nonce is final after a day and causes no more requests', async () => {
  const { hash } = await signRejected({ isFirst: false })
  await reconcile(rejecting('INVALID_SIGNATURE', 5_000), at.network)
  expect(await at.readRow(hash)).toMatchObject({ state: 'dropped', final: false })
  await reconcile(rejecting('INVALID_SIGNATURE', hours(25)), at.network)
  expect(await at.readRow(hash)).toMatchObject({ state: 'dropped', final: true })
  const isFinished = async () => {
    await reconcile(rejecting('INVALID_SIGNATURE', hours(25)), at.network)
    return !(await hasUnfinished(at.database, at.network.chainId))
  }
  await expect.poll(isFinished).toBe(true)
  at.rpc.take()
  await reconcile(rejecting('INVALID_SIGNATURE'), at.network)
  expect(at.rpc.take().requests).toBeLessThanOrEqual(2) // the requests for the chain id
})
