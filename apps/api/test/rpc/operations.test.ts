/** @module-tag all */
import { SoftwareAuthenticator, webAuthnAccountOf } from '@lanyard/accounts/testing'
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { toLanyardSmartAccount } from '@lanyard/viem'
import { sql } from 'kysely'
import { type Address, type Hex, http, numberToHex, parseEther } from 'viem'
import {
  createBundlerClient,
  entryPoint07Address,
  formatUserOperationRequest,
  type SmartAccount,
} from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { startHttpService } from '../http-service.ts'
import { origin, type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'
import { writePolicies } from '../policies-file.ts'
import {
  callRpc,
  createRpcAccount,
  draftOperation,
  draftSponsored,
  hashOf,
  newRpcAccount,
  nodeClient,
  payee,
  prepare,
  publicClientOf,
  rpcUrl,
  sendAccepted,
  sendRpc,
  waitForReceipt,
} from './rpc-client.ts'

/** The parameters of ERC-7677's methods, with limits for a sponsoring paymaster. */
const pay = (
  url: string,
  operation: Awaited<ReturnType<typeof draftOperation>>,
  headers?: Record<string, string>,
) =>
  callRpc(
    url,
    'pm_getPaymasterData',
    [
      {
        ...formatUserOperationRequest(operation),
        paymasterVerificationGasLimit: numberToHex(50_000),
        paymasterPostOpGasLimit: '0x0',
      },
      entryPoint07Address,
      numberToHex(31337),
      {},
    ],
    headers,
  )

describe('passkeys', () => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const url = () => rpcUrl(service)
  const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'))

  async function register(username: string) {
    const passkey = new SoftwareAuthenticator({ origin })
    const { body } = await service.registerOptions(username)
    const created = passkey.toJson(passkey.create({ challenge: bytesOf(body.challenge) }))
    const registered = await service.registerVerify(username, created)
    const address = registered.body.wallet.scw_address
    await service.chain.setBalance({ address, value: parseEther('1') })
    return { passkey, address, token: registered.body.token }
  }
  const accountOf = (passkey: SoftwareAuthenticator, address: Address) =>
    toLanyardSmartAccount({
      client: nodeClient(service),
      owner: webAuthnAccountOf(passkey),
      address,
      nonceKey: 0n,
    })

  async function send(account: SmartAccount, calls: { to: Address; value?: bigint; data?: Hex }[]) {
    const client = nodeClient(service)
    const bundler = createBundlerClient({ account, client, transport: http(url()), pollingInterval: 25 })
    const hash = await bundler.sendUserOperation({ calls })
    expect(await bundler.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true })
  }

  test('behavior: a passkey added later can send until it is removed', async () => {
    const { passkey, address, token } = await register('later-passkeys')
    const second = new SoftwareAuthenticator({ origin })
    const options = await service.get<{ challenge: string }>(
      '/v3/webauthn/credential/generate-options',
      token,
    )
    const created = second.toJson(second.create({ challenge: bytesOf(options.body.challenge) }))
    const added = await service.post<{ credentialId: string }>(
      '/v3/webauthn/credential/verify?label=Second',
      created,
      token,
    )
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    const { credentialId } = added.body
    const plan = async (verb: 'add' | 'remove') => {
      const { body } = await service.post<{
        networks: { transactionDetails: { targetContractAddress: Address; encodedData: Hex }[] }[]
      }>(`/smart-account/owner/${verb}`, { walletAddress: address, credentialId }, token)
      return (body.networks[0]?.transactionDetails ?? []).map(({ targetContractAddress, encodedData }) => ({
        to: targetContractAddress,
        data: encodedData,
      }))
    }
    const first = await accountOf(passkey, address)
    const later = await accountOf(second, address)
    await send(first, await plan('add'))
    await send(later, [{ to: payee, value: 1n }])
    await send(first, await plan('remove'))
    const operation = await prepare(later)
    expect(await sendRpc(url(), operation)).toMatchObject({ error: { code: -32507 } })
  })

  test("error: another passkey's signature over a build does not affect the build's owner", async () => {
    const { passkey, address } = await register('displaced-by-nobody')
    const username = 'displaced-by-nobody'
    const { body: options } = await service.transactionOptions({
      ...{ username, network: '31337', transactionDetails: transfer() },
    })
    const { userOp } = options as unknown as { userOp: Record<string, Hex> }
    const big = (name: string) => BigInt(userOp[name] ?? 0)
    const built = {
      nonce: big('nonce'),
      callData: userOp.callData ?? '0x',
      callGasLimit: big('callGasLimit'),
      verificationGasLimit: big('verificationGasLimit'),
      preVerificationGas: big('preVerificationGas'),
      maxFeePerGas: big('maxFeePerGas'),
      maxPriorityFeePerGas: big('maxPriorityFeePerGas'),
    }
    const owner = await accountOf(passkey, address)
    const attacker = new SoftwareAuthenticator({ origin })
    const operation = await prepare(owner, built)
    const drafted = { ...(await draftOperation(owner, built)), sender: address }
    const stolen = await (await accountOf(attacker, address)).signUserOperation(drafted)
    const asFirst = await (
      await toLanyardSmartAccount({
        client: nodeClient(service),
        owner: webAuthnAccountOf(attacker),
      })
    ).signUserOperation(drafted)
    const before = await service.database
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', hashOf(operation))
      .executeTakeFirstOrThrow()
    for (const signature of [stolen, asFirst])
      expect(await sendRpc(url(), { ...operation, signature })).toMatchObject({ error: { code: -32507 } })
    const after = await service.database
      .selectFrom('operations')
      .selectAll()
      .where('account', '=', address.toLowerCase())
      .execute()
    expect(after).toEqual([before])
    const assertion = passkey.toJson(passkey.get({ challenge: bytesOf(options.challenge) }))
    expect(await service.transactionVerify(username, assertion)).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})

test('behavior: a reorg reopens an operation and removes its receipt; the identical operation is included once', async () => {
  await using service = await startPasskeyService()
  const { account } = await createRpcAccount(service)
  const url = rpcUrl(service)
  const client = nodeClient(service)
  // Blocks come with transactions only, so the reorg removes exactly the operation's block.
  await service.chain.setIntervalMining({ interval: 0 })
  await service.chain.setAutomine(true)
  const hash = await sendAccepted(url, await prepare(account))
  const before = await waitForReceipt(url, client, hash)
  await service.chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem has no type for this method
  const pass = () =>
    reconcile(service.service.services.operations, service.service.services.networks.get(31337))
  await pass()
  const read = async (method: string) => (await callRpc(url, method, [hash])).result
  expect(await read('eth_getUserOperationReceipt')).toBeNull()
  expect(await read('eth_getUserOperationByHash')).toMatchObject({ transactionHash: null, blockHash: null })
  expect(await read('wallet_getCallsStatus')).toMatchObject({ status: 100 })
  await service.chain.setIntervalMining({ interval: 1 })
  const after = await waitForReceipt(url, client, hash)
  expect(after.success).toBe(true)
  expect(after.receipt.blockHash).not.toBe(before.receipt.blockHash)
  expect(await account.getNonce()).toBe(1n)
})

describe('sponsorships', () => {
  test('error: -32501 beyond a daily budget; nothing is written', async () => {
    const budgets = { operation: String(parseEther('1')), day: { operations: 100 } }
    const account = { day: { operations: 1 } }
    const environment = {
      POLICIES_FILE: writePolicies({ id: 'limited', budgets: { ...budgets, account } }),
    }
    await using service = await startPasskeyService({ smartBalance: true, environment })
    const { account: payer } = await createRpcAccount(service, 0n)
    const url = rpcUrl(service)
    expect(await pay(url, await draftSponsored(url, payer))).toMatchObject({
      result: { paymasterData: expect.stringMatching(/^0x/) },
    })
    expect(await pay(url, await draftSponsored(url, payer, { nonce: 1n << 64n }))).toMatchObject({
      error: {
        code: -32501,
        data: { code: 'PAYMASTER_REFUSED', policy: 'limited', refusal: 'account_day' },
      },
    })
    const rows = service.database.selectFrom('operations').where('account', '=', payer.address.toLowerCase())
    expect(await rows.select('nonce_key').execute()).toEqual([{ nonce_key: 0n }])
  })

  test('error: -32501 for gas that the operation does not need; nothing is written', async () => {
    const POLICIES_FILE = writePolicies({
      id: 'all',
      budgets: { day: { wei: String(parseEther('1')) } },
    })
    await using service = await startPasskeyService({ smartBalance: true, environment: { POLICIES_FILE } })
    const { account } = await createRpcAccount(service, 0n)
    const estimated = await draftSponsored(rpcUrl(service), account)
    for (const limit of ['preVerificationGas', 'callGasLimit'] as const) {
      // A tenth above the service's own estimate.
      const gas = ((estimated[limit] ?? 0n) * 11n) / 10n + 2_000n
      const operation = { ...estimated, [limit]: gas }
      expect(await pay(rpcUrl(service), operation)).toMatchObject({
        error: { code: -32501, data: { code: 'PAYMASTER_REFUSED', refusal: limit, required: String(gas) } },
      })
    }
    const reverting = await account.encodeCalls([{ to: account.address, data: '0xdeadbeef' }])
    expect(await pay(rpcUrl(service), { ...estimated, callData: reverting })).toMatchObject({
      error: { code: -32521, data: { code: 'EXECUTION_REVERTED' } },
    })
    expect(await service.database.selectFrom('sponsorships').selectAll().execute()).toEqual([])
  })

  test('error: -32501 for fees that the network does not ask for', async () => {
    const secret = 'a-secret-of-32-characters-xxxxxx'
    const budgets = { day: { wei: String(parseEther('1000')) } }
    await using service = await startPasskeyService({
      ...{ smartBalance: true, local: false },
      environment: {
        API_KEYS: `server:${secret}`,
        POLICIES_FILE: writePolicies({ id: 'all', budgets }),
        RELAYER_PRIVATE_KEYS: randomPrivateKey(),
        OPERATOR_PRIVATE_KEY: randomPrivateKey(),
        ROLES: 'api,worker',
      },
    })
    const { account } = await createRpcAccount(service, 0n)
    const headers = { 'x-api-key': secret }
    await service.chain.setIntervalMining({ interval: 0 }) // each empty block lowers the fees
    const market = await service.service.services.networks.get(31337).fees()
    const { maxFeePerGas, minTip: maxPriorityFeePerGas } = market
    expect(market.maxPriorityFeePerGas).toBeGreaterThan(2n * maxPriorityFeePerGas)
    const { result: prices } = await callRpc(rpcUrl(service), 'pimlico_getUserOperationGasPrice', [], headers)
    expect(prices).toMatchObject({
      slow: { maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) },
      standard: { maxPriorityFeePerGas: numberToHex(market.maxPriorityFeePerGas) },
    })
    const payFor = async (fees: object) =>
      pay(rpcUrl(service), await draftSponsored(rpcUrl(service), account, fees, headers), headers)
    // A third party that sends the operation to the entry point would receive the tip.
    const tip = await payFor({ maxFeePerGas, maxPriorityFeePerGas: market.maxPriorityFeePerGas })
    expect(tip).toMatchObject({ error: { code: -32501, data: { refusal: 'maxPriorityFeePerGas' } } })
    const cap = await payFor({ maxFeePerGas: maxFeePerGas * 10n, maxPriorityFeePerGas })
    expect(cap).toMatchObject({ error: { code: -32501, data: { refusal: 'maxFeePerGas' } } })
    // viem's bundler client doubles the fees of its node: the cap may be that high, the tip may not.
    const doubled = { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas: maxPriorityFeePerGas * 2n + 1n }
    expect(await payFor(doubled)).toMatchObject({ error: { data: { refusal: 'maxPriorityFeePerGas' } } })
    expect(await payFor({ ...doubled, maxPriorityFeePerGas })).toMatchObject({
      result: { paymasterData: expect.stringMatching(/^0x/) },
    })

    // A replacement has higher fees than the operation that the account would have paid for.
    const owned = await createRpcAccount(service)
    const dear = { maxFeePerGas: maxFeePerGas * 10n, maxPriorityFeePerGas: maxFeePerGas * 10n }
    const { result: replaces } = await sendRpc(rpcUrl(service), await prepare(owned.account, dear), headers)
    const replacement = {
      ...{ network: '31337', walletAddress: owned.account.address, transactionDetails: transfer('0') },
      ...{ replaces, paymasterData: 'sponsored' },
    }
    const rejected = await service.post('/smart-account/transaction/build', replacement, secret)
    expect(rejected.body).toMatchObject({ code: 'PAYMASTER_REFUSED', refusal: 'maxFeePerGas' })
  })

  test('error: -32005 beyond 64 unsigned operations of an account', async () => {
    await using service = await startPasskeyService({ smartBalance: true })
    const { account } = await createRpcAccount(service, 0n)
    const answers = []
    const draft = await draftSponsored(rpcUrl(service), account, { nonce: 64n << 64n })
    for (let key = 0n; key <= 64n; key++)
      answers.push(await pay(rpcUrl(service), { ...draft, nonce: key << 64n }))
    expect(answers.slice(0, 64).filter(({ error }) => error)).toEqual([])
    expect(answers[64]).toMatchObject({ error: { code: -32005, data: { code: 'TOO_MANY_BUILDS' } } })
  })

  test('error: 4100 for a caller without authority to reserve (EIP-1193)', async () => {
    await using service = await startPasskeyService({
      ...{ smartBalance: true, local: false },
      environment: {
        API_KEYS: `server:${'a-secret-of-32-characters-xxxxxx'}`,
        RELAYER_PRIVATE_KEYS: randomPrivateKey(),
        OPERATOR_PRIVATE_KEY: randomPrivateKey(),
        ROLES: 'api,worker',
      },
    })
    const publishable = { kind: 'publishable', name: 'app', origins: [origin] } as const
    const { key } = await createApiKey(service.database, publishable, new Date())
    const { account } = await createRpcAccount(service, 0n)
    const answer = await pay(rpcUrl(service), await draftOperation(account), {
      'x-api-key': key,
      origin,
    })
    expect(answer).toMatchObject({ error: { code: 4100, data: { code: 'UNAUTHORIZED' } } })
    // Nothing is written for a caller without authority, so the account is not registered either.
    expect(await service.database.selectFrom('accounts').select('address').execute()).toEqual([])
  })
})

