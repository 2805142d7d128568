// @promise 13
import { getUserOperationHash, packUserOperation, stubSignature } from '@lanyard/accounts'
import { attestorSetAbi } from '@lanyard/onchain'
import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import {
  BaseError,
  ContractFunctionRevertedError,
  type Hex,
  recoverAddress,
  zeroAddress,
  zeroHash,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkOrderBounds,
  type DecodePaymasterAndDataResult,
  decodePaymasterAndData,
  encodeCancelExit,
  encodeDeposit,
  encodeFinalizeExit,
  encodeOrderCalls,
  encodePaymasterAndData,
  encodeRemoveSigner,
  encodeRequestExit,
  encodeSettleBatch,
  exitDelay,
  getAttestationHash,
  getOrderHash,
  getWithdrawalHash,
  minimumPostOpGas,
  outcomes,
  packAttestations,
  pinned,
  readOrderRecord,
  signerId,
  signerRemovalDelay,
  stubOperatorSignature,
  toSettledOperation,
  type UnsignedOrder,
  verifyOrderOperation,
  type Withdrawal,
} from '../src/index.ts'
import { order as anyOrder } from './arbitraries.ts'
import { attestors, operator, settler, startChains, type TestChain } from './chains.ts'
import { eoaUser, operationOf, passkeyUser, signAsUser, type User, withOrder } from './user.ts'

fc.configureGlobal({ seed: numericSeed })

let output: TestChain
let source: TestChain
let chains: Awaited<ReturnType<typeof startChains>>
beforeAll(async () => {
  chains = await startChains()
  output = chains.output
  source = chains.source
})
afterAll(async () => {
  await chains[Symbol.asyncDispose]()
})

const salt: Hex = `0x${'5a'.repeat(32)}`

async function nowOf({ client }: TestChain): Promise<number> {
  return Number((await client.getBlock()).timestamp)
}

async function deposit(user: User, chain: TestChain, amount: bigint) {
  await chain.fund(user.account, amount)
  const calls = encodeDeposit({
    token: chain.settlementToken.address,
    decimals: chain.settlementToken.decimals,
    smartBalance: chain.smartBalance.address,
    amount,
    addSigner: signerId(user.owner),
  })
  const operation = await operationOf(user, chain, calls)
  return chain.handleOps(await signAsUser(user, chain, operation))
}

async function cosigned(withdrawal: Withdrawal, user: User, chain: TestChain) {
  const hash = getWithdrawalHash({
    ...withdrawal,
    account: user.account,
    chainId: chain.chainId,
    smartBalance: chain.smartBalance.address,
  })
  return { hash, withdrawal: { ...withdrawal, signature: await operator.sign({ hash }) } }
}

async function attested(orderHash: Hex, outcome: 'claimed' | 'failed') {
  const { address: smartBalance } = output.smartBalance
  const hash = getAttestationHash({ smartBalance, orderHash, outcome })
  return packAttestations(
    await Promise.all(
      attestors.slice(0, 2).map(async (attestor) => ({
        attestor: attestor.address,
        signature: await attestor.sign({ hash }),
      })),
    ),
  )
}

const orderOf = async (user: User, chain: TestChain, changed: Partial<UnsignedOrder> = {}) => ({
  paymaster: chain.smartBalance.address,
  paymasterVerificationGasLimit: 1_000_000n,
  paymasterPostOpGasLimit: 150_000n,
  claimAmount: 1_000_000n,
  validUntil: (await nowOf(chain)) + 500,
  debits: [{ chainId: source.chainId, amount: 1_500_000n, failFee: 400_000n }],
  signer: user.owner,
  ...changed,
})

