/** @module-tag all */

import { safeProxyFactoryAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentOf } from '../owner-consent.ts'
import { Authenticator, type CreationOptions, type RequestOptions } from './authenticator.ts'
import {
  origin,
  type PasskeyService,
  type Submitted,
  startPasskeyService,
  transfer,
} from './passkey-service.ts'

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ chainIds: [31337, 31338] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Plan {
  readonly networks: readonly {
    readonly network: number
    readonly status: string
    readonly transactionDetails: readonly unknown[]
  }[]
}
interface Owners {
  readonly networks: readonly {
    readonly network: number
    readonly deployed: boolean
    readonly owners: readonly { address: Address; kind: string; credentialId?: string; label?: string }[]
  }[]
}

const newEoa = () => privateKeyToAccount(randomPrivateKey())
type Eoa = ReturnType<typeof newEoa>

const plan = (verb: 'add' | 'remove', body: unknown, token?: string) =>
  service.post<Plan>(`/smart-account/owner/${verb}`, body, token)

/** Adds a key, which signs that it may own the account. */
const planEoa = async (owner: PrivateKeyAccount, walletAddress: Address) =>
  plan('add', {
    ...{ walletAddress, ownerAddress: owner.address },
    ownerSignature: await consentOf(owner, walletAddress),
  })

const listOwners = async (walletAddress: Address, token?: string) =>
  (await service.get<Owners>(`/smart-account/owner?walletAddress=${walletAddress}`, token)).body.networks

/** Signs a plan with a passkey on every network where it is pending. */
async function execute(user: { username: string; passkey: Authenticator }, { networks }: Plan) {
  for (const { network, status, transactionDetails } of networks) {
    if (status !== 'pending') continue
    const answer = await service.send(user, transactionDetails, String(network))
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { success: true } })
  }
}

/** Sends the calls of a plan through the endpoints of EOA accounts. */
async function sendWithEoa(eoa: Eoa, walletAddress: Address, network: string, transactionDetails: unknown) {
  const built = await service.post<{ messageToSign: Hex }>('/smart-account/transaction/build', {
    network,
    walletAddress,
    transactionDetails,
  })
  expect(built.status, JSON.stringify(built.body)).toBe(200)
  const signature = await eoa.signMessage({ message: { raw: built.body.messageToSign } })
  return service.post<Submitted>('/smart-account/transaction/submit', { walletAddress, signature })
}

async function login(eoa: Eoa, walletAddress: Address) {
  const { body } = await service.post<{ message: string }>('/login/message', {
    walletAddress,
    eoaAddress: eoa.address,
  })
  const signature = await eoa.signMessage({ message: body.message })
  return service.post<{ token: string }>('/login/verify', { message: body.message, signature })
}

async function signIn(username: string, passkey: Authenticator) {
  const { body } = await service.authenticateOptions(username)
  return service.authenticateVerify(username, passkey.get(body.passkeyAuthenticationOptions))
}

const gone = { status: 400, body: { code: 'VERIFICATION_FAILED' } }

/** Registers another passkey with a user's token. */
async function addPasskey(token: string, label: string) {
  const passkey = new Authenticator(origin)
  const { body: options } = await service.get<CreationOptions>(
    '/v3/webauthn/credential/generate-options',
    token,
  )
  const answer = await service.post<{ credentialId: string }>(
    `/v3/webauthn/credential/verify?label=${label}`,
    passkey.create(options),
    token,
  )
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 200,
    body: { credentialId: passkey.id, label },
  })
  return passkey
}

