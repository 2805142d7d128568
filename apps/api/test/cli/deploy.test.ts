/** @module-tag all */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressAt, amounts, type CliChain, keyAt, owner, smartBalance, startCliChain } from './cli-chain.ts'
import { startCli } from './cli-process.ts'
import { runInProcess } from './run-in-process.ts'

let cli: CliChain
beforeAll(async () => {
  cli = await startCliChain()
})
afterAll(() => cli[Symbol.asyncDispose]())

// Each test starts with a chain that has no contracts of this owner.
beforeEach(async () => {
  const before = await cli.chain.snapshot()
  return () => cli.chain.revert({ id: before })
})

describe('deploy', () => {
  test('default: prints the address, the steps, and the lines for the networks file', async () => {
    const { code, stdout, stderr } = await cli.deploy()
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(`SmartBalance at ${smartBalance}`)
    expect(stderr).toContain(`✓ make ${addressAt(4)} operator`)
    expect(stdout).toContain(`"smartBalance": "${smartBalance}",\n  "nativePrice": {`)
    expect(await cli.read('liquidity')).toBe(70_500_000n)
    expect(await cli.read('outflow')).toEqual([500_000_000n, 0n, 0])

    const again = await cli.deploy()
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') })
  })

  test('args: --dry-run --json sends nothing', async () => {
    const before = await cli.transactionCount()
    const dry = await cli.deploy('--dry-run', '--json')
    expect(dry.code).toBe(0)
    expect(dry.json()).toMatchObject({
      network: 31337,
      dryRun: true,
      smartBalance,
      tokenNeeded: '70500000',
      steps: expect.arrayContaining([{ name: 'stake', description: expect.any(String) }]),
    })
    expect(await cli.transactionCount()).toBe(before)

    const done = (await cli.deploy('--json')).json()
    expect(done.steps.map(({ name }: { name: string }) => name)).toEqual(
      dry.json().steps.map(({ name }: { name: string }) => name),
    )
    for (const { transactionHash } of done.steps) expect(transactionHash).toMatch(/^0x\w{64}$/)
  })

  test('behavior: without --gas-deposit, the deposit holds what an hour needs', async () => {
    const nativePrice = { kind: 'fixed', price: '2500000000' } // 2,500 tokens
    const env = {
      ...cli.envBefore,
      NETWORKS_FILE: await cli.networksFile({ local: true, nativePrice }),
      TOP_UP_PER_HOUR: '50',
    }
    const planned = (await cli.run(env, 'deploy', '--outflow-cap', '500', '--dry-run', '--json')).json()
    const { description } = planned.steps.find(({ name }: { name: string }) => name === 'gasDeposit')
    // 50 tokens at 2,500 tokens a coin: 0.02 coins.
    expect(description).toContain('deposit 20000000000000000 wei')
  })

  test('behavior: asks for confirmation and sends nothing without it', async () => {
    const before = await cli.transactionCount()
    const args = ['deploy', '--network', '31337', ...amounts]
    const env = cli.envBefore
    const declined = await runInProcess({ env, answer: 'n' }, ...args)
    expect(declined).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Send these \d+ transactions on Test \(31337\)\? \[y\/N\]/),
    })
    const unattended = await runInProcess({ env }, ...args)
    expect(unattended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no terminal to ask in'),
    })
    expect(await cli.transactionCount()).toBe(before)
    expect((await runInProcess({ env, answer: 'yes' }, ...args)).code).toBe(0)
    expect(await cli.read('liquidity')).toBe(70_500_000n)
  })

  test('behavior: a second run continues after SIGKILL', async () => {
    const { child, ended } = startCli(cli.envBefore, 'deploy', '--network', '31337', ...amounts, '--yes')
    child.stderr?.on('data', (chunk) => {
      if (String(chunk).includes('3/')) child.kill('SIGKILL')
    })
    expect((await ended).code).toBeNull()
    // A transaction sent just before the kill may still be pending.
    await expect
      .poll(async () => (await cli.transactionCount('pending')) - (await cli.transactionCount()))
      .toBe(0)

    const again = await cli.deploy('--json')
    expect(again.code).toBe(0)
    expect(again.json().steps.length).toBeLessThan(8)
    expect(await cli.read('liquidity')).toBe(70_500_000n)
    expect((await cli.deploy()).stdout).toContain('Nothing to do')
  })
})

