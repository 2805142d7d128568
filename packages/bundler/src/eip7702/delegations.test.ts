/** @module-tag all */
import { delegatedDeployment, readDelegation, type SignedUserOperation } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { type Hex, parseGwei, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DelegatedAccount,
  type DelegatedOptions,
  type Fixture,
  nothing,
  startFixture,
} from '../../test/fixture.ts'
import type { Bundler, CheckpointName } from '../index.ts'

const bothKinds = { accountKinds: ['safe', 'eip7702'], relayerLossPerHour: '1' }
const generous = { maxFeePerGas: parseGwei('400'), maxPriorityFeePerGas: parseGwei('80') }
const other = '0x00000000000000000000000000000000000000AA'

describeOneEngine('operations of delegated EOAs', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let time: number
  let atCheckpoint: (name: CheckpointName) => void | Promise<void>
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, bothKinds)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(() => {
    time = Date.now() // the previous test's lease has expired
    atCheckpoint = () => {}
    bundler = fixture.bundler({ now: () => new Date(time), checkpoint: (name) => atCheckpoint(name) })
  })

  const stateOf = async ({ address }: DelegatedAccount) =>
    readDelegation(await fixture.chain.getCode({ address })).kind
  const send = async (account: DelegatedAccount, options?: DelegatedOptions) =>
    submit(await fixture.buildDelegated(bundler, account, [nothing], options))
  /** Each account is a caller of its own. */
  const submit = (operation: SignedUserOperation) =>
    fixture.submit(bundler, operation, `key:${operation.sender}`)
  const transactionOf = async (hash: Hex) => {
    const [event] = await fixture.events(hash)
    if (!event) throw new Error('not included')
    return fixture.chain.getTransaction({ hash: event.transactionHash })
  }
  const isIncluded = async (hash: Hex) => (await fixture.events(hash)).length === 1

  describe('mined at once', () => {
    test('default: the first operation delegates the EOA and runs, a later one needs no authorisation', async () => {
      const account = await fixture.delegatedAccount()
      const first = await send(account)
      await bundler.drive()
      const [event] = await fixture.events(first)
      expect(event?.args.success).toBe(true)
      expect(await stateOf(account)).toBe('delegated')
      expect((await transactionOf(first)).authorizationList).toMatchObject([
        { address: delegatedDeployment.delegate.toLowerCase(), nonce: 0 },
      ])
      await fixture.noticeInclusion()
      const later = await send(account)
      await bundler.drive()
      expect(await isIncluded(later)).toBe(true)
      expect((await transactionOf(later)).type).toBe('eip1559')
      await fixture.noticeInclusion()
    })

    test('behavior: the operation pays for its authorisation: the relayer does not lose', async () => {
      const account = await fixture.delegatedAccount()
      for (let index = 0; index < 3; index++) {
        const hash = await send(account)
        await bundler.drive()
        const [event] = await fixture.events(hash)
        const receipt = await fixture.chain.getTransactionReceipt({ hash: event?.transactionHash ?? '0x' })
        expect(event?.args.actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
        await fixture.noticeInclusion()
      }
    })

    test('behavior: each goes alone, delegated or not, and no bundle mixes EntryPoints', async () => {
      const undelegated = [await fixture.delegatedAccount(), await fixture.delegatedAccount()]
      const delegated = [await fixture.delegatedAccount(), await fixture.delegatedAccount()]
      for (const account of delegated) await fixture.delegate(account)
      const safe = await fixture.account()
      const alone = [...undelegated, ...delegated].map((account) => send(account))
      const hashes = await Promise.all(alone)
      const ofSafe = await fixture.submit(bundler, await fixture.build(bundler, safe, [nothing]))
      await bundler.drive()
      const bundles = await Promise.all(hashes.map(transactionOf))
      expect(bundles.map(({ authorizationList }) => authorizationList?.length ?? 0)).toEqual([1, 1, 0, 0])
      expect(new Set(bundles.map(({ hash }) => hash)).size).toBe(4)
      expect((await transactionOf(ofSafe)).to).not.toBe(bundles[2]?.to)
      await fixture.noticeInclusion()
    })

    test('behavior: an authorisation that is no longer necessary is left out', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account)
      await fixture.delegate(account)
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      expect((await transactionOf(hash)).type).toBe('eip1559')
      await fixture.noticeInclusion()
    })

    test('error: an authorisation that was spent between submit and bundle drops its operation', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account)
      await fixture.delegate(account, zeroAddress) // uses the nonce, and leaves the EOA undelegated
      await bundler.drive()
      expect(await fixture.row(hash)).toMatchObject({
        state: 'dropped',
        final: false,
        reason_code: 'OPERATION_REFUSED',
        reason_message: expect.stringContaining(
          'The authorisation can no longer be used: it has the nonce 0',
        ),
      })
      // Another authorisation for the same operation's calls.
      const next = await send(account)
      await bundler.drive()
      expect(await isIncluded(next)).toBe(true)
      await fixture.noticeInclusion()
    })

    test('behavior: an EOA that another bundler has delegated is not given up', async () => {
      const account = await fixture.delegatedAccount()
      const operation = await fixture.buildDelegated(bundler, account, [nothing])
      await fixture.delegate(account)
      const hash = await submit(operation)
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      await fixture.noticeInclusion()
    })

    test('error: OPERATION_REFUSED for an EOA that revoked its delegation after the build', async () => {
      const account = await fixture.delegatedAccount()
      await fixture.delegate(account)
      const operation = await fixture.buildDelegated(bundler, account, [nothing])
      await fixture.delegate(account, zeroAddress)
      await expect(bundler.deliver(operation)).rejects.toMatchObject({
        code: 'OPERATION_REFUSED',
        message: expect.stringMatching(/is not delegated, and the operation has no authorisation/),
      })
    })

    test('behavior: an operation whose EOA revoked its delegation waits, and goes when it is delegated again', async () => {
      const account = await fixture.delegatedAccount()
      await fixture.delegate(account)
      const hash = await send(account)
      await fixture.delegate(account, zeroAddress)
      await bundler.drive()
      expect(await fixture.row(hash)).toMatchObject({
        state: 'submitted',
        reason_code: 'OPERATION_REFUSED',
        reason_message: expect.stringContaining('is not delegated'),
      })
      await fixture.delegate(account)
      time += 3_600_000
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      await fixture.noticeInclusion()
    })

    test('behavior: delegated to another contract: refused without an authorisation, switched with one', async () => {
      const account = await fixture.delegatedAccount()
      await fixture.delegate(account)
      const operation = await fixture.buildDelegated(bundler, account, [nothing])
      await fixture.delegate(account, other)
      await expect(bundler.deliver(operation)).rejects.toMatchObject({
        code: 'OPERATION_REFUSED',
        message: expect.stringContaining(`is delegated to ${other.toLowerCase()}`),
        details: { delegate: delegatedDeployment.delegate },
      })
      const hash = await send(account, { authorizationNonce: 2 })
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      expect(await stateOf(account)).toBe('delegated')
      await fixture.noticeInclusion()
    })

    test('error: an authorisation that does not delegate the sender', async () => {
      const [account, stranger] = [await fixture.delegatedAccount(), await fixture.delegatedAccount()]
      const operation = await fixture.buildDelegated(bundler, account, [nothing])
      const deliver = (changed: Partial<SignedUserOperation>) => bundler.deliver({ ...operation, ...changed })
      await expect(deliver({ authorization: await fixture.authorize(stranger, 0) })).rejects.toMatchObject({
        code: 'INVALID_SIGNATURE',
      })
      await expect(
        deliver({ authorization: await fixture.authorize(account, 0, other) }),
      ).rejects.toMatchObject({ code: 'OPERATION_REFUSED', message: expect.stringContaining(other) })
      await expect(
        deliver({
          authorization: await account.signer.signAuthorization({
            ...{ chainId: 0, nonce: 0, address: delegatedDeployment.delegate },
          }),
        }),
      ).rejects.toMatchObject({ message: expect.stringContaining('for all chains') })
      await expect(deliver({ authorization: await fixture.authorize(account, 1) })).rejects.toMatchObject({
        message: expect.stringContaining('Sign one with the nonce of now'),
      })
      await expect(deliver({ initCode: '0x' })).rejects.toMatchObject({
        message: expect.stringContaining('factory 0x7702'),
      })
      await expect(deliver({ initCode: `${operation.initCode}ab` })).rejects.toMatchObject({
        code: 'OPERATION_REFUSED',
      })
    })

    test('error: two operations, one of which fails, do not harm each other', async () => {
      const accounts = [await fixture.delegatedAccount(), await fixture.delegatedAccount()]
      const [bad, good] = await Promise.all(accounts.map((account) => send(account)))
      await fixture.chain.setBalance({ address: accounts[0]?.address ?? zeroAddress, value: 0n })
      await bundler.drive()
      expect(await fixture.row(bad ?? '0x')).toMatchObject({
        state: 'submitted',
        reason_code: 'INSUFFICIENT_FUNDS',
      })
      expect(await isIncluded(good ?? '0x')).toBe(true)
      await fixture.noticeInclusion()
      await fixture.database.db
        .updateTable('operations')
        .set({ state: 'dropped', final: true })
        .where('user_op_hash', '=', bad ?? '')
        .execute()
    })

    test('behavior: a process that dies after writing the transaction loses neither it nor its authorisation', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account)
      atCheckpoint = (name) => {
        if (name === 'relayer:row-written') throw new Error('died')
      }
      await expect(bundler.drive()).rejects.toThrow('died')
      expect(await isIncluded(hash)).toBe(false)
      atCheckpoint = () => {}
      time += 60_000
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      expect((await transactionOf(hash)).authorizationList).toHaveLength(1)
      await fixture.noticeInclusion()
    })

    test('behavior: a reorg that removes the delegation: the transaction is sent again', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account)
      const snapshot = await fixture.chain.snapshot()
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      await fixture.noticeInclusion()
      await fixture.chain.revert({ id: snapshot })
      await fixture.noticeInclusion()
      expect(await stateOf(account)).toBe('undelegated')
      time += 60_000
      await bundler.drive()
      expect(await isIncluded(hash)).toBe(true)
      expect(await stateOf(account)).toBe('delegated')
      await fixture.noticeInclusion()
    })
  })

  describe('mined later', () => {
    beforeAll(() => fixture.stopMining())
    const mine = () => fixture.chain.mine({ blocks: 1 })
    afterEach(async () => {
      for (let round = 0; round < 2; round++) {
        await mine()
        await fixture.noticeInclusion()
        await bundler.drive()
      }
    })

    test('behavior: the replacement of a stuck transaction keeps its authorisation', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account, generous)
      await bundler.drive()
      const before = (await fixture.transactions()).length
      await bundler.drive()
      time += 46_000
      await bundler.drive()
      const [replacement] = (await fixture.transactions()).slice(before)
      expect(replacement?.raw.slice(0, 4)).toBe('0x04')
      await mine()
      expect((await transactionOf(hash)).hash).toBe(replacement?.txn_hash)
      expect((await transactionOf(hash)).authorizationList).toHaveLength(1)
      expect(await stateOf(account)).toBe('delegated')
    })

    test('behavior: while its delegation is pending, the later operation of another lane waits', async () => {
      const account = await fixture.delegatedAccount()
      const first = await send(account)
      await bundler.drive()
      const second = await send(account, { nonceKey: 1n })
      await bundler.drive()
      await mine()
      expect([await isIncluded(first), await isIncluded(second)]).toEqual([true, false])
      await fixture.noticeInclusion()
      await bundler.drive()
      await mine()
      expect(await isIncluded(second)).toBe(true)
      expect((await transactionOf(second)).type).toBe('eip1559')
    })

    test('behavior: a transaction whose authorisation is spent in the same block reverts, and the account owes what it cost', async () => {
      const account = await fixture.delegatedAccount()
      const hash = await send(account)
      await bundler.drive()
      await fixture.delegate(account, zeroAddress) // pays more, so it comes first
      await mine()
      expect(await isIncluded(hash)).toBe(false)
      time += 600_000
      await bundler.drive()
      time += 600_000
      await bundler.drive()
      expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'GAS_OWED' })
      const losses = await fixture.database.db
        .selectFrom('relayer_losses')
        .selectAll()
        .where('user_op_hash', '=', hash)
        .execute()
      expect(losses).toMatchObject([{ reason: 'reverted', account: account.address.toLowerCase() }])
      // The next one repays it. It has another authorisation, and the same nonce.
      const cheap = await fixture.buildDelegated(bundler, account, [nothing], generous)
      await expect(bundler.deliver(cheap)).rejects.toMatchObject({ code: 'GAS_OWED' })
      const next = await send(account, generous)
      await bundler.drive()
      await mine()
      expect(await isIncluded(next)).toBe(true)
    })

    test('behavior: an authorisation of a nonce that a node made up until delivery is sent once, and the account owes nothing', async () => {
      const account = await fixture.delegatedAccount()
      const { address } = account
      await fixture.chain.setNonce({ address, nonce: 7 })
      const hash = await send(account)
      await bundler.drive()
      await fixture.chain.setNonce({ address, nonce: 0 })
      await mine()
      expect(await isIncluded(hash)).toBe(false)
      const sent = (await fixture.transactions()).length
      for (let round = 0; round < 3; round++) {
        time += 600_000
        await bundler.drive()
      }
      expect(await fixture.row(hash)).toMatchObject({
        state: 'submitted',
        reason_code: 'OPERATION_REFUSED',
        reason_message: expect.stringContaining('The authorisation has the nonce 7'),
      })
      expect((await fixture.transactions()).length).toBe(sent)
      const losses = await fixture.database.db
        .selectFrom('relayer_losses')
        .select('owed')
        .where('user_op_hash', '=', hash)
        .execute()
      expect(losses).toEqual([{ owed: 0n }])
      // The next one has the chain's nonce in its authorisation, and the same nonce itself.
      const next = await send(account, generous)
      time += 3_600_000 // the account waits after its refusals
      await bundler.drive()
      await mine()
      expect(await isIncluded(next)).toBe(true)
    })
  })
})