describe('reserved nonce keys', () => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService({ smartBalance: true })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('error: -32602 at the nonce key of a session, for both send and sponsorship', async () => {
    const url = rpcUrl(service)
    const { account } = await createRpcAccount(service)
    const hash = await sendAccepted(url, await prepare(account))
    await waitForReceipt(url, nodeClient(service), hash)
    // A build of a session at its own nonce key.
    await sql`
      insert into operations
      select (jsonb_populate_record(operations, jsonb_build_object(
        'user_op_hash', '0x' || repeat('5e', 32), 'nonce_key', 77, 'nonce_sequence', 0, 'state', 'built',
        'sign_mode', 'SESSION_KEY', 'session_key', '{}'::jsonb, 'signature', null, 'signed_at', null,
        'signed_at_block', null, 'txn_hash', null, 'block_number', null, 'block_hash', null, 'included_at', null,
        'success', null, 'gas_cost', null, 'final', false
      ))).*
      from operations where user_op_hash = ${hash}`.execute(service.database)
    const nonce = 77n << 64n
    const rejection = { error: { code: -32602, data: { code: 'OPERATION_IN_FLIGHT' } } }
    expect(await sendRpc(url, await prepare(account, { nonce }))).toMatchObject(rejection)
    expect(await pay(url, await draftSponsored(url, account, { nonce }))).toMatchObject(rejection)
    expect(await pay(url, await draftSponsored(url, account, { nonce: 78n << 64n }))).toMatchObject({
      result: { paymasterData: expect.stringMatching(/^0x/) },
    })
  })

  test('error: -32602 at the nonce key of an open order; the order and the builds stay', async () => {
    const url = rpcUrl(service)
    const { key, account } = await createRpcAccount(service)
    const walletAddress = account.address
    await service.post('/smart-account/create', { eoaAddress: key.address })
    const signer = { kind: 'eoa', address: key.address } as const
    await service.deposits.deposit(31337, walletAddress, 100_000_000n, signer)
    const deploying = await sendAccepted(url, await prepare(account))
    await waitForReceipt(url, nodeClient(service), deploying)
    const build = async (request: object) => {
      const { status, body } = await service.post<{ messageToSign: Hex }>(
        '/smart-account/transaction/build',
        {
          ...{ network: '31337', walletAddress, transactionDetails: transfer() },
          ...request,
        },
      )
      expect(status, JSON.stringify(body)).toBe(200)
      return body.messageToSign
    }
    const submit = async (messageToSign: Hex) =>
      service.post('/smart-account/transaction/submit', {
        walletAddress,
        signature: await key.signMessage({ message: { raw: messageToSign } }),
      })
    const plain = await build({})
    const ordered = await build({ orderData: { amount: '50000000' } })
    const order = await service.database
      .selectFrom('orders')
      .selectAll()
      .where('account', '=', walletAddress.toLowerCase())
      .executeTakeFirstOrThrow()
    const readBuilds = () =>
      service.database
        .selectFrom('operations')
        .selectAll()
        .where('account', '=', walletAddress.toLowerCase())
        .where('state', '=', 'built')
        .orderBy('user_op_hash')
        .execute()
    const before = await readBuilds()
    expect(before).toHaveLength(2)

    const nonce = order.nonce_key << 64n
    const rejection = { error: { code: -32602, data: { code: 'OPERATION_IN_FLIGHT' } } }
    expect(await sendRpc(url, await prepare(account, { nonce }))).toMatchObject(rejection)
    expect(await pay(url, await draftSponsored(url, account, { nonce }))).toMatchObject(rejection)
    expect(await readBuilds()).toEqual(before)
    const { orders } = await service.database
      .selectFrom('orders')
      .select((eb) => eb.fn.countAll().as('orders'))
      .where('account', '=', walletAddress.toLowerCase())
      .where('state', '=', order.state)
      .executeTakeFirstOrThrow()
    expect(Number(orders)).toBe(1)

    for (const messageToSign of [ordered, plain])
      expect(await submit(messageToSign)).toMatchObject({ status: 200, body: { success: true } })
    const free = await sendAccepted(url, await prepare(account, { nonce: 90n << 64n }))
    expect(await waitForReceipt(url, nodeClient(service), free)).toMatchObject({ success: true })
  })
})

