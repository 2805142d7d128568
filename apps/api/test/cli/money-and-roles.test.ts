/** @module-tag all */

import { settlementTokenAddress } from '@lanyard/devnet'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressAt, type CliChain, keyAt, owner, smartBalance, startCliChain } from './cli-chain.ts'
import { runInProcess } from './run-in-process.ts'

/** Seconds. */
const day = 86_400

let cli: CliChain
beforeAll(async () => {
  cli = await startCliChain()
  expect(await cli.deploy()).toMatchObject({ code: 0 })
})
afterAll(() => cli[Symbol.asyncDispose]())

beforeEach(async () => {
  const before = await cli.chain.snapshot()
  return () => cli.chain.revert({ id: before })
})

/** Runs a command that must exit with 0, and returns its document. */
const run = async (...args: string[]) => {
  const ended = await cli.run(cli.envAfter, ...args, '--json')
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  return ended.json()
}
const fails = async (...args: string[]) => {
  const ended = await cli.run(cli.envAfter, ...args, '--json')
  return { code: ended.code, error: ended.json().error?.code, stderr: ended.stderr }
}
const wait = async (seconds: number) => {
  await cli.chain.increaseTime({ seconds })
  await cli.chain.mine({ blocks: 1 })
}

describe('liquidity', () => {
  test('default: fund, withdraw, status', async () => {
    const planned = await run('liquidity', 'fund', '--amount', '29.5', '--dry-run')
    expect(planned.sent).toEqual([
      {
        description: expect.stringContaining('add 29.5 tokens'),
        to: settlementTokenAddress,
        value: '0',
        data: expect.stringMatching(/^0xa9059cbb/),
      },
    ])
    await run('liquidity', 'fund', '--amount', '29.5')
    await run('liquidity', 'withdraw', '--amount', '60')
    expect(await run('liquidity', 'status')).toMatchObject({
      liquidity: '40000000',
      totalDeposits: '0',
      outflowCap: '500000000',
      lentThisHour: '0',
      paused: false,
    })
    expect(await fails('liquidity', 'withdraw', '--amount', '41')).toMatchObject({
      code: 1,
      error: 'WOULD_REVERT',
      stderr: expect.stringContaining('InsufficientLiquidity(40000000, 41000000)'),
    })
  })

  test('behavior: stderr shows the transaction and the question, and stdout shows the result', async () => {
    const args = ['liquidity', 'fund', '--amount', '1', '--network', '31337']
    const { stdout, stderr } = await runInProcess({ env: cli.envAfter, answer: 'y' }, ...args)
    expect(stderr).toContain(`Send this transaction on Test (31337) as ${owner.address}? [y/N]`)
    expect(stdout).toMatch(/^Done: add 1 tokens of 0x\w{40} to liquidity \(0x\w{64}\)\n$/)
    const declined = await runInProcess({ env: cli.envAfter, answer: '' }, ...args)
    expect(declined).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Nothing was done.'),
    })
    expect(await cli.read('liquidity')).toBe(71_500_000n)
  })

  test('behavior: nothing is sent while a transaction of the owner is pending', async () => {
    await cli.chain.setAutomine(false)
    await cli.chain.setIntervalMining({ interval: 0 })
    await cli.chain.impersonateAccount({ address: owner.address })
    await cli.chain.request({
      method: 'eth_sendTransaction' as never, // unlocked by the line above; a test client has no wallet actions
      params: [{ from: owner.address, to: addressAt(0), value: '0x1' }] as never,
    })
    const rejected = await fails('liquidity', 'fund', '--amount', '1')
    await cli.chain.setAutomine(true)
    await cli.chain.setIntervalMining({ interval: 1 })
    // Otherwise it is still pending when the next test begins.
    await cli.chain.mine({ blocks: 1 })
    expect(rejected).toMatchObject({ code: 1, error: 'TRANSACTIONS_PENDING' })
  })
})

test('gas-deposit: add, withdraw, status', async () => {
  await run('gas-deposit', 'add', '--amount', '0.5')
  await run('gas-deposit', 'withdraw', '--amount', '1.2', '--to', addressAt(9))
  expect(await run('gas-deposit', 'status')).toMatchObject({ gasDeposit: parseEther('0.3').toString() })
  expect(await fails('gas-deposit', 'withdraw', '--amount', '0.4')).toMatchObject({ error: 'WOULD_REVERT' })
  expect(await cli.chain.getBalance({ address: addressAt(9) })).toBe(parseEther('10001.2'))
})

