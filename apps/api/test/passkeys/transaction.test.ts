// @promise 8
import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Authenticator } from './authenticator.ts'
import { origin, type PasskeyService, startPasskeyService, transfer } from './passkey-service.ts'

describeEachEngine('transaction', (engine) => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService({ engine })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const request = (username: string, value = '1') => ({
    username,
    network: 'eip155:31337',
    transactionDetails: transfer(value),
  })

  describe('transaction/generate-options', () => {
    test('default: the challenge of the request options is the SafeOp hash', async () => {
      const { passkey } = await service.register('options')
      const { status, body } = await service.transactionOptions(request('options'))
      expect(status).toBe(200)
      expect(body).toMatchObject({
        rpId: 'localhost',
        userVerification: 'required',
        timeout: 300_000,
        allowCredentials: [{ id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
      })
      const row = await service.database
        .selectFrom('operations')
        .select(['safe_op_hash', 'sign_mode'])
        .where('safe_op_hash', '=', `0x${Buffer.from(body.challenge, 'base64url').toString('hex')}`)
        .executeTakeFirst()
      expect(row?.sign_mode).toBe('WEBAUTHN')
    })

    test('behavior: the stub signature reaches the precompile like a real signature', async () => {
      const user = await service.register('stubbed')
      await service.send(user, [])
      const { body } = await service.transactionOptions(request('stubbed'))
      // The Solidity verifier alone uses about 200,000 gas.
      expect(Number(body.userOp.verificationGasLimit)).toBeLessThan(150_000)
    })

    test('behavior: the operation of an empty request deploys the account', async () => {
      const user = await service.register('deploys')
      const answer = await service.send(user, [])
      expect(answer).toMatchObject({ status: 200, body: { success: true } })
      expect(await service.chain.getCode({ address: user.address })).toBeDefined()
    })

    test('error: UNKNOWN_USER for an unknown username', async () => {
      expect(await service.transactionOptions(request('nobody'))).toMatchObject({
        status: 404,
        body: { code: 'UNKNOWN_USER' },
      })
    })

    test('error: INSUFFICIENT_FUNDS for an account with an empty balance', async () => {
      const { address } = await service.register('poor')
      await service.chain.setBalance({ address, value: 0n })
      expect(await service.transactionOptions(request('poor'))).toMatchObject({
        status: 400,
        body: { code: 'INSUFFICIENT_FUNDS' },
      })
    })

    test('error: UNSUPPORTED_SIGNATURE_TYPE for a passkey account at the endpoints of EOAs', async () => {
      const { address } = await service.register('wrong-door')
      const answer = await service.post('/smart-account/transaction/build', {
        network: '31337',
        walletAddress: address,
        transactionDetails: transfer(),
      })
      expect(answer).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_SIGNATURE_TYPE' } })
    })
  })

  describe('transaction/verify', () => {
    test('behavior: two pending operations do not collide', async () => {
      const user = await service.register('two')
      await service.send(user, [])
      const first = await service.transactionOptions(request('two', '11'))
      const second = await service.transactionOptions(request('two', '12'))
      const answers = await Promise.all([
        service.transactionVerify('two', user.passkey.get(second.body)),
        service.transactionVerify('two', user.passkey.get(first.body)),
      ])
      for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true } })
      expect(new Set(answers.map(({ body }) => body.userOpHash)).size).toBe(2)
    })

    test('behavior: repeating an assertion returns the same operation, concurrently and later', async () => {
      const user = await service.register('again')
      const options = await service.transactionOptions(request('again'))
      const assertion = user.passkey.get(options.body)
      const answers = await Promise.all([
        service.transactionVerify('again', assertion),
        service.transactionVerify('again', assertion),
      ])
      answers.push(await service.transactionVerify('again', assertion))
      for (const answer of answers) expect(answer.status).toBe(200)
      expect(new Set(answers.map(({ body }) => body.userOpHash)).size).toBe(1)
    })

    test('behavior: if two assertions answer the same challenge, one succeeds', async () => {
      const user = await service.register('once')
      const options = await service.transactionOptions(request('once'))
      const answers = await Promise.all([
        service.transactionVerify('once', user.passkey.get(options.body)),
        service.transactionVerify('once', user.passkey.get(options.body)),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)?.body.code).toBe('VERIFICATION_FAILED')
      const third = await service.transactionVerify('once', user.passkey.get(options.body))
      expect(third).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
    })

    test('behavior: an authenticator with a counter must increase it', async () => {
      const passkey = new Authenticator(origin)
      passkey.counter = 1
      const user = await service.register('counts', passkey)
      passkey.counter = 2
      expect(await service.send(user, transfer())).toMatchObject({ status: 200 })
      expect(await service.send(user, transfer())).toMatchObject({
        status: 400,
        body: { code: 'VERIFICATION_FAILED' },
      })
      passkey.counter = 3
      expect(await service.send(user, transfer())).toMatchObject({ status: 200 })
    })

    test('behavior: clientDataJSON may have extra members, as Chrome sometimes adds', async () => {
      const user = await service.register('chrome')
      const options = await service.transactionOptions(request('chrome'))
      const assertion = user.passkey.get(options.body, {
        clientData: (members) => {
          members.other_keys_can_be_added_here =
            'do not compare clientDataJSON against a template. See https://goo.gl/yabPex'
        },
      })
      expect(await service.transactionVerify('chrome', assertion)).toMatchObject({ status: 200 })
    })

    test('error: VERIFICATION_FAILED for clientDataJSON whose member order the chain cannot verify', async () => {
      const user = await service.register('order')
      const options = await service.transactionOptions(request('order'))
      const assertion = user.passkey.get(options.body, {
        clientDataText: (text) => {
          const { type, challenge, ...rest } = JSON.parse(text)
          return JSON.stringify({ ...rest, type, challenge })
        },
      })
      expect(await service.transactionVerify('order', assertion)).toMatchObject({
        status: 400,
        body: { code: 'VERIFICATION_FAILED', reason: 'CLIENT_DATA_ORDER' },
      })
      // The challenge is still valid.
      expect(await service.transactionVerify('order', user.passkey.get(options.body))).toMatchObject({
        status: 200,
      })
    })

    test("error: VERIFICATION_FAILED for another user's operation", async () => {
      const victim = await service.register('victim')
      const attacker = await service.register('attacker')
      const options = await service.transactionOptions(request('victim'))
      for (const username of ['attacker', 'victim']) {
        const answer = await service.transactionVerify(username, attacker.passkey.get(options.body))
        expect(answer).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
      }
      const wrongName = await service.transactionVerify('attacker', victim.passkey.get(options.body))
      expect(wrongName).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
    })

    test('error: VERIFICATION_FAILED for a challenge of another ceremony', async () => {
      const { passkey } = await service.register('ceremony')
      const signIn = await service.authenticateOptions('ceremony')
      const assertion = passkey.get(signIn.body.passkeyAuthenticationOptions)
      expect(await service.transactionVerify('ceremony', assertion)).toMatchObject({ status: 400 })
      const options = await service.transactionOptions(request('ceremony'))
      expect(await service.authenticateVerify('ceremony', passkey.get(options.body))).toMatchObject({
        status: 400,
      })
    })

    test('error: VERIFICATION_FAILED after five minutes', async () => {
      const { passkey } = await service.register('late')
      const options = await service.transactionOptions(request('late'))
      service.advance(5 * 60_000)
      expect(await service.transactionVerify('late', passkey.get(options.body))).toMatchObject({
        status: 400,
        body: { code: 'VERIFICATION_FAILED' },
      })
    })
  })
})
