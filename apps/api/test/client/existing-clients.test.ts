import { localTransport } from '@lanyard/devnet'
import { createTestClient, encodePacked, type Hex, parseEther, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, postJson, startHttpService } from '../http-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'

/* What published clients send and expect, as they are. */

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const owner = privateKeyToAccount(generatePrivateKey())
const post = (path: string, body: object) => postJson(service.url + path, body)

async function build(more: object = {}) {
  const { body } = await post('/smart-account/create', { eoaAddress: owner.address })
  const walletAddress = body.wallet.scw_address
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) }).extend(
    publicActions,
  )
  await chain.setBalance({ address: walletAddress, value: parseEther('1') })
  const built = await post('/smart-account/transaction/build', {
    network: String(service.node.chainId),
    walletAddress,
    transactionDetails: [{ encodedData: '0x', targetContractAddress: owner.address }],
    ...more,
  })
  return { walletAddress, built }
}

const sign = (messageToSign: Hex) => owner.signMessage({ message: { raw: messageToSign } })
const withValidity = (signature: Hex, validAfter: number, validUntil: number) =>
  encodePacked(['uint48', 'uint48', 'bytes'], [validAfter, validUntil, signature])

describe('what is absent', () => {
  test('behavior: null for an optional member, and a call without a value, which sends nothing', async () => {
    const { built } = await build({ paymasterData: null, signMode: null, replaces: null, allowRevert: null })
    expect(built.status, built.text).toBe(200)
    const detail = { encodedData: '0x', targetContractAddress: owner.address }
    for (const value of [null, '0']) {
      const same = await build({ transactionDetails: [{ ...detail, value }] })
      expect(same.built.body.userOp.callData).toBe(built.body.userOp.callData)
    }
  })

  test('error: "Required" for what is missing, wherever it is', async () => {
    const { status, body } = await post('/smart-account/transaction/build', {
      transactionDetails: [{}],
      network: null,
    })
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.issues).toEqual(
      expect.arrayContaining(
        [
          'network',
          'walletAddress',
          'transactionDetails.0.encodedData',
          'transactionDetails.0.targetContractAddress',
        ].map((path) => ({ path, message: 'Required' })),
      ),
    )
    expect(body.issues).toHaveLength(4)
  })
})

describe('a signature with its validity in front', () => {
  test('behavior: 77 bytes are as good as the 65 of the owner, whose hash has the validity in it', async () => {
    const { walletAddress, built } = await build()
    const { messageToSign, userOp } = built.body
    const signature = await sign(messageToSign)
    const named = { walletAddress, network: String(service.node.chainId), userOp }
    const other = await post('/smart-account/transaction/submit', {
      ...named,
      signature: withValidity(signature, 0, 1_900_000_000),
    })
    expect(other).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
    const answer = await post('/smart-account/transaction/submit', {
      ...named,
      signature: withValidity(signature, 0, 0),
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    // The same operation again, in either form.
    const again = await post('/smart-account/transaction/submit', { ...named, signature })
    expect(again.body).toEqual(answer.body)
  })
})

test('behavior: the options of a sign-in stand at the top level, too, as startAuthentication takes them', async () => {
  const username = 'alice'
  const named = (path: string) => `${service.url}${path}?username=${username}`
  const registration = await ask(named('/v3/webauthn/register/generate-options'))
  const passkey = new Authenticator(new URL(service.url).origin.replace('127.0.0.1', 'localhost'))
  const registered = await postJson(named('/v3/webauthn/register/verify'), passkey.create(registration.body))
  expect(registered.status, registered.text).toBe(200)

  const { body } = await ask(named('/webauthn/authenticate/generate-options'))
  const { passkeyAuthenticationOptions, ...options } = body
  expect(options).toEqual(passkeyAuthenticationOptions)
  // PublicKeyCredentialRequestOptionsJSON (WebAuthn L3 §5.1.10).
  expect(options).toMatchObject({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: expect.any(Number),
    userVerification: 'required',
    allowCredentials: [{ id: passkey.id, type: 'public-key' }],
  })
  const answer = await postJson(named('/webauthn/authenticate/verify'), passkey.get(body))
  expect(answer.status, answer.text).toBe(200)
})
