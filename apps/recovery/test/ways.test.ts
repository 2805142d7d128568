import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import {
  type AccountOwner,
  computeAccountAddress,
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  encodeExecTransaction,
  toSafeTransaction,
} from '@lanyard/accounts'
import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { type DevnetNode, devAccounts, localTransport, startNode } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, concat, createTestClient, hexToBytes, isAddressEqual, pad, publicActions } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connection, connect } from '../src/connect.ts'
import type { RecoveryKit } from '../src/kit/recovery-kit.ts'
import { keyPayer } from '../src/payer/payer.ts'
import { moveOut, type Preview, previewMoves, signMoves, type Way } from '../src/recover-network.ts'
import { sendTransaction } from '../src/send/send-transaction.ts'
import {
  readSignedTransactions,
  type SignedTransaction,
  sendSignedTransaction,
} from '../src/send/signed-transactions.ts'
import { eoaSigner } from '../src/signers/eoa.ts'
import type { OwnerSigner } from '../src/signers/owner-signer.ts'
import { passkeySigner } from '../src/signers/passkey.ts'

const jsonContent = { 'content-type': 'application/json' }
const payerKey = privateKeyToAccount(devAccounts[3]?.privateKey ?? '0x')

/** A chain without the precompile, where passkey signatures cost the most gas. */
let node: DevnetNode
let connection: Connection
beforeAll(async () => {
  node = await startNode({ hardfork: 'prague' })
  connection = await connect(node)
})
afterAll(() => node?.[Symbol.asyncDispose]())

const chain = () =>
  createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) }).extend(publicActions)
const balanceOf = (address: Address) => chain().getBalance({ address })
const elsewhere = () => privateKeyToAddress(randomPrivateKey())

const signerOf = (authenticator: SoftwareAuthenticator): OwnerSigner =>
  passkeySigner(async (hash) => authenticator.get({ challenge: hexToBytes(hash) }))

function ownerOf(authenticator: SoftwareAuthenticator): AccountOwner {
  return { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers }
}

/** An undeployed account that holds one ether. */
async function fundedKit(owner: AccountOwner): Promise<RecoveryKit> {
  const account = computeAccountAddress(owner)
  await chain().setBalance({ address: account, value: 10n ** 18n })
  const network = { ...node, tokens: [] }
  return { account, owner, deployment: defaultDeployment, credentialIds: [], networks: [network] }
}

const look = (kit: RecoveryKit, to: Address, way: Way['kind']): Promise<Preview> =>
  previewMoves({ connection, kit, network: { tokens: [], smartBalance: node.smartBalance }, to, way })

const payer = () => keyPayer(connection, payerKey)

/** Moves everything, signed by the first owner. This also deploys the account. */
async function recoverWith(authenticator: SoftwareAuthenticator, way: Way) {
  const kit = await fundedKit(ownerOf(authenticator))
  const to = elsewhere()
  const hash = await moveOut(await look(kit, to, way.kind), signerOf(authenticator), way)
  return { kit, to, hash }
}

describe('a passkey', () => {
  test('behavior: moves the entire balance by a transaction that someone else sends', async () => {
    const { kit, to } = await recoverWith(new SoftwareAuthenticator(), {
      kind: 'transaction',
      payer: payer(),
    })
    expect([await balanceOf(kit.account), await balanceOf(to)]).toEqual([0n, 10n ** 18n])
  })

  test('behavior: moves it by its own operation, which someone else sends to EntryPoint, before and after deployment', async () => {
    const authenticator = new SoftwareAuthenticator()
    const way: Way = { kind: 'entry-point', payer: payer() }
    const { kit, to } = await recoverWith(authenticator, way)
    expect(await balanceOf(kit.account)).toBe(0n)
    expect(await balanceOf(to)).toBeGreaterThan(98n * 10n ** 16n)
    await chain().setBalance({ address: kit.account, value: 10n ** 18n })
    await moveOut(await look(kit, to, way.kind), signerOf(authenticator), way)
    expect(await balanceOf(to)).toBeGreaterThan(196n * 10n ** 16n)
  })

  test.skipIf(!altoProgram)('behavior: moves it by its own operation through a bundler', async () => {
    await using alto = await startAlto(node, defaultDeployment.entryPoint)
    const { kit, to } = await recoverWith(new SoftwareAuthenticator(), { kind: 'bundler', url: alto.url })
    expect(await balanceOf(kit.account)).toBe(0n)
    expect(await balanceOf(to)).toBeGreaterThan(98n * 10n ** 16n)
  })

  test('behavior: works with a passkey that was added later and is not in the kit', async () => {
    const [first, spare] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
    const kit = await fundedKit(ownerOf(first))
    const to = elsewhere()
    const added = { ...spare.publicKey, verifiers: defaultVerifiers }
    const addition = [
      encodeCreateSigner(added),
      encodeAddOwner({ account: kit.account, owner: computeSignerAddress(added) }),
    ]
    const way: Way = { kind: 'transaction', payer: payer() }
    const before = await look(kit, to, way.kind)
    await sendTransaction({ ...before, signer: signerOf(first) }, payer(), addition)
    await moveOut(await look(kit, to, way.kind), signerOf(spare), way)
    expect(await balanceOf(to)).toBe(10n ** 18n)
  })

  test('behavior: signs here and sends it from elsewhere, before and after deployment', async () => {
    const authenticator = new SoftwareAuthenticator()
    const kit = await fundedKit(ownerOf(authenticator))
    const to = elsewhere()
    for (const expected of [10n ** 18n, 2n * 10n ** 18n]) {
      await chain().setBalance({ address: kit.account, value: 10n ** 18n })
      const signed = await signMoves(await look(kit, to, 'transaction'), signerOf(authenticator))
      const [read] = readSignedTransactions(JSON.stringify([signed]))
      if (!read) throw new TypeError('One was signed')
      await sendSignedTransaction({ connection, kit }, payer(), read)
      expect(await balanceOf(to)).toBe(expected)
    }
  })

  test('error: NOT_AN_OWNER', async () => {
    const { kit, to } = await recoverWith(new SoftwareAuthenticator(), {
      kind: 'transaction',
      payer: payer(),
    })
    await chain().setBalance({ address: kit.account, value: 1n })
    const preview = await look(kit, to, 'transaction')
    const thirdParty: OwnerSigner = signerOf(new SoftwareAuthenticator())
    await expect(moveOut(preview, thirdParty, { kind: 'transaction', payer: payer() })).rejects.toMatchObject(
      {
        code: 'NOT_AN_OWNER',
      },
    )
    expect(await balanceOf(kit.account)).toBe(1n)
  })

  test('error: CANNOT_PAY', async () => {
    const authenticator = new SoftwareAuthenticator()
    const kit = await fundedKit(ownerOf(authenticator))
    await chain().setBalance({ address: kit.account, value: 1n })
    const preview = await look(kit, elsewhere(), 'entry-point')
    await expect(
      moveOut(preview, signerOf(authenticator), { kind: 'entry-point', payer: payer() }),
    ).rejects.toMatchObject({ code: 'CANNOT_PAY' })
  })
})

