/** @module-tag all */

import { delegatedDeployment, delegationInitCode, encodeDesignator } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { describeOneEngine, freshDatabase } from '@lanyard/database/testing'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { createDelegatedAccount, newKey, pay, recipient } from './delegated-account.ts'

const both = { accountKinds: ['safe', 'eip7702'] }
const other = '0x00000000000000000000000000000000DeaDBeef'

describeOneEngine('operations of an EOA that is the account itself', (engine) => {
  let service: HttpService
  let rest: RestClient
  beforeAll(async () => {
    service = await startHttpService({}, both, () => freshDatabase(engine))
    rest = restClient(service.url)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const create = (key = newKey()) => createDelegatedAccount(rest, service.node.rpcUrl, key)

  test('default: the first operation delegates, later ones need one signature', async () => {
    const account = await create()
    const { key, chain } = account
    const first = await account.build()
    expect(first.body).toEqual({
      userOp: expect.objectContaining({ sender: key.address, initCode: delegationInitCode }),
      messageToSign: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      signMode: 'ECDSA',
      typedData: expect.objectContaining({ primaryType: 'PackedUserOperation' }),
      authorization: { chainId: account.chainId, address: delegatedDeployment.delegate, nonce: 0 },
    })
    const submitted = await account.submit(await account.sign(first.body))
    expect(submitted).toMatchObject({
      status: 200,
      body: { success: true, userOpHash: first.body.messageToSign },
    })
    expect(await chain.getCode({ address: key.address })).toBe(encodeDesignator(delegatedDeployment.delegate))

    const second = await account.build()
    expect(second.body.userOp.initCode).toBe('0x')
    expect(second.body).not.toHaveProperty('authorization')
    const signature = await key.sign({ hash: second.body.messageToSign })
    expect((await account.submit({ signature })).body).toMatchObject({ success: true })
    expect((await account.submit({ signature })).body).toMatchObject({
      userOpHash: second.body.messageToSign,
    })

    const status = await rest.get(
      `/smart-account/transaction/status?userOpHash=${second.body.messageToSign}&history=true`,
    )
    expect(status.body).toMatchObject({ state: 'included', walletAddress: key.address, signer: key.address })
    const { body } = await rest.get(`/wallet/activity?walletAddress=${key.address}`)
    expect(body.activity).toMatchObject([
      { userOpHash: second.body.messageToSign, calls: [{ targetContractAddress: recipient, value: '1' }] },
      { userOpHash: first.body.messageToSign },
    ])
  })

  test('behavior: gas-fees and a batch, before and after the first operation', async () => {
    const account = await create()
    const details = { transactionDetails: [pay('2'), pay('3')] }
    for (const _ of ['first', 'later']) {
      const fees = await rest.post('/smart-account/transaction/gas-fees', {
        ...{ network: String(account.chainId), walletAddress: account.key.address, ...details },
      })
      expect(BigInt(fees.body.result)).toBeGreaterThan(0n)
      expect((await account.send(details)).body).toMatchObject({ success: true })
    }
  })

  test('error: SIGNATURE_BY_PERSONAL_SIGN', async () => {
    const account = await create()
    const { body } = await account.build()
    const signature = await account.key.signMessage({ message: { raw: body.messageToSign } })
    const { authorization } = await account.sign(body)
    expect(await account.submit({ signature, authorization })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_BY_PERSONAL_SIGN' },
    })
  })

  test.each([
    ['MISSING', undefined],
    ['OTHER_CHAIN', { chainId: 0 }],
    ['OTHER_CHAIN', { chainId: 1 }],
    ['OTHER_DELEGATE', { address: other }],
    ['OTHER_NONCE', { nonce: 7 }],
  ] as const)('error: INVALID_AUTHORIZATION %s: %o', async (reason, changed) => {
    const account = await create()
    const { body } = await account.build()
    const signed = await account.sign(body)
    const authorization = changed && (await account.authorize(changed))
    const refused = await account.submit({ ...signed, authorization })
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_AUTHORIZATION', reason } })
    expect((await account.submit(signed)).body).toMatchObject({ success: true })
  })

  test('error: INVALID_AUTHORIZATION NOT_SIGNED_BY_ACCOUNT', async () => {
    const [account, thief] = await Promise.all([create(), create()])
    const { body } = await account.build()
    const { signature } = await account.sign(body)
    const { authorization } = await thief.sign(body)
    const refused = await account.submit({ signature, authorization })
    expect(refused.body).toMatchObject({ code: 'INVALID_AUTHORIZATION', reason: 'NOT_SIGNED_BY_ACCOUNT' })
  })

  test('error: DELEGATED_ELSEWHERE, and replaceDelegate switches', async () => {
    const account = await create()
    await account.delegateTo(other)
    expect(await account.build()).toMatchObject({
      status: 409,
      body: {
        code: 'DELEGATED_ELSEWHERE',
        delegate: other.toLowerCase(),
        needed: delegatedDeployment.delegate,
      },
    })
    expect((await account.send({ replaceDelegate: true })).body).toMatchObject({ success: true })
    const code = await account.chain.getCode({ address: account.key.address })
    expect(code).toBe(encodeDesignator(delegatedDeployment.delegate))
  })

  test('behavior: after a revocation, the next operation delegates again', async () => {
    const account = await create()
    expect((await account.send()).body).toMatchObject({ success: true })
    await account.delegateTo(zeroAddress)
    const { body } = await account.build()
    expect(body.authorization.nonce).toBe(
      await account.chain.getTransactionCount({ address: account.key.address }),
    )
    expect((await account.submit(await account.sign(body))).body).toMatchObject({ success: true })
  })

  test('behavior: an operation that needs no authorisation any more outlives a bundler that lags', async () => {
    const account = await create()
    const { body } = await account.build()
    const { signature } = await account.sign(body)
    await account.delegateTo(delegatedDeployment.delegate)
    const { operations } = service.service.services
    const { bundlerFor } = operations
    const lagging: typeof bundlerFor = (network) => {
      const { check: _, ...bundler } = bundlerFor(network)
      const deliver = () => Promise.reject(new LanyardError('REBUILD'))
      return { ...bundler, deliver }
    }
    Object.assign(operations, { bundlerFor: lagging })
    const answer = await account.submit({ signature })
    Object.assign(operations, { bundlerFor })
    expect(answer.body).toMatchObject({ code: 'NETWORK_FAILED', userOpHash: body.messageToSign })
    expect((await account.submit({ signature })).body).toMatchObject({ success: true })
  })

  test('error: one first operation at a time', async () => {
    const account = await create()
    const [one, two] = [await account.build(), await account.build({ transactionDetails: [pay('2')] })]
    const first = account.submit(await account.sign(one.body))
    const answers = [await account.submit(await account.sign(two.body)), await first]
    // The one that loses names the other, or its authorisation's nonce has passed.
    for (const { status, body } of answers)
      if (status !== 200)
        expect(['OPERATION_IN_FLIGHT', 'INVALID_AUTHORIZATION', 'REBUILD']).toContain(body.code)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
  })

  test('error: NOT_SUPPORTED_BY_ACCOUNT for orders and sessions', async () => {
    const account = await create()
    for (const more of [
      { orderData: { amount: '1', type: 'AMOUNT_OUT' } },
      { signMode: 'SESSION_KEY', sessionKey: newKey().address },
    ])
      expect((await account.build(more)).body).toMatchObject({
        code: 'NOT_SUPPORTED_BY_ACCOUNT',
        use: expect.any(String),
      })
  })
})

test('error: UNSUPPORTED_ACCOUNT_KIND where the network lost the kind', async () => {
  await using service = await startHttpService({}, both)
  const account = await createDelegatedAccount(restClient(service.url), service.node.rpcUrl, newKey())
  const { config } = service.service.services.networks.get(service.node.chainId)
  Object.assign(config, { accountKinds: ['safe'] })
  expect(await account.build()).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_ACCOUNT_KIND' } })
})
