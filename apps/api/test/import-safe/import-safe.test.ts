import { defaultDeployment, encodeEnableModule } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, parseEther, toHex, zeroAddress } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../orders/order-service.ts'
import { consentOf } from '../owner-consent.ts'
import { compatibilityHandler, type ImportService, startImportService } from './existing-safes.ts'

const [here, elsewhere] = [31337, 31338] as const
const payee: Address = '0x000000000000000000000000000000000000bEEF'
const guardSlot = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n
const handlerSlot = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n

const sentBy = (sender: Address) => ({
  ...{ sender, nonce: '0x0', callData: '0x', callGasLimit: '0x5208', verificationGasLimit: '0x5208' },
  ...{ preVerificationGas: '0x5208', maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x0' },
  signature: `0x${'00'.repeat(77)}`,
})

let service: ImportService
beforeAll(async () => {
  service = await startImportService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Imports a Safe that has the module for ERC-4337 after its owner has signed what is missing. */
async function importReady(owner: Awaited<ReturnType<ImportService['newKey']>>, address: Address) {
  const first = await service.importSafe(address)
  const on = first.body.networks.find(({ network }: { network: number }) => network === here)
  expect(await service.execute(here, address, owner, on.transaction)).toMatchObject({ status: 'success' })
  return service.importSafe(address)
}

test.each(['1.4.1', '1.4.1 L2', '1.5.0', '1.5.0 L2'] as const)(
  'default: a Safe %s of another program is enabled, imported, and pays',
  async (version) => {
    const owner = await service.newKey()
    const address = await service.deploySafe(here, owner.address, { version })
    const before = await service.importSafe(address)
    const [number] = version.split(' ')
    expect(before).toMatchObject({
      status: 200,
      body: {
        networks: [
          {
            ...{ network: here, state: 'incomplete', version: number, owners: [owner.address] },
            transaction: { to: defaultDeployment.multiSendCallOnly, value: '0', operation: 1, nonce: '0' },
          },
          { network: elsewhere, state: 'absent' },
        ],
      },
    })
    expect(before.body).not.toHaveProperty('wallet')
    const { transaction } = before.body.networks[0]
    expect(transaction.calls).toHaveLength(2)
    const done = await service.execute(here, address, owner, transaction)
    expect(done).toEqual({ status: 'success', safeTxHash: transaction.safeTxHash })

    const after = await service.importSafe(address)
    expect(after).toMatchObject({
      status: 200,
      body: {
        username: address.toLowerCase(),
        wallet: {
          ...{ type: 'EOA', account_kind: 'safe', scw_address: address, eoa_address: owner.address },
          multi_scw: [
            { network: here, deployed: true },
            { network: elsewhere, deployed: false },
          ],
        },
        networks: [
          { network: here, state: 'ready' },
          { network: elsewhere, state: 'absent' },
        ],
      },
    })
    expect(await service.importSafe(address)).toEqual(after)

    const { chain } = service.on(here)
    await chain.setBalance({ address, value: parseEther('1') })
    const earlier = await chain.getBalance({ address: payee })
    const request = {
      walletAddress: address,
      transactionDetails: [{ targetContractAddress: payee, value: '7', encodedData: '0x' }],
    }
    const built = await service.build({ network: String(here), ...request })
    expect(built).toMatchObject({ status: 200, body: { userOp: { sender: address, initCode: '0x' } } })
    const signature = await sign.raw(owner, built.body.messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await chain.getBalance({ address: payee })) - earlier).toBe(7n)

    const refused = { status: 409, body: { code: 'ACCOUNT_NOT_ON_NETWORK' } }
    expect(await service.build({ network: String(elsewhere), ...request })).toMatchObject(refused)
    expect(
      await service.rest.post('/v3/smartbalance/deposit', {
        ...{ network: elsewhere, walletAddress: address, amount: '1' },
      }),
    ).toMatchObject(refused)
  },
)

test('behavior: an owner signs in, and the account has a name of its own', async () => {
  const owner = await service.newKey()
  const address = await service.deploySafe(here, owner.address, { handler: zeroAddress })
  expect((await importReady(owner, address)).body.wallet.scw_address).toBe(address)
  const named = { walletAddress: address, eoaAddress: owner.address }
  const { body } = await service.rest.post('/login/message', named)
  const signature = await owner.signMessage({ message: body.message })
  const { body: session } = await service.rest.post('/login/verify', { message: body.message, signature })
  expect(session.token).toEqual(expect.any(String))
  // Its EOA's own account is another one.
  const own = await service.rest.post('/smart-account/create', { eoaAddress: owner.address })
  expect(own.body.wallet.scw_address).not.toBe(address)
  expect(await service.rest.get(`/user?username=${address}`)).toMatchObject({
    body: { wallet: { scw_address: address } },
  })
})

describe('rejected by name', () => {
  const foreign: Address = '0x00000000000000000000000000000000000000f7'
  const expectUnsupported = async (address: Address, problem: object, more: object = {}) => {
    const answer = await service.importSafe(address, more)
    expect(answer).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_SAFE' } })
    expect(answer.body.networks[0].problems).toMatchObject([problem])
    return String(answer.body.message)
  }
  const deploy = async (options: Parameters<ImportService['deploySafe']>[2] = {}) => {
    const owner = await service.newKey()
    return { owner, address: await service.deploySafe(here, owner.address, options) }
  }

  test('error: a module, which could act for the account', async () => {
    const { owner, address } = await deploy()
    const { data } = encodeEnableModule({ account: address, module: foreign })
    await service.callAs(here, address, address, data)
    const message = await expectUnsupported(address, { part: 'module', address: foreign })
    expect(message).toContain(foreign)
    expect(owner.address).not.toBe(foreign)
  })

  test.each([
    ['guard', guardSlot],
    ['handler', handlerSlot],
  ] as const)('error: a %s', async (part, slot) => {
    const { address } = await deploy()
    await service.store(here, address, slot, foreign)
    expect(await expectUnsupported(address, { part, address: foreign })).toContain(foreign)
  })

  test('error: a threshold above one', async () => {
    const [one, other] = [await service.newKey(), await service.newKey()]
    const address = await service.deploySafe(here, one.address, {
      ...{ owners: [one.address, other.address], threshold: 2n },
    })
    expect(await expectUnsupported(address, { part: 'threshold' })).toContain('2 owners have to sign')
  })

  test('error: Safe 1.3.0, with the reason', async () => {
    const { address } = await deploy({ version: '1.3.0' })
    const message = await expectUnsupported(address, { part: 'singleton' })
    expect(message).toContain('Safe 1.3.0 does not work with the module for ERC-4337')
  })

  test('error: code that only looks like a Safe', async () => {
    const { owner, address } = await deploy()
    const { chain } = service.on(here)
    // Its own singleton, which can answer anything.
    await service.store(here, address, 0n, foreign)
    await expectUnsupported(address, { part: 'singleton', address: foreign })
    await chain.setCode({ address, bytecode: '0x5f5ff3' })
    await expectUnsupported(address, { part: 'code' })
    expect(await service.importSafe(owner.address)).toMatchObject({
      status: 400,
      body: { code: 'UNSUPPORTED_SAFE', message: expect.stringContaining('no contract') },
    })
  })

  test('error: an owner that may become a contract, until it shows its key', async () => {
    const silent = privateKeyToAccount(randomPrivateKey())
    const address = await service.deploySafe(here, silent.address)
    await expectUnsupported(address, { part: 'owners', address: silent.address })
    const consent = { owner: silent.address, signature: await consentOf(silent, address) }
    expect(await service.importSafe(address, { consents: [consent] })).toMatchObject({
      status: 200,
      body: { networks: [{ state: 'incomplete' }, { state: 'absent' }] },
    })
    const stolen = { ...consent, owner: (await service.newKey()).address }
    expect(await service.importSafe(address, { consents: [stolen] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SIGNATURE' },
    })
  })
})

test('behavior: foreign code at the same address of another network is no account', async () => {
  const owner = await service.newKey()
  const address = await service.deploySafe(here, owner.address)
  await importReady(owner, address)
  const { chain } = service.on(elsewhere)
  // STOP: every call succeeds.
  await chain.setCode({ address, bytecode: '0x00' })
  expect((await service.importSafe(address)).body.networks).toMatchObject([
    { state: 'ready' },
    { state: 'unsupported', problems: [{ part: 'code' }] },
  ])
  const built = await service.build({
    ...{ network: String(elsewhere), walletAddress: address },
    transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
  })
  expect(built).toMatchObject({ status: 409, body: { code: 'ACCOUNT_NOT_ON_NETWORK' } })
  // Nor does a bundler's method or a sponsor take it.
  for (const method of ['eth_estimateUserOperationGas', 'pm_getPaymasterData', 'eth_sendUserOperation']) {
    const answer = await service.rest.post(`/rpc/${elsewhere}`, {
      ...{ jsonrpc: '2.0', id: 1, method },
      params: [sentBy(address), entryPoint07Address, ...(method.startsWith('pm_') ? [toHex(elsewhere)] : [])],
    })
    expect(answer.body.error.message).toContain('is no Safe on')
  }
  const { body } = await service.rest.get(`/smart-account/owner?walletAddress=${address}`)
  expect(JSON.stringify(body)).toContain(owner.address)
})

test("behavior: an EOA's unproven row at the address gives way", async () => {
  const owner = await service.newKey()
  const address = await service.deploySafe(here, owner.address, { handler: compatibilityHandler })
  const taken = await service.rest.post('/smart-account/create', { eoaAddress: address, type: 'eip7702' })
  expect(taken.status).toBeLessThan(500)
  expect((await importReady(owner, address)).body.wallet).toMatchObject({
    ...{ account_kind: 'safe', scw_address: address },
  })
})

test('error: who owns a Safe at the same address of another network signs in to nothing', async () => {
  const owner = await service.newKey()
  const address = await service.deploySafe(here, owner.address)
  await importReady(owner, address)
  // Its address came from CREATE, so a stranger can deploy another Safe there, with their own key.
  const stranger = await service.newKey()
  const other = await service.deploySafe(elsewhere, stranger.address)
  const [there, { chain }] = [service.on(elsewhere).chain, service.on(here)]
  await there.setCode({ address, bytecode: (await chain.getCode({ address })) ?? '0x' })
  await service.store(elsewhere, address, 0n, defaultDeployment.singleton)
  const { input } = await there.getTransaction({ blockTag: 'latest', index: 0 })
  expect(other).not.toBe(address)
  await service.callAs(elsewhere, stranger.address, address, input)
  expect((await service.importSafe(address)).body.networks).toMatchObject([
    { owners: [owner.address] },
    { owners: [stranger.address] },
  ])
  const login = (eoaAddress: Address) =>
    service.rest.post('/login/message', { walletAddress: address, eoaAddress })
  // Neither of them: only the networks say whose the address is, and they say two things.
  for (const { address: eoa } of [stranger, owner])
    expect(await login(eoa)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_OWNER' } })
})

test('behavior: an owner who was removed on one network does not stand for the account', async () => {
  const [removed, owner] = [await service.newKey(), await service.newKey()]
  const owners = [removed.address, owner.address]
  const address = await service.deploySafe(here, owner.address, { owners })
  await service.deploySafe(elsewhere, owner.address)
  const [there, { chain }] = [service.on(elsewhere).chain, service.on(here)]
  const { input } = await there.getTransaction({ blockTag: 'latest', index: 0 })
  await there.setCode({ address, bytecode: (await chain.getCode({ address })) ?? '0x' })
  await service.store(elsewhere, address, 0n, defaultDeployment.singleton)
  await service.callAs(elsewhere, owner.address, address, input)
  const { body } = await importReady(owner, address)
  expect(body).toMatchObject({
    wallet: { eoa_address: owner.address },
    networks: [{ owners }, { owners: [owner.address] }],
  })
})

test('behavior: a consent of a key that owns nothing confirms no account, and one of an owner does', async () => {
  const owner = await service.newKey()
  const address = await service.deploySafe(here, owner.address)
  const { body } = await service.importSafe(address)
  await service.execute(here, address, owner, body.networks[0].transaction)
  const isConfirmed = async () =>
    (
      await service.database.db
        .selectFrom('accounts')
        .select('confirmed')
        .where('address', '=', address.toLowerCase())
        .executeTakeFirstOrThrow()
    ).confirmed
  const stranger = await service.newKey()
  const consentsOf = async (key: typeof owner) => ({
    consents: [{ owner: key.address, signature: await consentOf(key, address) }],
  })
  expect(await service.importSafe(address, await consentsOf(stranger))).toMatchObject({ status: 200 })
  expect(await isConfirmed()).toBe(false)
  expect(await service.importSafe(address, await consentsOf(owner))).toMatchObject({ status: 200 })
  expect(await isConfirmed()).toBe(true)
})

test("behavior: an address tells no stranger its user's e-mail address", async () => {
  const key = await service.newKey()
  const { body } = await service.rest.post('/smart-account/create', { eoaAddress: key.address })
  const address: Address = body.wallet.scw_address
  const username = 'alice@example.com'
  const accountOf = () =>
    service.database.db.selectFrom('accounts').select('user_id').where('address', '=', address.toLowerCase())
  await service.database.db
    .updateTable('users')
    .set({ username, username_key: username, username_skeleton: username })
    .where('id', '=', accountOf())
    .execute()
  const answers = [
    await service.rest.post('/smart-account/create', { eoaAddress: key.address }),
    await service.importSafe(address),
  ]
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 200, body: { wallet: { scw_address: address } } })
    expect(JSON.stringify(answer.body)).not.toContain(username)
  }
})

test('input: malformed', async () => {
  for (const body of [
    {},
    { walletAddress: '0x12' },
    { walletAddress: payee, consents: [{ owner: payee }] },
  ]) {
    const { status, body: answer } = await service.rest.post('/smart-account/import', body)
    expect([status, answer.code]).toEqual([400, 'INVALID_INPUT'])
  }
})
