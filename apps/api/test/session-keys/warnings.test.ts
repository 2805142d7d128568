/** @module-tag all */
import { eventMessage } from '@lanyard/contracts'
import { publishEvents, readEvents } from '@lanyard/database'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMessage } from '../../src/domain/events/message.ts'
import {
  ecdsaKey,
  fees,
  payee,
  payment,
  type SessionService,
  startSessionService,
} from './session-service.ts'

const chainId = 31337

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [chainId] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const ether = { type: 'native-token-allowance', allowance: parseEther('1').toString(), to: [payee] }

async function createSession() {
  const wallet = await service.createFundedWallet([chainId])
  const key = ecdsaKey()
  const tokens = {
    type: 'erc20-token-allowance',
    token: service.on(chainId).settlementToken.address,
    allowance: String(50_000_000n * service.on(chainId).scale),
  }
  const plan = await service.enable(wallet, chainId, key, [ether, tokens, fees])
  expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })
  return { wallet, key }
}

/** The warnings about an account, checked against their declaration. */
async function warningsOf({ address }: { readonly address: string }) {
  const { db } = service.database
  await publishEvents(db, new Date())
  const events = await readEvents(db, { after: 0, account: address.toLowerCase(), limit: 1_000 })
  return events
    .map(toMessage)
    .filter(({ type }) => type === 'session.emptied' || type === 'session.failing')
    .map((message) => eventMessage(message.type).parse(message))
}

test('behavior: an operation that takes a whole allowance is reported once, with its key', async () => {
  const { wallet, key } = await createSession()
  const act = (value: bigint) => service.act(wallet, { chainId, key, calls: [payment(value)] })
  const { body } = await act(parseEther('1'))
  expect(body).toMatchObject({ success: true })
  await expect.poll(() => warningsOf(wallet)).toHaveLength(1)
  const [warning] = await warningsOf(wallet)
  expect(warning).toMatchObject({
    type: 'session.emptied',
    data: { account: wallet.address, network: String(chainId), userOpHash: body.userOpHash },
  })
  expect(warning?.data).toHaveProperty(
    'keyId',
    expect.stringContaining(key.sessionKey.slice(2).toLowerCase()),
  )
})

test('behavior: a key that fails three times is reported once; one that is used up in parts is not', async () => {
  const { wallet, key } = await createSession()
  const { settlementToken } = service.on(chainId)
  const half = payment(parseEther('0.5'))
  for (const calls of [[half], [half]])
    expect(await service.act(wallet, { chainId, key, calls })).toMatchObject({ body: { success: true } })
  // Each operation is valid when it is built, and fails on chain because the tokens are gone by then.
  for (let failure = 1; failure <= 4; failure++) {
    const calls = [service.transfer(chainId, payee, 49_000_000n)]
    const { body } = await service.buildAs(wallet, { chainId, key, calls })
    const taken = service.transfer(chainId, wallet.owner.address, 100_000_000n).encodedData
    await service.callAs(chainId, wallet.address, settlementToken.address, taken)
    const done = await service.submit({
      ...{ walletAddress: wallet.address, signatureType: 'SESSION_KEY' },
      signature: await key.sign(body.messageToSign),
    })
    expect(done).toMatchObject({ status: 200, body: { success: false } })
    await service.mint(chainId, wallet.address, 100_000_000n)
    if (failure < 3) expect(await warningsOf(wallet)).toEqual([])
    if (failure === 3)
      await expect.poll(() => warningsOf(wallet)).toMatchObject([{ type: 'session.failing' }])
  }
  // The pass has seen the fourth failure once it has seen what another key did after it.
  const other = await createSession()
  await service.act(other.wallet, { chainId, key: other.key, calls: [payment(parseEther('1'))] })
  await expect.poll(() => warningsOf(other.wallet)).toHaveLength(1)
  expect(await warningsOf(wallet)).toHaveLength(1)
})