test('token-fees: deploy, deposit, withdraw, collect, status', async () => {
  expect(await fails('token-fees', 'deposit', '--amount', '0.5')).toMatchObject({
    code: 1,
    error: 'NOT_DEPLOYED',
    stderr: expect.stringContaining('lanyard token-fees deploy --network 31337'),
  })
  const planned = await run('token-fees', 'deploy', '--dry-run')
  expect(planned.sent).toMatchObject([
    { description: expect.stringMatching(/^deploy TokenPaymaster for EntryPoint v0\.7 at 0x/) },
  ])
  expect(await run('token-fees', 'status')).toMatchObject({
    paymasters: [{ version: 'v0.7', isDeployed: false, gasDeposit: '0' }],
  })
  const { paymasters } = await run('token-fees', 'deploy')
  expect((await run('token-fees', 'deploy')).sent).toEqual([])
  await run('token-fees', 'deposit', '--amount', '0.5')
  await run('token-fees', 'withdraw', '--amount', '0.2', '--to', addressAt(9))
  expect(await cli.chain.getBalance({ address: addressAt(9) })).toBe(parseEther('10000.2'))
  await run('liquidity', 'withdraw', '--amount', '3', '--to', paymasters[0])
  const { stdout } = await cli.run(cli.envAfter, 'token-fees', 'status')
  expect(stdout).toMatch(/gas deposit {7}0\.3 .*\n {2}USDC {14}3 taken, and not collected/)
  const collect = ['token-fees', 'collect', '--token', settlementTokenAddress, '--to', addressAt(9)]
  expect((await run(...collect)).sent).toMatchObject([{ description: `pay 3 USDC to ${addressAt(9)}` }])
  expect(await run('token-fees', 'status')).toMatchObject({
    paymasters: [
      {
        version: 'v0.7',
        isDeployed: true,
        gasDeposit: parseEther('0.3').toString(),
        tokens: [{ amount: '0' }],
      },
    ],
  })
  expect(await fails('token-fees', 'withdraw', '--amount', '0.4')).toMatchObject({ error: 'WOULD_REVERT' })
  const again = await cli.run(cli.envAfter, ...collect)
  expect(again).toMatchObject({ code: 0, stdout: 'There is nothing to collect.\n' })
})

test('stake: add, unlock, withdraw after the delay, status', async () => {
  await run('stake', 'add', '--amount', '0.25')
  expect(await run('stake', 'status')).toMatchObject({
    stake: parseEther('0.75').toString(),
    state: 'locked',
    unstakeDelay: day,
  })
  expect(await fails('stake', 'withdraw')).toMatchObject({ code: 1, error: 'STAKE_LOCKED' })
  expect((await run('stake', 'unlock', '--dry-run')).sent).toHaveLength(1)
  const { withdrawableAt, sent } = await run('stake', 'unlock')
  expect(sent).toHaveLength(1)
  // A second run does not restart the delay.
  expect(await run('stake', 'unlock')).toMatchObject({ withdrawableAt, sent: [] })
  expect(await fails('stake', 'withdraw')).toMatchObject({ code: 1, error: 'STAKE_LOCKED' })
  await wait(day)
  expect((await run('stake', 'withdraw', '--to', addressAt(9))).amount).toBe(parseEther('0.75').toString())
  expect(await run('stake', 'status')).toMatchObject({ stake: '0', state: 'none' })
  expect(await fails('stake', 'unlock')).toMatchObject({ error: 'NO_STAKE' })
  // A delay below one day is rejected before any request.
  expect((await cli.run(cli.envAfter, 'stake', 'add', '--amount', '1', '--unstake-delay', '60')).code).toBe(2)
})

test('pause and resume', async () => {
  expect(await run('pause')).toMatchObject({ paused: true, sent: [expect.anything()] })
  expect(await cli.read('paused')).toBe(true)
  expect(await run('pause')).toMatchObject({ paused: true, sent: [] })
  expect(await run('resume')).toMatchObject({ paused: false })
  expect(await cli.read('paused')).toBe(false)
  const thirdParty = await cli.run({ ...cli.envAfter, DEPLOYER_PRIVATE_KEY: keyAt(0) }, 'pause', '--json')
  expect(thirdParty).toMatchObject({ code: 1 })
  expect(thirdParty.json().error.code).toBe('NOT_OWNER')
})

test('the pauser can only pause and revoke operators', async () => {
  // A second run of deploy can set the pauser at any time.
  expect(await cli.deploy('--pauser', addressAt(9))).toMatchObject({ code: 0 })
  expect(await run('roles', 'list')).toMatchObject({ pauser: addressAt(9) })
  const pauser = { ...cli.envAfter, DEPLOYER_PRIVATE_KEY: keyAt(9) }
  const act = async (...args: string[]) => {
    const ended = await cli.run(pauser, ...args, '--json')
    return { code: ended.code, error: ended.json().error?.code }
  }
  const operator = ['--role', 'operator', '--address', addressAt(1)]
  expect(await act('roles', 'revoke', ...operator)).toMatchObject({ code: 0 })
  expect(await act('pause')).toMatchObject({ code: 0 })
  expect(await cli.read('paused')).toBe(true)
  const forbidden = [
    ['resume'],
    ['roles', 'grant', ...operator],
    ['roles', 'revoke', '--role', 'settler', '--address', addressAt(2)],
    ['liquidity', 'withdraw', '--amount', '1'],
  ]
  for (const args of forbidden) expect(await act(...args)).toEqual({ code: 1, error: 'NOT_OWNER' })
  expect(await cli.read('paused')).toBe(true)
})