test('behavior: one EOA on two networks: each has its own authorisation', async () => {
  await using stack = new AsyncDisposableStack()
  const engine = 'pglite'
  const fixtures = [
    stack.use(await startFixture(engine, { chainId: 31_401 }, bothKinds)),
    stack.use(await startFixture(engine, { chainId: 31_402 }, bothKinds)),
  ]
  const [first] = fixtures
  if (!first) throw new Error('unreachable')
  const account = await first.delegatedAccount()
  const transfer = { ...nothing, value: 1n }
  for (const fixture of fixtures) {
    const elsewhere = fixtures.find((one) => one !== fixture)
    if (fixture !== first) {
      const { address } = account
      await fixture.register({ kind: 'eoa', address }, { address })
    }
    const bundler = fixture.bundler()
    const operation = await fixture.buildDelegated(bundler, account, [nothing])
    const hash = await fixture.submit(bundler, operation)
    await bundler.drive()
    expect(await fixture.events(hash)).toHaveLength(1)
    // Nobody can use it elsewhere.
    await fixture.noticeInclusion()
    const next = await fixture.buildDelegated(bundler, account, [transfer], { authorizationNonce: 1 })
    await expect(elsewhere?.bundler().deliver(next)).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      message: expect.stringContaining('Sign one for chain'),
    })
  }
})
