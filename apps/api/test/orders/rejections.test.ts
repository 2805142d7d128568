/** @module-tag all */

import {
  defaultDeployment,
  encodeSignature,
  fromWireUserOperation,
  getSafeOperationHash,
  packUserOperation,
  requiredPrefund,
  type UserOperation,
} from '@lanyard/accounts'
import { devAccounts, devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  decodePaymasterAndData,
  encodeOrderMarker,
  encodePaymasterAndData,
  type Order,
  probeGas,
} from '@lanyard/smart-balance'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, type OrderService, payee, sign, startOrderService } from './order-service.ts'

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ production: true, chainIds: [31337, 31338] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const output = 31338
const amount = 50_000_000n

/** Creates a wallet with a deposit of 100 on the other network, and a solution for 50 on the output network. */
async function solved(more: object = {}) {
  const wallet = await service.createFunded([31337])
  const solution = await service.solve({
    walletAddress: wallet.address,
    outputNetwork: output,
    amount: String(amount),
    ...more,
  })
  expect(solution.status).toBe(200)
  const { body } = solution
  return {
    ...wallet,
    solution: body,
    request: {
      network: String(output),
      walletAddress: wallet.address,
      transactionDetails: [...callsOf(body), service.transfer(output, payee, amount)],
      paymasterData: body.signatures.paymaster as Hex,
    },
  }
}

describe('markers', () => {
  test('error: UNKNOWN_ORDER for an order that does not exist or belongs to another account', async () => {
    const { request } = await solved()
    const other = await service.createWallet()
    const unknown = encodeOrderMarker(service.on(output).smartBalance, `0x${'ab'.repeat(32)}`)
    expect(await service.build({ ...request, paymasterData: unknown })).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_ORDER' },
    })
    expect(await service.build({ ...request, walletAddress: other.address })).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_ORDER' },
    })
  })

  test('error: ORDER_MISMATCH for another network or another contract', async () => {
    const { request, solution } = await solved()
    expect(await service.build({ ...request, network: '31337' })).toMatchObject({
      status: 400,
      body: { code: 'ORDER_MISMATCH', outputNetwork: output },
    })
    const paymasterData = encodeOrderMarker(payee, solution.orderId)
    expect(await service.build({ ...request, paymasterData })).toMatchObject({
      status: 400,
      body: { code: 'ORDER_MISMATCH' },
    })
  })

  test('error: ORDER_MISMATCH if the batch does not start with exactly the reserved calls', async () => {
    const { address, signer } = await service.createFunded([31337])
    await service.deposit(output, address, 10_000_000n, signer)
    const solution = await service.solve({
      walletAddress: address,
      outputNetwork: output,
      amount: String(amount),
    })
    const [withdrawal, claim] = callsOf(solution.body)
    const transfer = service.transfer(output, payee, amount)
    const request = {
      network: String(output),
      walletAddress: address,
      paymasterData: solution.body.signatures.paymaster,
    }
    const changed = (data: Hex | undefined): Hex =>
      `0x${data?.slice(2, -1)}${data?.endsWith('0') ? '1' : '0'}`
    const cases: [number, unknown[]][] = [
      [0, []],
      [0, [claim, withdrawal, transfer]],
      [0, [transfer, withdrawal, claim]],
      [1, [withdrawal, transfer]],
      [1, [withdrawal, transfer, claim]],
      [1, [withdrawal, { ...claim, value: '1' }, transfer]],
      [1, [withdrawal, { ...claim, targetContractAddress: payee }, transfer]],
      [1, [withdrawal, { ...claim, encodedData: changed(claim?.encodedData) }, transfer]],
      [0, [{ ...withdrawal, encodedData: changed(withdrawal?.encodedData) }, claim, transfer]],
    ]
    for (const [call, transactionDetails] of cases) {
      expect(await service.build({ ...request, transactionDetails })).toMatchObject({
        status: 400,
        body: { code: 'ORDER_MISMATCH', call },
      })
    }
  })

  test('error: ORDER_MISMATCH if an order of a passkey is built for an EOA', async () => {
    const user = await service.createPasskeyUser()
    await service.deposit(31337, user.address, 100_000_000n, user.signer)
    const solution = await service.solve({
      walletAddress: user.address,
      outputNetwork: output,
      amount: String(amount),
    })
    expect(solution.status).toBe(200)
    const transactionDetails = callsOf(solution.body)
    const request = { network: String(output), transactionDetails }
    const paymasterData = solution.body.signatures.paymaster
    // The account has no EOA owner, so the EOA endpoint rejects the request before it reads the order.
    expect(await service.build({ ...request, walletAddress: user.address, paymasterData })).toMatchObject({
      status: 400,
      body: { code: 'UNSUPPORTED_SIGNATURE_TYPE' },
    })
    await service.database.db
      .updateTable('orders')
      .set({ signer_id: `0x${'00'.repeat(12)}${payee.slice(2).toLowerCase()}` })
      .where('order_id', '=', solution.body.orderId)
      .execute()
    expect(await user.options({ ...request, paymasterData })).toMatchObject({
      status: 400,
      body: { code: 'ORDER_MISMATCH' },
    })
  })

  test('error: ORDER_EXPIRED for an order that a newer reservation replaced', async () => {
    const { request, address } = await solved()
    const newer = await service.solve({ walletAddress: address, outputNetwork: output, amount: '1000000' })
    expect(newer.status).toBe(200)
    expect(await service.build(request)).toMatchObject({ status: 409, body: { code: 'ORDER_EXPIRED' } })
  })

  test('error: INVALID_INPUT for orderData together with paymasterData or replaces', async () => {
    const { request } = await solved()
    expect(
      await service.build({ ...request, orderData: { amount: '1' }, replaces: `0x${'00'.repeat(32)}` }),
    ).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', issues: [{ path: 'paymasterData' }, { path: 'replaces' }] },
    })
  })

  test('error: EXECUTION_REVERTED has the index among the caller’s own calls', async () => {
    const { address } = await service.createFunded([31337])
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [service.transfer(output, payee, 1n), service.transfer(output, payee, 60_000_000n)],
      orderData: { amount: '50000000' },
    })
    expect(build).toMatchObject({
      status: 400,
      body: { code: 'EXECUTION_REVERTED', call: 1, issues: [{ path: 'transactionDetails.1' }] },
    })
  })
})