describe.each<[string, () => User]>([
  ['EOA', eoaUser],
  ['passkey', passkeyUser],
])('%s', (_, newUser) => {
  test('behavior: deposits on one network, withdraws and claims on another, and settles on the first', async () => {
    const user = newUser()
    const onSource = await deposit(user, source, 5_000_000n)
    expect(onSource).toMatchObject({ success: true })
    await deposit(user, output, 300_000n)
    const pins = await source.client.readContract({
      ...source.smartBalance,
      functionName: 'signerUntil',
      args: [user.account, signerId(user.owner)],
    })
    expect(BigInt(pins)).toBe(pinned)

    const order = await orderOf(user, output)
    const { hash: withdrawalHash, withdrawal } = await cosigned(
      { to: user.account, amount: 200_000n, fee: 100_000n, salt, deadline: order.validUntil },
      user,
      output,
    )
    const nonce = await output.nonceOf(user.account)
    const { address: smartBalance } = output.smartBalance
    const own = { to: zeroAddress, value: 0n, data: '0x12' } as const
    const calls = [...encodeOrderCalls({ smartBalance, order, nonce, withdrawal }), own]
    const { operation, orderHash } = await withOrder(await operationOf(user, output, calls), output, order)
    const expected = {
      claimAmount: order.claimAmount,
      withdrawal,
      debits: order.debits.map(({ chainId, ...rest }) => ({ network: chainId, ...rest })),
      fee: 600_000n,
    }
    expect(
      verifyOrderOperation({
        operation,
        expected,
        chainId: output.chainId,
        smartBalance,
        signer: user.owner,
        now: await nowOf(output),
      }),
    ).toMatchObject({ ok: true, orderHash, calls: [own] })

    const signed = await signAsUser(user, output, operation)
    const { success, events } = await output.handleOps(signed)
    expect(success).toBe(true)
    expect(events.find((event) => event.eventName === 'Withdrawn')?.args.digest).toBe(withdrawalHash)
    // This log is all that settlement needs.
    expect(events.find((event) => event.eventName === 'OrderSigned')?.args).toEqual({
      orderHash,
      ...toSettledOperation(signed),
    })
    expect(events.find((event) => event.eventName === 'OrderClaimed')?.args).toMatchObject({
      orderHash,
      nonce,
      amount: order.claimAmount,
    })
    const scale = 10n ** BigInt(output.settlementToken.decimals - 6)
    expect(await output.balanceOf(user.account)).toBe(1_200_000n * scale)

    const settling = {
      chainId: output.chainId,
      signed: toSettledOperation(signed),
      outcome: 'claimed',
      proof: await attested(orderHash, 'claimed'),
    } as const
    const transaction = await source.client.sendTransaction({
      account: settler,
      to: smartBalance,
      data: encodeSettleBatch([settling, settling]),
    })
    const { status } = await source.client.waitForTransactionReceipt({ hash: transaction })
    expect(status).toBe('success')
    const taken = await source.client.readContract({
      ...source.smartBalance,
      functionName: 'settled',
      args: [user.account, BigInt(output.chainId), nonce],
    })
    expect(readOrderRecord(taken, orderHash)).toEqual({ outcome: 'claimed', amount: 1_500_000n })
  })

  test('behavior: an operation that does not claim owes the failFee under the same hash', async () => {
    const user = newUser()
    await deposit(user, source, 5_000_000n)
    const order = await orderOf(user, output)
    const { operation, orderHash } = await withOrder(await operationOf(user, output, []), output, order)
    const { events } = await output.handleOps(await signAsUser(user, output, operation))
    expect(events.find((event) => event.eventName === 'OrderFailed')?.args.orderHash).toBe(orderHash)
    const record = await output.client.readContract({
      ...output.smartBalance,
      functionName: 'settled',
      args: [user.account, BigInt(output.chainId), operation.nonce],
    })
    expect(readOrderRecord(record, orderHash)).toEqual({ outcome: 'failed', amount: 0n })
  })

  test('behavior: a sponsorship has no calls of its own', async () => {
    const user = newUser()
    const order = await orderOf(user, output, { claimAmount: 0n, debits: [] })
    const { address: smartBalance } = output.smartBalance
    expect(encodeOrderCalls({ smartBalance, order, nonce: 0n })).toEqual([])
    const { operation } = await withOrder(await operationOf(user, output, []), output, order)
    expect(await output.handleOps(await signAsUser(user, output, operation))).toMatchObject({
      success: true,
      events: [],
    })
  })
})

test('packAttestations: matches AttestorSet', async () => {
  const { client, smartBalance } = source
  const verifier = await client.readContract({ ...smartBalance, functionName: 'verifier' })
  const verify = async (outcome: number, proof: Hex) =>
    client.readContract({
      account: smartBalance.address,
      address: verifier,
      abi: attestorSetAbi,
      functionName: 'verify',
      args: [1n, zeroHash, outcome, proof],
    })
  const claimed = await attested(zeroHash, 'claimed')
  expect(await verify(outcomes.claimed, claimed)).toBe(true)
  expect(await verify(outcomes.failed, claimed)).toBe(false)
  expect(await verify(outcomes.failed, await attested(zeroHash, 'failed'))).toBe(true)
})

test('encodeRequestExit, encodeCancelExit, encodeFinalizeExit, encodeRemoveSigner: the account can make these calls', async () => {
  const user = eoaUser()
  const { address: smartBalance } = source.smartBalance
  await deposit(user, source, 3n)
  const make = async (...calls: Parameters<typeof operationOf>[2]) =>
    source.handleOps(await signAsUser(user, source, await operationOf(user, source, calls)))
  const nameOf = ({ events }: Awaited<ReturnType<typeof make>>) => events.map(({ eventName }) => eventName)

  expect(nameOf(await make(encodeRequestExit(smartBalance, 2n), encodeCancelExit(smartBalance)))).toEqual([
    'ExitRequested',
    'ExitCancelled',
  ])
  const requested = await make(encodeRequestExit(smartBalance, 3n))
  const removed = await make(encodeRemoveSigner(smartBalance, signerId(user.owner)))
  expect([nameOf(requested), nameOf(removed)]).toEqual([['ExitRequested'], ['SignerRemoved']])
  const now = await nowOf(source)
  const until = removed.events.find((event) => event.eventName === 'SignerRemoved')?.args.until
  expect(Math.abs(Number(until) - now - signerRemovalDelay)).toBeLessThan(60)

  await source.client.increaseTime({ seconds: exitDelay })
  await source.client.mine({ blocks: 1 })
  expect(nameOf(await make(encodeFinalizeExit(smartBalance, zeroAddress.replace(/0$/, '1') as Hex)))).toEqual(
    ['ExitFinalized'],
  )
})