test('deploy-session-keys: the first run deploys the module and the second has nothing to do', async () => {
  const run = async (...args: string[]) => {
    const ended = await cli.run(cli.envAfter, 'deploy-session-keys', '--json', ...args)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    return ended.json()
  }
  const { sessionKeys } = await run('--dry-run')
  expect(await cli.chain.getCode({ address: sessionKeys })).toBeUndefined()
  expect(await run()).toMatchObject({ sessionKeys, sent: [{}] })
  expect(await cli.chain.getCode({ address: sessionKeys })).toBeDefined()
  expect(await run()).toMatchObject({ sessionKeys, sent: [] })
})

test('deploy-ownership: the first run deploys the module and the second has nothing to do', async () => {
  const run = async (...args: string[]) => {
    const ended = await cli.run(cli.envAfter, 'deploy-ownership', '--json', ...args)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    return ended.json()
  }
  const { ownership } = await run('--dry-run')
  expect(await cli.chain.getCode({ address: ownership })).toBeUndefined()
  expect(await run()).toMatchObject({ ownership, sent: [{}] })
  expect(await cli.chain.getCode({ address: ownership })).toBeDefined()
  expect(await run()).toMatchObject({ ownership, sent: [] })
})

test('error: wrong usage or configuration exits with 2, a failed command with 1', async () => {
  const before = cli.envBefore
  const without = (name: string) => ({ ...before, [name]: '' })
  const deploy = ['deploy', '--network', '31337', ...amounts]
  const cases: [number, string, Record<string, string>, string[]][] = [
    [2, "required option '--outflow-cap <tokens>'", before, ['deploy', '--network', '31337']],
    [2, 'Expected a chain id', before, ['pause', '--network', 'base']],
    [2, 'at most 6 decimals', before, [...deploy, '--liquidity', '0.0000001']],
    [2, "unknown command 'depoly'", before, ['depoly']],
    [2, "required option '--role <role>'", before, ['roles', 'grant', '--network', '31337']],
    [2, 'DEPLOYER_PRIVATE_KEY: needed', without('DEPLOYER_PRIVATE_KEY'), deploy],
    [2, 'NETWORKS_FILE: needed', without('NETWORKS_FILE'), deploy],
    [
      2,
      'a public development key',
      { ...before, NETWORKS_FILE: await cli.networksFile({}) },
      [...deploy, '--dry-run'],
    ],
    [1, 'its owner is a multisig', { ...before, NETWORKS_FILE: await cli.networksFile({}) }, deploy],
    [1, 'Network 5 is not configured here', before, ['deploy', '--network', '5', ...amounts]],
    [1, 'has no smartBalance in NETWORKS_FILE', before, ['pause', '--network', '31337']],
    [1, 'lacks 500000000 base units', before, [...deploy, '--liquidity', '1500']],
    [
      1,
      'Test does not answer',
      { ...before, NETWORKS_FILE: await cli.networksFile({ local: true, rpcUrls: ['http://127.0.0.1:9'] }) },
      deploy,
    ],
  ]
  for (const [code, message, env, args] of cases) {
    const ended = await runInProcess({ env }, ...args)
    expect({ code: ended.code, stderr: ended.stderr }, message).toEqual({
      code,
      stderr: expect.stringContaining(message),
    })
    // Only unexpected errors print a stack. An RPC URL may contain a key.
    expect(ended.stderr).not.toMatch(/\n\s+at |127\.0\.0\.1/)
  }
  const thirdParty = await cli.run(
    { ...before, DEPLOYER_PRIVATE_KEY: keyAt(0) },
    'deploy',
    ...amounts,
    '--dry-run',
  )
  // Another owner gets another contract address, so the existing contracts do not interfere.
  expect(thirdParty).toMatchObject({ code: 0, stdout: expect.not.stringContaining(owner.address) })
})

test('behavior: the program runs as a separate process', async () => {
  const help = await startCli({}, '--help').ended
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['deploy', 'roles', 'liquidity', 'gas-deposit', 'stake', 'pause', 'resume', 'keys']) {
    expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  }
  expect((await startCli({}, 'depoly').ended).code).toBe(2)
})