describe('gas', () => {
  test('error: GAS_BUDGET_EXCEEDED names the budget that succeeds', async () => {
    const { request, address, owner } = await solved({ gasBudget: '1000' })
    const rejected = await service.build(request)
    expect(rejected).toMatchObject({
      status: 400,
      body: { code: 'GAS_BUDGET_EXCEEDED', gasBudget: '1000', required: expect.stringMatching(/^\d+$/) },
    })
    const gasBudget = ((BigInt(rejected.body.required) * 11n) / 10n).toString()
    const solution = await service.solve({
      walletAddress: address,
      outputNetwork: output,
      amount: String(amount),
      gasBudget,
    })
    const build = await service.build({
      ...request,
      transactionDetails: [...callsOf(solution.body), service.transfer(output, payee, amount)],
      paymasterData: solution.body.signatures.paymaster,
    })
    expect(build.status).toBe(200)
    const signature = await sign.raw(owner, build.body.messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({ status: 200 })
  })

  test('behavior: a budget that does not cover the probe of postOp is refused', async () => {
    // The base fee falls to its minimum, so that both builds have the same price.
    await service.on(output).chain.mine({ blocks: 200 })
    const { request, address } = await solved()
    const { body } = await service.build(request)
    const wire = fromWireUserOperation(body.userOp)
    if (!wire.ok) throw new Error(wire.message)
    const { operation } = wire
    const required = requiredPrefund(operation)
    const { body: solution } = await service.solve({
      walletAddress: address,
      outputNetwork: output,
      amount: String(amount),
      gasBudget: String(required - (probeGas / 2n) * operation.maxFeePerGas),
    })
    const short = {
      ...request,
      transactionDetails: [...callsOf(solution), service.transfer(output, payee, amount)],
      paymasterData: solution.signatures.paymaster,
    }
    expect(await service.build(short)).toMatchObject({ status: 400, body: { code: 'GAS_BUDGET_EXCEEDED' } })
  })

  test('behavior: orderData computes the budget of an expensive operation, but keeps a given budget', async () => {
    const { address } = await service.createFunded([31337])
    // 40 transfers to addresses with a zero balance.
    const transactionDetails = Array.from({ length: 40 }, (_, index) =>
      service.transfer(output, `0x${(index + 1_000_000).toString(16).padStart(40, '0')}`, 1_000n),
    )
    const request = { network: String(output), walletAddress: address, transactionDetails }
    const given = await service.build({ ...request, orderData: { amount: '50000000', gasBudget: '1000000' } })
    expect(given).toMatchObject({ status: 400, body: { code: 'GAS_BUDGET_EXCEEDED' } })
    const budgetOf = async (details: readonly object[]) => {
      const orderData = { amount: '50000000' }
      const build = await service.build({ ...request, transactionDetails: details, orderData })
      expect(build.status).toBe(200)
      // The budget is compared in gas because the gas price falls between the builds.
      return BigInt(build.body.order.gasBudget) / BigInt(build.body.userOp.maxFeePerGas)
    }
    const one = await budgetOf(transactionDetails.slice(0, 1))
    // The test compares no ratio: the budget of one transfer comes from quote terms whose price may be a minute old.
    expect(await budgetOf(transactionDetails)).toBeGreaterThan(one)
  })

  test('error: PAYMASTER_REFUSED before the bundler fails with AA31; the log names the cause', async () => {
    const { request, owner, address } = await solved()
    const build = await service.build(request)
    expect(build.status).toBe(200)
    const { chain, smartBalance } = service.on(output)
    const deposited = await chain.readContract({
      address: entryPoint07Address,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [smartBalance],
    })
    const withdrawGas = encodeFunctionData({
      abi: smartBalanceAbi,
      functionName: 'withdrawGas',
      args: [devRoles.owner.address, deposited - 1_000n],
    })
    // The top-up key has no balance either. With coins it could refill the deposit before the submit.
    const { address: topUp } = devRoles.topUp
    const topUpBalance = await chain.getBalance({ address: topUp })
    await chain.setBalance({ address: topUp, value: 0n })
    await service.callAs(output, devRoles.owner.address, smartBalance, withdrawGas)
    try {
      expect(await service.build(request)).toMatchObject({
        status: 400,
        body: { code: 'PAYMASTER_REFUSED', message: expect.stringContaining('at the moment') },
      })
      expect(service.logged).toContainEqual(
        expect.objectContaining({ msg: expect.stringContaining('top it up'), network: output }),
      )
      // The submit of an earlier build is refused before it is sent, and its order stays open for another attempt.
      const submission = {
        walletAddress: address,
        signature: await sign.raw(owner, build.body.messageToSign),
      }
      expect(await service.submit(submission)).toMatchObject({
        status: 400,
        body: { code: 'PAYMASTER_REFUSED' },
      })
      const { orderId } = await orderOf(request.paymasterData)
      expect(await service.readOrder(orderId)).toMatchObject({ state: 'RESERVED', user_op_hash: null })
    } finally {
      await chain.setBalance({ address: topUp, value: topUpBalance })
      await chain.impersonateAccount({ address: payee })
      await chain.setBalance({ address: payee, value: parseEther('200') })
      const hash = await chain.writeContract({
        chain: null,
        account: payee,
        address: smartBalance,
        abi: smartBalanceAbi,
        functionName: 'depositGas',
        value: parseEther('100'),
      })
      await chain.waitForTransactionReceipt({ hash })
    }
    const again = { walletAddress: address, signature: await sign.raw(owner, build.body.messageToSign) }
    expect(await service.submit(again)).toMatchObject({ status: 200, body: { success: true } })
  })
})

const orderOf = async (marker: Hex) => ({ orderId: `0x${marker.slice(-64)}` })

describe('tampering with an order that the operator signed', () => {
  const change = (order: Order, more: Partial<Order>): Hex => encodePaymasterAndData({ ...order, ...more })
  const [debit] = [{ chainId: 31337, amount: 1n, failFee: 0n }]

  /** Each field of the paymaster bytes, and each field of the operation. */
  const paymasterChanges: [string, (order: Order) => Hex][] = [
    ['paymaster', (order) => change(order, { paymaster: payee })],
    [
      'verification gas',
      (order) => change(order, { paymasterVerificationGasLimit: order.paymasterVerificationGasLimit + 1n }),
    ],
    ['postOp gas', (order) => change(order, { paymasterPostOpGasLimit: order.paymasterPostOpGasLimit + 1n })],
    ['claimAmount', (order) => change(order, { claimAmount: order.claimAmount + 1n })],
    ['validUntil', (order) => change(order, { validUntil: order.validUntil + 1 })],
    [
      'amount of a debit',
      (order) => change(order, { debits: order.debits.map((one) => ({ ...one, amount: one.amount - 1n })) }),
    ],
    [
      'failFee of a debit',
      (order) => change(order, { debits: order.debits.map((one) => ({ ...one, failFee: 0n })) }),
    ],
    [
      'network of a debit',
      (order) => change(order, { debits: order.debits.map((one) => ({ ...one, chainId: 1 })) }),
    ],
    ['no debit', (order) => change(order, { debits: [] })],
    [
      'one more debit',
      (order) => change(order, { debits: [...order.debits, { ...debit, chainId: 99_999 }] }),
    ],
    ['signer', (order) => change(order, { signer: { kind: 'eoa', address: payee } })],
    [
      'operator signature',
      (order) =>
        change(order, {
          operatorSignature: `0x${order.operatorSignature.slice(2, -4)}ff${order.operatorSignature.slice(-2)}`,
        }),
    ],
    ['an extra byte', (order) => `${change(order, {})}00`],
    ['a missing byte', (order) => change(order, {}).slice(0, -2) as Hex],
  ]
  const operationChanges: [string, (operation: UserOperation) => UserOperation][] = [
    ['nonce', (operation) => ({ ...operation, nonce: operation.nonce + (1n << 64n) })],
    ['callGasLimit', (operation) => ({ ...operation, callGasLimit: operation.callGasLimit + 1n })],
    [
      'verificationGasLimit',
      (operation) => ({ ...operation, verificationGasLimit: operation.verificationGasLimit + 1n }),
    ],
    [
      'preVerificationGas',
      (operation) => ({ ...operation, preVerificationGas: operation.preVerificationGas + 1n }),
    ],
    ['maxFeePerGas', (operation) => ({ ...operation, maxFeePerGas: operation.maxFeePerGas + 1n })],
    [
      'maxPriorityFeePerGas',
      (operation) => ({ ...operation, maxPriorityFeePerGas: operation.maxPriorityFeePerGas + 1n }),
    ],
  ]

  test('behavior: submit and the chain reject each change even if the owner signs it', async () => {
    const { request, owner, address } = await solved()
    const build = await service.build(request)
    const wire = fromWireUserOperation(build.body.userOp)
    if (!wire.ok) throw new Error(wire.message)
    const decoded = decodePaymasterAndData(wire.operation.paymasterAndData)
    if (!decoded.ok) throw new Error(decoded.message)
    const { order } = decoded
    expect(encodePaymasterAndData(order)).toBe(wire.operation.paymasterAndData)
    const { chain } = service.on(output)

    const attempt = async (operation: UserOperation) => {
      const validity = { validAfter: 0, validUntil: order.validUntil }
      const hash = getSafeOperationHash(operation, {
        chainId: output,
        entryPoint: entryPoint07Address,
        module: defaultDeployment.module,
        ...validity,
      })
      const signatures = await sign.raw(owner, hash)
      const signed = packUserOperation({
        ...operation,
        signature: encodeSignature({ ...validity, signatures }),
      })
      const onChain = await chain
        .simulateContract({
          account: devAccounts[3]?.address ?? payee,
          address: entryPoint07Address,
          abi: entryPoint07Abi,
          functionName: 'handleOps',
          args: [[signed], payee],
        })
        .then(
          () => 'accepted',
          (error: Error) => /AA\d\d/.exec(error.message)?.[0] ?? 'refused',
        )
      const submitted = await service.submit({ walletAddress: address, signature: signatures })
      return { onChain, code: submitted.body.code as string | undefined, status: submitted.status }
    }

    for (const [name, change] of paymasterChanges) {
      const { onChain, code } = await attempt({ ...wire.operation, paymasterAndData: change(order) })
      expect([name, code]).toEqual([name, 'INVALID_SIGNATURE'])
      expect([name, onChain]).toEqual([name, expect.stringMatching(/^(AA3\d|refused)$/)])
    }
    for (const [name, change] of operationChanges) {
      const { onChain, code } = await attempt(change(wire.operation))
      expect([name, code]).toEqual([name, 'INVALID_SIGNATURE'])
      expect([name, onChain]).toEqual([name, expect.stringMatching(/^(AA3\d|refused)$/)])
    }
    // The unchanged operation is valid, so each rejection is due to its change.
    expect(await attempt(wire.operation)).toMatchObject({ onChain: 'accepted', status: 200 })
  })
})
