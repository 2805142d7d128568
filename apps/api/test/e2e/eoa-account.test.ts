import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEther,
  publicActions,
  stringToHex,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptOf } from '../receipt-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

const decimal = /^\d+$/
const recipient = '0x000000000000000000000000000000000000bEEF'

let service: ServiceProcess
let rest: RestClient
let networks: { network: number; rpcUrl: string; settlementToken: { address: Hex; decimals: number } }[]
beforeAll(async () => {
  service = await startServiceProcess({})
  rest = restClient(service.url)
  networks = (await rest.get('/networks')).body.networks
  // From here on, the chains mine only when they receive a transaction. Empty blocks would lower the gas price.
  for (const { rpcUrl } of networks) {
    await createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl) }).setAutomine(true)
  }
})
afterAll(() => service.stop())

const fundingKey = devAccounts[3]?.privateKey ?? randomPrivateKey()

function chainOf(network: number) {
  const found = networks.find((one) => one.network === network)
  if (!found) throw new Error(`Network ${network} is not configured`)
  const chain = createWalletClient({
    account: privateKeyToAccount(fundingKey),
    transport: localTransport(found.rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions)
  return { ...found, chain }
}

async function fund(network: number, address: Hex, value = parseEther('1')) {
  const { chain } = chainOf(network)
  const hash = await chain.sendTransaction({ chain: null, to: address, value })
  await receiptOf(chain, hash)
}

const pay = (value: string) => ({ encodedData: '0x', targetContractAddress: recipient, value })

/** A new owner and its smart account. */
async function createAccount() {
  const owner = privateKeyToAccount(randomPrivateKey())
  const { body } = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  return { owner, account: body.wallet.scw_address as Hex }
}

async function send(
  network: number,
  owner: ReturnType<typeof privateKeyToAccount>,
  account: Hex,
  more: object,
) {
  const built = await rest.post('/smart-account/transaction/build', {
    network: String(network),
    walletAddress: account,
    ...more,
  })
  expect(built.body).not.toHaveProperty('code')
  const signature = await owner.signMessage({ message: { raw: built.body.messageToSign } })
  return rest.post('/smart-account/transaction/submit', { walletAddress: account, signature })
}

describe('default', () => {
  test.each([31337, 31338, 31339])('ten operations on %i, from build to inclusion', async (network) => {
    const { owner, account } = await createAccount()
    const { chain } = chainOf(network)
    await fund(network, account)
    const before = await chain.getBalance({ address: recipient })

    const fees = await rest.post('/smart-account/transaction/gas-fees', {
      network: String(network),
      walletAddress: account,
      transactionDetails: [pay('7')],
    })
    expect(fees).toEqual({ status: 200, body: { result: expect.stringMatching(decimal) } })

    for (let count = 1; count <= 10; count++) {
      const submitted = await send(network, owner, account, { transactionDetails: [pay('7')] })
      expect(submitted).toEqual({
        status: 200,
        body: {
          userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          txnHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          success: true,
        },
      })
      if (count === 1) {
        const receipt = await chain.getTransactionReceipt({ hash: submitted.body.txnHash })
        expect(receipt.status).toBe('success')
        expect(receipt.effectiveGasPrice * receipt.gasUsed).toBeLessThanOrEqual(BigInt(fees.body.result))
      }
    }
    expect((await chain.getBalance({ address: recipient })) - before).toBe(70n)
  })

  test('a build has exactly these fields', async () => {
    const { account } = await createAccount()
    await fund(31337, account)
    const { status, body } = await rest.post('/smart-account/transaction/build', {
      network: 31337,
      walletAddress: account.toLowerCase(),
      transactionDetails: [pay('1')],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      userOp: {
        sender: account,
        nonce: expect.stringMatching(decimal),
        initCode: expect.stringMatching(/^0x[0-9a-f]{40,}$/),
        callData: expect.stringMatching(/^0x[0-9a-f]{8,}$/),
        callGasLimit: expect.stringMatching(decimal),
        verificationGasLimit: expect.stringMatching(decimal),
        preVerificationGas: expect.stringMatching(decimal),
        maxFeePerGas: expect.stringMatching(decimal),
        maxPriorityFeePerGas: expect.stringMatching(decimal),
      },
      messageToSign: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      signMode: 'ECDSA',
    })
  })

  test('a batch of three, with tokens', async () => {
    const { owner, account } = await createAccount()
    const { chain, settlementToken } = chainOf(31338)
    await rest.post('/wallet/faucet', { network: '31338', walletAddress: account })
    await expect.poll(() => chain.getBalance({ address: account })).toBeGreaterThan(0n)
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 5n] })
    const tokens = () =>
      chain.readContract({ ...settlementToken, abi: erc20Abi, functionName: 'balanceOf', args: [recipient] })
    const before = await tokens()
    const submitted = await send(31338, owner, account, {
      transactionDetails: [
        pay('1'),
        { encodedData: transfer, targetContractAddress: settlementToken.address, value: '0' },
        { encodedData: transfer, targetContractAddress: settlementToken.address, value: 0 },
      ],
    })
    expect(submitted.body.success).toBe(true)
    expect((await tokens()) - before).toBe(10n)
  })

  test('an operation without calls deploys the account once', async () => {
    const { owner, account } = await createAccount()
    await fund(31339, account)
    expect((await send(31339, owner, account, {})).body.success).toBe(true)
    const again = await rest.post('/smart-account/create', { eoaAddress: owner.address })
    expect(again.body.wallet.multi_scw).toEqual([
      { network: 31337, address: account, deployed: false },
      { network: 31338, address: account, deployed: false },
      { network: 31339, address: account, deployed: true },
    ])
    const rejected = await rest.post('/smart-account/transaction/build', {
      network: '31339',
      walletAddress: account,
    })
    expect(rejected).toMatchObject({ status: 400, body: { code: 'NOTHING_TO_DO' } })
  })
})