test('decodePaymasterAndData, checkOrderBounds: the contract rejects the same bytes', async () => {
  const user = eoaUser()
  const { address: paymaster } = output.smartBalance
  const operation = await operationOf(user, output, [])
  const bounded = fc.record({
    claimAmount: fc.constantFrom(0n, 100n, 250_000_000n),
    debits: fc.array(
      fc.record({
        chainId: fc.integer({ min: 0, max: 4 }),
        amount: fc.constantFrom(0n, 1n, 60_000_000n, 101_000_000n),
        failFee: fc.constantFrom(0n, 1n, 60_000_000n),
      }),
      { maxLength: 3 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(
      anyOrder,
      bounded,
      fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))),
      fc.integer({ min: -3, max: 3 }),
      async (any, amounts, mutation, lengthChange) => {
        const order = { ...any, ...amounts, paymaster, paymasterPostOpGasLimit: minimumPostOpGas }
        const bytes = Buffer.from(encodePaymasterAndData(order).slice(2), 'hex')
        // EntryPoint handles the bytes before the version.
        if (mutation) bytes[52 + (mutation[0] % (bytes.length - 52))] = mutation[1]
        const changed = Buffer.concat([
          bytes.subarray(0, bytes.length + Math.min(lengthChange, 0)),
          Buffer.alloc(Math.max(lengthChange, 0)),
        ])
        const paymasterAndData: Hex = `0x${changed.toString('hex')}`
        const decoded = decodePaymasterAndData(paymasterAndData)
        const rejection = await rejectionOfContract(paymasterAndData)
        // Solidity allows chain ids that cannot exist; such an order is not ours.
        if (!decoded.ok && decoded.code === 'UNKNOWN_CHAIN')
          expect(rejection).not.toBe('MalformedPaymasterData')
        else expect(rejection).toBe(rejectionOf(decoded))
      },
    ),
    { numRuns: 500 },
  )

  async function rejectionOfContract(paymasterAndData: Hex): Promise<string | undefined> {
    const signed = { ...operation, paymasterAndData, signature: stubSignature(user.owner) }
    const hash = getUserOperationHash(operation, { chainId: output.chainId })
    try {
      await output.client.readContract({
        account: entryPoint07Address,
        ...output.smartBalance,
        // The function writes, but an eth_call from EntryPoint works anyway.
        abi: output.smartBalance.abi.map((item) => ({ ...item, stateMutability: 'view' as const })),
        functionName: 'validatePaymasterUserOp',
        args: [packUserOperation(signed), hash, 0n],
      })
      return undefined
    } catch (error) {
      const revert =
        error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError)
      if (!(revert instanceof ContractFunctionRevertedError)) throw error
      return revert.data?.errorName ?? ''
    }
  }
})

const errorNames = {
  DEBITS_NOT_ASCENDING: 'DebitsNotAscending',
  FAIL_FEE_ABOVE_AMOUNT: 'FailFeeAboveAmount',
  DEBITS_TOO_HIGH: 'DebitsTooHigh',
  FAIL_FEES_TOO_HIGH: 'FailFeesTooHigh',
} as const

/** The revert that this package expects from SmartBalance. */
function rejectionOf(decoded: DecodePaymasterAndDataResult): string | undefined {
  if (!decoded.ok) return 'MalformedPaymasterData'
  const bounds = checkOrderBounds(decoded.order)
  return bounds.ok ? undefined : errorNames[bounds.code]
}

test('stubOperatorSignature: recovers to an address that is not an operator', async () => {
  const user = eoaUser()
  const order = await orderOf(user, output, { claimAmount: 0n, debits: [] })
  const operation = await operationOf(user, output, [])
  const stubbed = {
    ...operation,
    paymasterAndData: encodePaymasterAndData({ ...order, operatorSignature: stubOperatorSignature }),
  }
  await expect(output.handleOps(await signAsUser(user, output, stubbed))).rejects.toThrow('AA34')
  const hash = getOrderHash({ order, operation, chainId: output.chainId })
  expect(await recoverAddress({ hash, signature: stubOperatorSignature })).toMatch(/^0x/)
})