describe('operations that the chain refuses', () => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test("error: -32500 with the entry point's code, -32501 with the paymaster's address", async () => {
    const { account } = await createRpcAccount(service)
    const send = async (changed: Parameters<typeof prepare>[1]) =>
      sendRpc(rpcUrl(service), await prepare(account, changed))
    expect(await send({ verificationGasLimit: 100_000n })).toMatchObject({
      error: { code: -32500, message: expect.stringMatching(/^AA\d\d/), data: { code: 'OPERATION_REFUSED' } },
    })
    const paymaster = {
      paymaster: payee,
      paymasterVerificationGasLimit: 50_000n,
      paymasterPostOpGasLimit: 0n,
    }
    expect(await send(paymaster)).toMatchObject({
      error: {
        code: -32501,
        message: expect.stringMatching(/^AA31 paymaster deposit too low/),
        data: { code: 'PAYMASTER_REFUSED', paymaster: payee },
      },
    })
    // Neither operation has taken the nonce.
    const hash = await sendAccepted(rpcUrl(service), await prepare(account))
    expect(await waitForReceipt(rpcUrl(service), nodeClient(service), hash)).toMatchObject({ success: true })
  })
})

test('error: -32603 while a remote bundler does not answer; the operation stays and keeps its nonce', async () => {
  // Nothing listens on this port.
  await using service = await startHttpService({}, { bundler: { kind: 'remote', url: 'http://127.0.0.1:9' } })
  const url = `${service.url}/rpc/${service.node.chainId}`
  const client = publicClientOf(service.node.rpcUrl)
  const { account } = await newRpcAccount(client)
  const operation = await prepare(account)
  expect(await sendRpc(url, operation)).toMatchObject({
    error: { code: -32603, data: { code: 'BUNDLER_UNAVAILABLE', userOpHash: hashOf(operation) } },
  })
  expect(await sendAccepted(url, operation)).toBe(hashOf(operation))
  const conflictingOperation = await prepare(account, { callGasLimit: 210_000n })
  expect(await sendRpc(url, conflictingOperation)).toMatchObject({
    error: { code: -32500, data: { code: 'REBUILD' } },
  })
})