test('behavior: a user who loses the first passkey recovers the account with an EOA owner', async () => {
  const user = await service.register('careful')
  const { address, username } = user
  const recovery = newEoa()

  // Before the loss, the user adds an EOA as recovery owner on every network.
  const adding = await planEoa(recovery, address)
  expect(adding.body.networks.map(({ status }) => status)).toEqual(['pending', 'pending'])
  await execute(user, adding.body)
  const again = await plan('add', { walletAddress: address, ownerAddress: recovery.address })
  expect(again.body.networks.map(({ status }) => status)).toEqual(['done', 'done'])

  // The passkey is lost. The EOA signs in and registers a new passkey for the same user.
  const { body: session } = await login(recovery, address)
  const second = await addPasskey(session.token, 'New phone')
  const changes = [
    ['add', second.id],
    ['remove', user.passkey.id],
  ] as const
  for (const [verb, credentialId] of changes) {
    const { body } = await plan(verb, { walletAddress: address, credentialId }, session.token)
    for (const { network, transactionDetails } of body.networks) {
      const answer = await sendWithEoa(recovery, address, String(network), transactionDetails)
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { success: true } })
    }
  }

  // Afterwards the new passkey can sign in and send. The lost one can do neither.
  expect((await signIn(username, second)).status).toBe(200)
  for (const network of ['31337', '31338']) {
    const sent = await service.send({ username, passkey: second }, transfer(), network)
    expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 200, body: { success: true } })
    const { gasUsed } = (await service.chains[Number(network) - 31337]?.getTransactionReceipt({
      hash: sent.body.txnHash as Hash,
    })) ?? { gasUsed: 0n }
    console.info(`operation of a passkey that was added later: ${gasUsed} gas`)
    expect(await service.send({ username, passkey: user.passkey }, transfer(), network)).toMatchObject({
      status: 400,
      body: { code: 'VERIFICATION_FAILED' },
    })
  }
  expect(await signIn(username, user.passkey)).toMatchObject(gone)
  for (const { owners } of await listOwners(address, session.token)) {
    expect(owners).toHaveLength(2)
    expect(owners).toContainEqual({ address: recovery.address, kind: 'eoa' })
    expect(owners).toContainEqual(
      expect.objectContaining({ kind: 'passkey', credentialId: second.id, label: 'New phone' }),
    )
  }
})

test('behavior: a passkey that no longer owns an account can be deleted', async () => {
  const user = await service.register('forgetful')
  const second = await addPasskey(user.token, 'Spare')
  const forget = (credentialId: string, token = user.token) =>
    service.post('/v3/webauthn/credential/remove', { credentialId }, token)
  const thirdParty = await service.register('forgetful-third-party')
  expect(await forget(second.id, thirdParty.token)).toMatchObject({
    status: 404,
    body: { code: 'UNKNOWN_CREDENTIAL' },
  })
  expect(await forget(user.passkey.id)).toMatchObject({ status: 409, body: { code: 'CREDENTIAL_IN_USE' } })
  const { body } = await plan('add', { walletAddress: user.address, credentialId: second.id }, user.token)
  await execute(user, body)
  expect(await forget(second.id)).toMatchObject({ status: 409, body: { code: 'CREDENTIAL_IN_USE' } })
  const retiring = await plan(
    'remove',
    { walletAddress: user.address, credentialId: user.passkey.id },
    user.token,
  )
  await execute({ username: user.username, passkey: second }, retiring.body)
  expect((await forget(user.passkey.id)).status).toBe(200)
  const { body: options } = await service.authenticateOptions(user.username)
  const { passkeyAuthenticationOptions } = options
  expect(passkeyAuthenticationOptions.allowCredentials.map(({ id }) => id)).toEqual([second.id])
  const signIn = await service.authenticateVerify(
    user.username,
    user.passkey.get(passkeyAuthenticationOptions),
  )
  expect(signIn.status).toBe(400)
})

test('behavior: the recovery kit deploys the account without the service', async () => {
  const { address } = await service.register('kit')
  const { body: kit } = await service.get<{
    factory: Address
    singleton: Address
    initializer: Hex
    saltNonce: string
  }>(`/smart-account/owner/recovery-kit?walletAddress=${address}`)
  const { result } = await service.chain.simulateContract({
    address: kit.factory,
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [kit.singleton, kit.initializer, BigInt(kit.saltNonce)],
  })
  expect(result).toBe(address)
})

test('behavior: the recovery kit lists passkeys only for the token of their user', async () => {
  const { address, token, passkey } = await service.register('kit-passkeys')
  const other = await service.register('kit-third-party')
  const path = `/smart-account/owner/recovery-kit?walletAddress=${address}`
  const read = async (as?: string) => (await service.get<{ credentialIds?: string[] }>(path, as)).body
  expect((await read(token)).credentialIds).toEqual([passkey.id])
  expect(await read()).not.toHaveProperty('credentialIds')
  expect(await read(other.token)).not.toHaveProperty('credentialIds')
})