describe('roles', { tags: ['all'] }, () => {
  const names = (list: { address: string; active: boolean }[]) =>
    list.filter(({ active }) => active).map(({ address }) => address)

  test('list: shows configured and named addresses, and every address with --scan-from', async () => {
    await run('roles', 'grant', '--role', 'operator', '--address', addressAt(9), '--address', addressAt(2))
    await run('roles', 'revoke', '--role', 'operator', '--address', addressAt(2))
    const listed = await run('roles', 'list', '--settler', addressAt(9))
    expect(listed).toMatchObject({
      owner: owner.address,
      threshold: 2,
      attestorCount: 3,
      complete: false,
      operators: [{ address: addressAt(4), active: true }],
      settlers: [{ address: addressAt(9), active: false }],
      attestors: [6, 7, 8].map((index) => ({ address: addressAt(index), active: true })),
    })
    const { operators, attestors, complete } = await run('roles', 'list', '--scan-from', '0')
    expect(complete).toBe(true)
    expect(names(operators).sort()).toEqual([addressAt(4), addressAt(9)].sort())
    expect(operators).toContainEqual(expect.objectContaining({ address: addressAt(2), active: false }))
    expect(attestors).toHaveLength(3)
    const { stdout } = await runInProcess({ env: cli.envAfter }, 'roles', 'list', '--network', '31337')
    expect(stdout).toContain(`operator  ${addressAt(4)} has the role`)
  })

  test('behavior: an operator rotation has three steps, and each can be repeated', async () => {
    const rotate = ['roles', 'rotate', '--role', 'operator', '--from', addressAt(4), '--to', addressAt(9)]
    expect((await run(...rotate, '--retire', '--dry-run')).sent).toMatchObject([
      { description: `make ${addressAt(9)} operator` },
    ])
    for (const sent of [1, 0]) {
      const ended = await cli.run(cli.envAfter, ...rotate, '--json')
      expect(ended.code).toBe(3)
      expect(ended.json()).toMatchObject({
        sent: { length: sent },
        left: [expect.stringContaining('OPERATOR_PRIVATE_KEY')],
      })
    }
    for (const sent of [1, 0]) expect((await run(...rotate, '--retire')).sent).toHaveLength(sent)
    expect(await run('roles', 'list', '--operator', addressAt(9), '--operator', addressAt(4))).toMatchObject({
      operators: [{ active: true }, { active: false }],
    })
  })

  test('behavior: a new attestor is proposed, then added after 14 days, and only then is the old one removed', async () => {
    const rotate = ['roles', 'rotate', '--role', 'attestor', '--from', addressAt(6), '--to', addressAt(9)]
    const step = async (...more: string[]) => {
      const { code, json } = await cli.run(cli.envAfter, ...rotate, ...more, '--json')
      const { sent, left, from, to } = json()
      return { code, sent: sent.length, left, active: [from.active, to.active] }
    }
    // Even with --retire, the old attestor stays until the new one is active.
    expect(await step('--retire')).toMatchObject({ code: 3, sent: 1, active: [true, false] })
    const waiting = await step('--retire')
    expect(waiting).toMatchObject({
      code: 3,
      sent: 0,
      left: [expect.stringMatching(/can be added.*from \d{4}-/), expect.anything()],
    })
    await wait(14 * day - 60)
    expect(await step()).toMatchObject({ code: 3, sent: 0, active: [true, false] })
    await wait(61)
    expect(await step()).toMatchObject({ code: 3, sent: 1, active: [true, true] })
    expect(await step('--retire')).toEqual({ code: 0, sent: 1, left: [], active: [false, true] })
    expect(await run('roles', 'list')).toMatchObject({ attestorCount: 3, threshold: 2 })
  })

  test('behavior: the threshold rises at once and falls after 14 days, and a change that leaves too few attestors is rejected', async () => {
    const revoke = [
      'roles',
      'revoke',
      '--role',
      'attestor',
      '--address',
      addressAt(6),
      '--address',
      addressAt(7),
    ]
    expect(await fails(...revoke)).toMatchObject({ code: 1, error: 'TOO_FEW_ATTESTORS' })
    expect(await fails('roles', 'threshold', '--count', '3')).toMatchObject({ error: 'TOO_FEW_ATTESTORS' })
    const lower = ['roles', 'threshold', '--count', '1']
    for (const sent of [1, 0]) {
      const ended = await cli.run(cli.envAfter, ...lower, '--json')
      expect([ended.code, ended.json().sent.length]).toEqual([3, sent])
    }
    await wait(14 * day + 1)
    expect(await run(...lower)).toMatchObject({ threshold: 1, sent: [{}] })
    expect(await run('roles', 'threshold', '--count', '2')).toMatchObject({ threshold: 2, sent: [{}] })
    expect((await run(...revoke, '--force')).sent).toHaveLength(2)
  })

  test('behavior: a proposal expires after seven more days and can be made again', async () => {
    const grant = ['roles', 'grant', '--role', 'attestor', '--address', addressAt(9)]
    const lower = ['roles', 'threshold', '--count', '1']
    const step = async (args: string[]) => {
      const { code, json } = await cli.run(cli.envAfter, ...args, '--json')
      return { code, sent: json().sent.map(({ description }: { description: string }) => description) }
    }
    const proposed = { code: 3, sent: [expect.stringContaining('propose')] }
    for (const args of [grant, lower]) expect(await step(args)).toMatchObject(proposed)
    await wait(21 * day - 60)
    expect(await run('roles', 'list', '--attestor', addressAt(9))).toMatchObject({
      pendingThreshold: { threshold: 1 },
      attestors: [{ active: false, readyAt: expect.any(Number) }],
    })
    await wait(120)
    expect(await run('roles', 'list', '--attestor', addressAt(9))).toMatchObject({
      pendingThreshold: null,
      attestors: [{ active: false, readyAt: null }],
    })
    for (const args of [grant, lower]) expect(await step(args)).toMatchObject(proposed)
  })

  test('behavior: pauser set names a pauser, and the zero address removes it', async () => {
    const set = (address: string, ...more: string[]) => run('pauser', 'set', '--address', address, ...more)
    expect(await set(addressAt(9), '--dry-run')).toMatchObject({ pauser: zeroAddress, sent: [{}] })
    expect(await set(addressAt(9))).toMatchObject({ pauser: addressAt(9), sent: [{}] })
    expect(await set(addressAt(9))).toMatchObject({ sent: [] })
    expect(await run('roles', 'list')).toMatchObject({ pauser: addressAt(9) })
    expect(await set(zeroAddress)).toMatchObject({ pauser: zeroAddress, sent: [{}] })
  })

  test('behavior: ownership of both contracts is offered, then accepted with the new key', async () => {
    const next = { ...cli.envAfter, DEPLOYER_PRIVATE_KEY: keyAt(9) }
    const rotate = ['roles', 'rotate', '--role', 'owner', '--to', addressAt(9), '--json']
    const early = await cli.run(next, ...rotate)
    expect([early.code, early.json().sent]).toEqual([3, []])
    const offered = await cli.run(cli.envAfter, ...rotate)
    expect(offered.code).toBe(3)
    expect(offered.json()).toMatchObject({ sent: { length: 2 }, left: { length: 2 } })
    const accepted = await cli.run(next, ...rotate)
    expect(accepted.code).toBe(0)
    expect(accepted.json()).toMatchObject({ sent: { length: 2 }, left: [] })
    const owners = await Promise.all([
      cli.chain.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName: 'owner' }),
      cli.chain.readContract({
        address: (await run('roles', 'list')).verifier,
        abi: attestorSetAbi,
        functionName: 'owner',
      }),
    ])
    expect(owners).toEqual([addressAt(9), addressAt(9)])
    expect(await fails('pause')).toMatchObject({ error: 'NOT_OWNER' })
  })

  test.each([
    ['the operator as settler', ['grant', '--role', 'settler', '--address', addressAt(4)], 'is operator'],
    ['the owner as operator', ['grant', '--role', 'operator', '--address', owner.address], 'is owner'],
    [
      'a rotation to the same address',
      ['rotate', '--role', 'settler', '--from', addressAt(5), '--to', addressAt(5)],
      'same',
    ],
    ['a rotation without --from', ['rotate', '--role', 'settler', '--to', addressAt(9)], '--from: needed'],
  ])('error: %s', async (_name, args, message) => {
    const ended = await cli.run(cli.envAfter, 'roles', ...args)
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('error: a private key that owns, and a public development key, on a network that is not local', async () => {
    const env = {
      ...cli.envAfter,
      DEPLOYER_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
      NETWORKS_FILE: await cli.networksFile({ smartBalance, nativePrice: { kind: 'fixed', price: '1' } }),
    }
    const ended = await cli.run(env, 'roles', 'rotate', '--role', 'owner', '--to', addressAt(9))
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('its owner is a multisig') })
    const public_ = await cli.run({ ...env, DEPLOYER_PRIVATE_KEY: keyAt(3) }, 'pause')
    expect(public_).toMatchObject({ code: 2, stderr: expect.stringContaining('a public development key') })
  })
})