describe('a text of a website', () => {
  /** Has no signature: Safe counts the sender, if that is an owner. */
  const borrowed = (kit: RecoveryKit): SignedTransaction => ({
    ...{ chainId: connection.chain.id, account: kit.account },
    data: encodeExecTransaction(
      toSafeTransaction([{ to: elsewhere(), value: 1n, data: '0x' }], 0n),
      concat([pad(payerKey.address), pad('0x'), '0x01']),
    ),
  })

  /** A node that tells the truth, except that every call from another address than the payer's passes. */
  async function startLyingRpc() {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const { id, method, params } = JSON.parse(body)
      const from = method === 'eth_call' ? params[0].from : undefined
      const isLie = from !== undefined && !isAddressEqual(from, payerKey.address)
      const answer = isLie
        ? JSON.stringify({ jsonrpc: '2.0', id, result: pad('0x01') })
        : await (await fetch(node.rpcUrl, { method: 'POST', body, headers: jsonContent })).text()
      response.writeHead(200, jsonContent).end(answer)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections()
        await promisify(server.close.bind(server))()
      },
    }
  }

  test('error: it cannot borrow the key of a payer who owns the account', async () => {
    const kit = await fundedKit({ kind: 'eoa', address: payerKey.address })
    const paid = await balanceOf(payerKey.address)
    const send = () => sendSignedTransaction({ connection, kit }, payer(), borrowed(kit))
    await expect(send()).rejects.toMatchObject({ code: 'USAGE' })
    expect(await balanceOf(kit.account)).toBe(10n ** 18n)
    expect(await balanceOf(payerKey.address)).toBe(paid)
  })

  test('error: it cannot borrow that key with the help of the RPC', async () => {
    const kit = await fundedKit({ kind: 'eoa', address: payerKey.address })
    await using rpc = await startLyingRpc()
    const lying = await connect({ ...node, rpcUrl: rpc.url })
    await expect(
      sendSignedTransaction({ connection: lying, kit }, keyPayer(lying, payerKey), borrowed(kit)),
    ).rejects.toMatchObject({ code: 'USAGE' })
    expect(await balanceOf(kit.account)).toBe(10n ** 18n)
  })

  test('behavior: what the payer signed as an owner is sent', async () => {
    const kit = await fundedKit({ kind: 'eoa', address: payerKey.address })
    const to = elsewhere()
    const signed = await signMoves(await look(kit, to, 'transaction'), eoaSigner(payerKey))
    await sendSignedTransaction({ connection, kit }, payer(), signed)
    expect(await balanceOf(to)).toBe(10n ** 18n)
  })

  test('error: it is for another account, or for no account', async () => {
    const kit = await fundedKit({ kind: 'eoa', address: payerKey.address })
    const other = { ...borrowed(kit), account: elsewhere() }
    await expect(sendSignedTransaction({ connection, kit }, payer(), other)).rejects.toMatchObject({
      code: 'USAGE',
    })
    const transfer = { ...borrowed(kit), data: '0xa9059cbb' }
    expect(() => readSignedTransactions(JSON.stringify([transfer]))).toThrow('recovery page')
  })
})

test('behavior: reports why some funds cannot be moved, and moves the rest', async () => {
  const kit = await fundedKit({ kind: 'eoa', address: payerKey.address })
  // The contract accepts no coins.
  const preview = await look(kit, node.smartBalance, 'transaction')
  expect(preview.possible).toEqual([])
  expect(preview.impossible).toEqual([expect.stringContaining('1 native coins cannot be moved')])
})

test('error: WRONG_RPC', async () => {
  await expect(connect({ ...node, chainId: 1 })).rejects.toMatchObject({ code: 'WRONG_RPC' })
  await expect(connect({ ...node, rpcUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'WRONG_RPC',
  })
})
