import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService, transfer } from './passkey-service.ts'

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const payee = '0x00000000000000000000000000000000000000ad'

test('default: a user registers, funds the account, sends, signs in and sends again', async () => {
  const { passkey, address, username, wallet, token } = await service.register('Alice')
  expect(username).toBe('Alice')
  expect(wallet.multi_scw).toEqual([{ network: 31337, address, deployed: false }])
  expect(token).toMatch(/^eyJ/)
  expect((await service.get<{ value: boolean }>('/api/user/check-username?username=alice')).body.value).toBe(
    true,
  )

  const first = await service.send({ username, passkey }, transfer('5'))
  expect(first).toMatchObject({ status: 200, body: { success: true } })
  expect(await service.chain.getBalance({ address: payee })).toBe(5n)

  const signIn = await service.authenticateOptions('alice')
  const options = signIn.body.passkeyAuthenticationOptions
  expect(options).toMatchObject({
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [{ id: passkey.id }],
  })
  const signedIn = await service.authenticateVerify('alice', passkey.get(options))
  expect(signedIn).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^eyJ/) } })

  const second = await service.send({ username, passkey }, transfer('7'))
  expect(second).toMatchObject({ status: 200, body: { success: true } })
  expect(await service.chain.getBalance({ address: payee })).toBe(12n)

  for (const { body } of [first, second]) {
    const { gasUsed } = await service.chain.getTransactionReceipt({ hash: body.txnHash })
    console.info(`transaction of a passkey operation:  ${gasUsed} gas`)
  }
})