test('behavior: two passkeys can each send alone', async () => {
  const user = await service.register('both')
  const second = await addPasskey(user.token, 'Key')
  const { body } = await plan('add', { walletAddress: user.address, credentialId: second.id }, user.token)
  await execute(user, body)
  const options = await service.transactionOptions({
    username: 'both',
    network: 31337,
    transactionDetails: transfer(),
  })
  expect(options.body.allowCredentials.map(({ id }) => id).toSorted()).toEqual(
    [user.passkey.id, second.id].toSorted(),
  )
  for (const passkey of [user.passkey, second, user.passkey]) {
    expect(await service.send({ username: 'both', passkey }, transfer())).toMatchObject({ status: 200 })
  }
})

test('behavior: an EOA account can add a passkey', async () => {
  const eoa = newEoa()
  const created = await service.post<{ username: string; wallet: { scw_address: Address } }>(
    '/smart-account/create',
    { eoaAddress: eoa.address },
  )
  const { username, wallet } = created.body
  const address = wallet.scw_address
  for (const { setBalance } of service.chains) await setBalance({ address, value: 10n ** 19n })
  const { body: session } = await login(eoa, address)
  const passkey = await addPasskey(session.token, 'Laptop')
  const { body } = await plan('add', { walletAddress: address, credentialId: passkey.id }, session.token)
  for (const { network, transactionDetails } of body.networks) {
    expect(await sendWithEoa(eoa, address, String(network), transactionDetails)).toMatchObject({
      status: 200,
    })
  }
  expect(await service.send({ username, passkey }, transfer())).toMatchObject({ status: 200 })
  // The passkey owns the account on the first network only. allowCredentials depends on the network.
  expect(await service.send({ username, passkey }, transfer(), '31338')).toMatchObject({ status: 200 })
})