test('error: -32603 while the network does not answer', async () => {
  await using service = await startHttpService()
  const url = `${service.url}/rpc/${service.node.chainId}`
  const { account } = await newRpcAccount(publicClientOf(service.node.rpcUrl))
  const operation = await prepare(account)
  await service.node.stop()
  expect(await sendRpc(url, operation)).toMatchObject({
    error: { code: -32603, data: { code: expect.stringMatching(/^NETWORK_/) } },
  })
})

test.skipIf(altoProgram === undefined)(
  'behavior: a remote bundler includes operations sent by JSON-RPC',
  async () => {
    await using stack = new AsyncDisposableStack()
    const settings = async (nodeUrl: string) => ({
      bundler: {
        kind: 'remote',
        url: stack.use(await startAlto({ rpcUrl: nodeUrl }, entryPoint07Address)).url,
      },
    })
    const service = await startHttpService({}, settings)
    stack.use(service)
    const url = `${service.url}/rpc/${service.node.chainId}`
    const client = publicClientOf(service.node.rpcUrl)
    const { account } = await newRpcAccount(client)
    await client.request({
      method: 'anvil_setBalance',
      params: [account.address, numberToHex(parseEther('1'))],
    } as never) // viem types this method for its test client only
    const hash = await sendAccepted(url, await prepare(account))
    expect(await waitForReceipt(url, client, hash)).toMatchObject({ success: true, sender: account.address })
  },
)