describe('behavior: signatures', () => {
  const forms = {
    'personal_sign over the bytes': async (key: Hex, hash: Hex) =>
      privateKeyToAccount(key).signMessage({ message: { raw: hash } }),
    'raw over the hash': async (key: Hex, hash: Hex) => sign({ hash, privateKey: key, to: 'hex' }),
    'v as 0 or 1': async (key: Hex, hash: Hex) => {
      const signature = await sign({ hash, privateKey: key, to: 'hex' })
      return `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex
    },
  }
  test.each(Object.entries(forms))('%s', async (_, form) => {
    const { key, account } = await createKeyAccount()
    const hash = await buildOne(account)
    const submitted = await rest.post('/smart-account/transaction/submit', {
      walletAddress: account,
      signature: await form(key, hash),
      signatureType: '1',
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  })

  test('error: signatures over the hex text, and compact, malleable, foreign and truncated signatures', async () => {
    const { key, account } = await createKeyAccount()
    const hash = await buildOne(account)
    const raw = await sign({ hash, privateKey: key, to: 'object' })
    const rawHex = await sign({ hash, privateKey: key, to: 'hex' })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = (order - BigInt(raw.s)).toString(16).padStart(64, '0')
    const flipped = rawHex.endsWith('1b') ? '1c' : '1b'
    const rejections: [Hex, string][] = [
      [await privateKeyToAccount(key).signMessage({ message: hash }), 'SIGNATURE_OVER_TEXT'],
      [rawHex.slice(0, 130) as Hex, 'SIGNATURE_COMPACT'],
      [`0x${raw.r.slice(2)}${highS}${flipped}`, 'SIGNATURE_MALLEABLE'],
      [await sign({ hash, privateKey: randomPrivateKey(), to: 'hex' }), 'INVALID_SIGNATURE'],
      ['0x1234', 'INVALID_SIGNATURE'],
      [stringToHex('x'.repeat(65)), 'INVALID_SIGNATURE'],
    ]
    for (const [signature, code] of rejections) {
      const rejected = await rest.post('/smart-account/transaction/submit', {
        walletAddress: account,
        signature,
      })
      expect(rejected).toMatchObject({ status: 400, body: { code } })
    }
    // The rejected signatures have no effect.
    const submitted = await rest.post('/smart-account/transaction/submit', {
      walletAddress: account,
      signature: rawHex,
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  })

  async function createKeyAccount() {
    const key = randomPrivateKey()
    const owner = privateKeyToAccount(key).address
    const { body } = await rest.post('/smart-account/create', { eoaAddress: owner })
    await fund(31337, body.wallet.scw_address)
    return { key, account: body.wallet.scw_address as Hex }
  }
  async function buildOne(account: Hex): Promise<Hex> {
    const { body } = await rest.post('/smart-account/transaction/build', {
      network: 'eip155:31337',
      walletAddress: account,
      transactionDetails: [pay('1')],
    })
    return body.messageToSign
  }
})

describe('behavior: operations', () => {
  test('a call that would revert is rejected with its reason, and built with allowRevert', async () => {
    const { owner, account } = await createAccount()
    await fund(31337, account)
    const { settlementToken } = chainOf(31337)
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 5n] })
    const transactionDetails = [
      { encodedData: transfer, targetContractAddress: settlementToken.address, value: '0' },
    ]
    const request = { network: '31337', walletAddress: account, transactionDetails }
    const rejected = await rest.post('/smart-account/transaction/build', request)
    expect(rejected).toMatchObject({
      status: 400,
      body: { code: 'EXECUTION_REVERTED', message: expect.stringContaining('ERC20InsufficientBalance') },
    })
    expect(await rest.post('/smart-account/transaction/gas-fees', request)).toMatchObject({ status: 400 })

    const reverted = await send(31337, owner, account, { transactionDetails, allowRevert: true })
    expect(reverted).toMatchObject({ status: 200, body: { success: false, txnHash: expect.any(String) } })
    const status = await rest.get(`/smart-account/transaction/status?userOpHash=${reverted.body.userOpHash}`)
    expect(status.body).toMatchObject({
      state: 'included',
      success: false,
      reason: { message: expect.stringContaining('ERC20InsufficientBalance') },
    })
  })

  test('ten concurrent builds and submissions succeed', async () => {
    const { owner, account } = await createAccount()
    await fund(31337, account)
    await send(31337, owner, account, {})
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(31337, owner, account, { transactionDetails: [pay(String(index))] }),
      ),
    )
    expect(answers.map(({ body }) => body.success)).toEqual(Array.from({ length: 10 }, () => true))
    expect(new Set(answers.map(({ body }) => body.userOpHash)).size).toBe(10)
  })

  test('a repeated submission returns the same answer', async () => {
    const { owner, account } = await createAccount()
    await fund(31337, account)
    const { body } = await rest.post('/smart-account/transaction/build', {
      network: '31337',
      walletAddress: owner.address, // the EOA resolves to its account
      transactionDetails: [pay('1')],
    })
    const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
    const submission = { walletAddress: account, signature }
    const first = await rest.post('/smart-account/transaction/submit', submission)
    expect(await rest.post('/smart-account/transaction/submit', submission)).toEqual(first)
  })

  test('the user, the search and the username check find the account', async () => {
    const { owner, account } = await createAccount()
    await fund(31337, account)
    const { username } = (await rest.post('/smart-account/create', { eoaAddress: owner.address })).body
    const { body } = await send(31337, owner, account, { transactionDetails: [pay('42'), pay('1')] })
    expect(await rest.get(`/user?username=${username}`)).toEqual({
      status: 200,
      body: {
        username,
        wallet: { scw_address: account },
        transactions: [
          { hash: body.txnHash, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), value: '43' },
        ],
      },
    })
    const found = { wallet_address: account, username }
    expect((await rest.get(`/api/user/search?query=${username.slice(0, 8)}`)).body.result).toContainEqual(
      found,
    )
    expect((await rest.get(`/api/user/search?query=${account}`)).body).toEqual({
      result: [found],
      message: expect.any(String),
    })
    expect((await rest.get(`/api/user/check-username?username=${username}`)).body).toMatchObject({
      value: true,
    })
    expect((await rest.get('/api/user/check-username?username=nobody')).body).toMatchObject({ value: false })
  })
})

describe('error', () => {
  const known = { network: '31337', transactionDetails: [pay('1')] }
  const malformed: [string, object, string][] = [
    ['network', { network: 'mainnet' }, 'network'],
    ['network missing', { network: undefined }, 'network'],
    ['walletAddress', { walletAddress: '0x12' }, 'walletAddress'],
    [
      'walletAddress checksum',
      { walletAddress: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      'walletAddress',
    ],
    ['transactionDetails', { transactionDetails: 'all' }, 'transactionDetails'],
    ['value', { transactionDetails: [{ ...pay('1'), value: '1.5' }] }, 'transactionDetails.0.value'],
    [
      'encodedData',
      { transactionDetails: [{ ...pay('1'), encodedData: '0x1' }] },
      'transactionDetails.0.encodedData',
    ],
    [
      'targetContractAddress',
      { transactionDetails: [pay('1'), { ...pay('1'), targetContractAddress: '' }] },
      'transactionDetails.1.targetContractAddress',
    ],
    ['paymasterData', { paymasterData: '0x12' }, 'paymasterData'],
    ['signMode', { signMode: 'MAGIC' }, 'signMode'],
  ]
  test.each(malformed)('400 for a malformed %s names its path', async (_, change, path) => {
    const { account } = await createAccount()
    const rejected = await rest.post('/smart-account/transaction/build', {
      ...known,
      walletAddress: account,
      ...change,
    })
    expect(rejected.status).toBe(400)
    expect(rejected.body).toMatchObject({ code: 'INVALID_INPUT', requestId: expect.any(String) })
    expect(rejected.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('400 for an unknown network lists the configured networks', async () => {
    const { account } = await createAccount()
    const rejected = await rest.post('/smart-account/transaction/build', {
      ...known,
      network: '1',
      walletAddress: account,
    })
    expect(rejected).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_NETWORK', configured: [31337, 31338, 31339] },
    })
  })

  test('404 for an unknown wallet, user or operation', async () => {
    const unknownAddress = privateKeyToAccount(randomPrivateKey()).address
    const requests = await Promise.all([
      rest.post('/smart-account/transaction/build', { ...known, walletAddress: unknownAddress }),
      rest.post('/smart-account/transaction/submit', { walletAddress: unknownAddress, signature: '0x12' }),
      rest.get('/user?username=nobody'),
      rest.get(`/smart-account/transaction/status?userOpHash=0x${'0'.repeat(64)}`),
    ])
    expect(requests.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'UNKNOWN_WALLET'],
      [404, 'UNKNOWN_WALLET'],
      [404, 'UNKNOWN_USER'],
      [404, 'UNKNOWN_OPERATION'],
    ])
  })

  test('400 for an account without funds names the missing amount, and gas-fees still answers', async () => {
    const { account } = await createAccount()
    // No other test uses this network, so the gas price does not change.
    const request = { ...known, network: '31339', walletAddress: account }
    const fees = await rest.post('/smart-account/transaction/gas-fees', request)
    expect(fees.status).toBe(200)
    const rejected = await rest.post('/smart-account/transaction/build', request)
    expect(rejected).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_FUNDS', available: '0' } })
    const { required, missing } = rejected.body
    expect(missing).toBe(required)
    // The same operation at the same price, plus the value that it sends.
    expect(BigInt(required) - 1n).toBe(BigInt(fees.body.result))
  })

  test('409 for a build whose nonce a signed build already uses', async () => {
    const { owner, account } = await createAccount()
    await fund(31337, account)
    const builds = await Promise.all(
      Array.from({ length: 17 }, (_, index) =>
        rest.post('/smart-account/transaction/build', {
          ...known,
          transactionDetails: [pay(String(index + 1))],
          walletAddress: account,
        }),
      ),
    )
    const nonceOf = ({ body }: (typeof builds)[number]) => body.userOp.nonce
    const shared = builds.filter((one) => builds.some((two) => two !== one && nonceOf(two) === nonceOf(one)))
    expect(shared.length).toBeGreaterThan(1)
    const submit = async (messageToSign: Hex) =>
      rest.post('/smart-account/transaction/submit', {
        walletAddress: account,
        signature: await owner.signMessage({ message: { raw: messageToSign } }),
      })
    const answers = [await submit(shared[0]?.body.messageToSign), await submit(shared[1]?.body.messageToSign)]
    expect(answers).toMatchObject([{ status: 200 }, { status: 409, body: { code: 'REBUILD' } }])
  })
})