describe('owner', () => {
  test('behavior: the owner list hides credential ids without the token of the user', async () => {
    const user = await service.register('private')
    const thirdParty = await service.register('third-party')
    for (const token of [undefined, thirdParty.token]) {
      const [first] = await listOwners(user.address, token)
      expect(first).toMatchObject({ deployed: false, owners: [{ kind: 'passkey' }] })
      expect(first?.owners[0]).not.toHaveProperty('credentialId')
    }
    const [own] = await listOwners(user.address, user.token)
    expect(own?.owners[0]).toMatchObject({ credentialId: user.passkey.id, label: 'First passkey' })
  })

  test('error: LAST_OWNER for a removal that leaves no owner on a network', async () => {
    const user = await service.register('last')
    const body = { walletAddress: user.address, credentialId: user.passkey.id }
    expect(await plan('remove', body, user.token)).toMatchObject({
      status: 400,
      body: { code: 'LAST_OWNER' },
    })
    // The passkey is the last owner on any network where it is the account's only owner.
    await service.send(user, transfer(), '31338')
    const adding = await planEoa(newEoa(), user.address)
    const [first] = adding.body.networks
    await service.send(user, first?.transactionDetails, '31337')
    expect(await plan('remove', body, user.token)).toMatchObject({
      status: 400,
      body: { code: 'LAST_OWNER', network: 31338 },
    })
  })

  test('behavior: a removal lists the networks without the account, because its first owner can still sign there', async () => {
    const user = await service.register('first-owner')
    const eoa = newEoa()
    const adding = await planEoa(eoa, user.address)
    await service.send(user, adding.body.networks[0]?.transactionDetails, '31337')
    const body = { walletAddress: user.address, credentialId: user.passkey.id }
    const { status, body: removal } = await plan('remove', body, user.token)
    expect([status, removal]).toEqual([
      200,
      {
        networks: [
          // The removal, and the end of all sessions.
          { network: 31337, status: 'pending', transactionDetails: [expect.anything(), expect.anything()] },
          { network: 31338, status: 'pending' },
        ],
        stillSigns: [31338],
      },
    ])
    const [there] = removal.networks
    const removed = await sendWithEoa(eoa, user.address, '31337', there?.transactionDetails)
    expect(removed).toMatchObject({ status: 200, body: { success: true } })

    // The first owner can sign there until another owner replaces it, so it also signs in.
    expect((await signIn(user.username, user.passkey)).status).toBe(200)
    const network = '31338'
    const message = { username: user.username, network, message: 'Still mine' }
    const { body: options } = await service.post<RequestOptions>(
      '/v3/webauthn/message/generate-options',
      message,
    )
    const assertion = user.passkey.get(options)
    const signed = await service.post(`/v3/webauthn/message/verify?username=${user.username}`, {
      ...assertion,
      network,
      message: 'Still mine',
    })
    expect(signed).toMatchObject({ status: 200, body: { form: 'ERC6492' } })
    const rest = await plan('add', { walletAddress: user.address, ownerAddress: eoa.address })
    await service.send(user, rest.body.networks[1]?.transactionDetails, network)
    const last = await plan('remove', body, user.token)
    expect(last.body).not.toHaveProperty('stillSigns')
    expect(last.body.networks).toMatchObject([{ status: 'done' }, { status: 'pending' }])
    const ended = await sendWithEoa(eoa, user.address, network, last.body.networks[1]?.transactionDetails)
    expect(ended).toMatchObject({ status: 200, body: { success: true } })
    expect(await signIn(user.username, user.passkey)).toMatchObject(gone)
    // Blocks have whole seconds, so a block of the passkey's own second may seem older than the passkey.
    await sql`update credentials set created_at = (
      select max(greatest(included_at, signed_at)) from operations where account = ${user.address.toLowerCase()}
    ) where id = ${user.passkey.id}`.execute(service.database)
    await sql`update operations set signed_at = null, included_at = date_trunc('second', included_at)
      where account = ${user.address.toLowerCase()}`.execute(service.database)
    expect(await signIn(user.username, user.passkey)).toMatchObject(gone)
  })

  test('error: UNKNOWN_OWNER, UNKNOWN_CREDENTIAL, UNAUTHORIZED and INVALID_INPUT', async () => {
    const user = await service.register('named')
    const other = await service.register('other')
    const walletAddress = user.address
    const rejected = async (body: unknown, token?: string) => {
      const { status, body: answer } = await plan('remove', body, token)
      return `${status} ${answer.code}`
    }
    expect(await rejected({ walletAddress, ownerAddress: newEoa().address })).toBe('404 UNKNOWN_OWNER')
    expect(await rejected({ walletAddress, credentialId: user.passkey.id })).toBe('401 UNAUTHORIZED')
    expect(await rejected({ walletAddress, credentialId: user.passkey.id }, other.token)).toBe(
      '404 UNKNOWN_CREDENTIAL',
    )
    expect(await rejected({ walletAddress, credentialId: other.passkey.id }, user.token)).toBe(
      '404 UNKNOWN_CREDENTIAL',
    )
    expect(await rejected({ walletAddress })).toBe('400 INVALID_INPUT')
    expect(await rejected({ walletAddress: newEoa().address, ownerAddress: newEoa().address })).toBe(
      '404 UNKNOWN_WALLET',
    )
  })
})

describe('login', () => {
  test('error: UNKNOWN_OWNER for an EOA that owns no account here', async () => {
    const user = await service.register('login')
    const body = { walletAddress: user.address, eoaAddress: newEoa().address }
    expect(await service.post('/login/message', body)).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_OWNER' },
    })
  })

  test('error: VERIFICATION_FAILED for a reused message, another signer, another text or an expired message', async () => {
    const eoa = newEoa()
    const created = await service.post<{ wallet: { scw_address: Address } }>('/smart-account/create', {
      eoaAddress: eoa.address,
    })
    const walletAddress = created.body.wallet.scw_address
    const begin = async () =>
      (await service.post<{ message: string }>('/login/message', { walletAddress, eoaAddress: eoa.address }))
        .body.message
    const verify = async (message: string, signature: Hex) =>
      (await service.post('/login/verify', { message, signature })).status
    const message = await begin()
    expect(await verify(message, await newEoa().signMessage({ message }))).toBe(400)
    const changed = message.replace('localhost', 'evil.example')
    expect(await verify(changed, await eoa.signMessage({ message: changed }))).toBe(400)
    const signature = await eoa.signMessage({ message })
    const both = await Promise.all([verify(message, signature), verify(message, signature)])
    expect(both.toSorted()).toEqual([200, 400])
    const late = await begin()
    service.advance(5 * 60_000)
    expect(await verify(late, await eoa.signMessage({ message: late }))).toBe(400)
  })
})
