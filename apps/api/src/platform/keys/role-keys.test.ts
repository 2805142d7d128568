import { devAccounts, devRoles, smartBalanceAddress } from '@lanyard/devnet'
import { type NetworkConfig, networkConfig } from '@lanyard/networks'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../environment/configuration-error.ts'
import { readEnv } from '../environment/env.ts'
import { openKeys } from './keys.ts'
import { relayersFor, roleKeysFor, treasuryFor } from './role-keys.ts'

describe('treasury', () => {
  const relayerRefill = { below: '1', target: '10', perHour: '10' }
  const real = { chainId: 1, name: 'Real', rpcUrls: ['http://127.0.0.1:9'], relayerRefill }

  const key = (digit: number): Hex => `0x${String(digit).repeat(64)}`
  const addressOf = (digit: number) => privateKeyToAccount(key(digit)).address
  const keys = {
    RELAYER_PRIVATE_KEYS: `${key(1)},${key(2)}`,
    RELAYER_TREASURY_PRIVATE_KEY: key(3),
  }

  async function treasuryOf(variables: Record<string, string>, config: object = real) {
    const env = readEnv(variables)
    return treasuryFor(networkConfig.parse(config), env, await openKeys(env))
  }
  async function problemsOf(variables: Record<string, string>): Promise<readonly string[]> {
    const error = await treasuryOf(variables).catch((error: unknown) => error)
    return error instanceof ConfigurationError ? error.problems : []
  }

  test('default: the treasury fills up the configured relayers', async () => {
    const treasury = await treasuryOf(keys)
    expect(treasury?.account.address).toBe(addressOf(3))
    expect(treasury?.relayers).toEqual([addressOf(1), addressOf(2)])
  })

  test('args: a process with only the role topUp knows relayers by address, and does not open their keys', async () => {
    const RELAYER_PRIVATE_KEYS = `remote:${addressOf(1)},remote:${addressOf(2)}`
    const treasury = await treasuryOf({ ...keys, ROLES: 'topUp', RELAYER_PRIVATE_KEYS })
    expect(treasury?.relayers).toEqual([addressOf(1), addressOf(2)])
    expect(
      await problemsOf({ ...keys, ROLES: 'topUp', RELAYER_PRIVATE_KEYS: 'keystore:/nowhere' }),
    ).toMatchObject([expect.stringMatching(/^RELAYER_PRIVATE_KEYS: .*remote:<address>/)])
  })

  test.each([
    ['no relayerRefill', keys, { ...real, relayerRefill: undefined }],
    ['a remote bundler', keys, { ...real, bundler: { kind: 'remote', url: 'http://127.0.0.1:9' } }],
    ['another role', { ...keys, ROLES: 'api' }, real],
    ['no key', { RELAYER_PRIVATE_KEYS: keys.RELAYER_PRIVATE_KEYS }, real],
  ])('args: there is none with %s', async (_what, variables, config) => {
    expect(await treasuryOf(variables, config)).toBeUndefined()
  })

  test('error: the same key as a relayer, and a public key on a real network', async () => {
    expect(await problemsOf({ ...keys, RELAYER_TREASURY_PRIVATE_KEY: key(2) })).toEqual([
      'RELAYER_TREASURY_PRIVATE_KEY: the same key as in RELAYER_PRIVATE_KEYS; each role needs its own',
    ])
    const [printed] = devAccounts
    expect(
      await problemsOf({ ...keys, RELAYER_TREASURY_PRIVATE_KEY: printed?.privateKey ?? '' }),
    ).toMatchObject([expect.stringContaining('a public development key, and Real is not a local network')])
  })

  test.each([
    [{ below: '96', target: '100', perHour: '100' }, 'relayerRefill.below'],
    [{ below: '1', target: '100', perHour: '9' }, 'relayerRefill.perHour'],
  ])('error: %o', (relayerRefill, path) => {
    const { error } = networkConfig.safeParse({ ...real, relayerRefill })
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

describe('roleKeys', () => {
  const network = (more: object) =>
    networkConfig.parse({
      chainId: 1,
      name: 'Real',
      rpcUrls: ['http://127.0.0.1:9'],
      smartBalance: smartBalanceAddress,
      settlementToken: { address: smartBalanceAddress, symbol: 'USDC', decimals: 6 },
      nativePrice: { kind: 'fixed', price: '2500000000' },
      ...more,
    })
  const local = network({ local: true })
  const real = network({})

  const key = (digit: number): Hex => `0x${String(digit).repeat(64)}`
  const keys = {
    OPERATOR_PRIVATE_KEY: key(1),
    ATTESTOR_PRIVATE_KEYS: `${key(2)},${key(3)}`,
    SETTLER_PRIVATE_KEY: key(4),
  }
  const rolesOf = async (config: NetworkConfig, variables: Record<string, string>) => {
    const env = readEnv(variables)
    return roleKeysFor(config, env, await openKeys(env))
  }
  const problemsOf = async (variables: Record<string, string>, config = real): Promise<readonly string[]> => {
    try {
      await rolesOf(config, variables)
      return []
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems
      throw error
    }
  }
  const [printed] = devAccounts

  test('default: a local network uses the public keys', async () => {
    const { operator, attestors, settler } = await rolesOf(local, {})
    expect(operator?.address).toBe(devRoles.operator.address)
    expect(settler?.address).toBe(devRoles.settler.address)
    expect(attestors.map(({ address }) => address)).toEqual(devRoles.attestors.map(({ address }) => address))
  })

  test('behavior: a network without a smart balance has no roles and needs no keys', async () => {
    expect(await rolesOf(network({ smartBalance: undefined }), {})).toEqual({ attestors: [] })
  })

  test('behavior: configured keys take precedence, even on a local network', async () => {
    for (const config of [local, real]) {
      const { operator, attestors, settler } = await rolesOf(config, keys)
      expect([operator, settler, ...attestors].map((account) => account?.address)).toEqual([
        '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
        '0x7564105E977516C53bE337314c7E53838967bDaC',
        '0x1563915e194D8CfBA1943570603F7606A3115508',
        '0x5CbDd86a2FA8Dc4bDdd8a8f69dBa48572EeC07FB',
      ])
    }
  })

  test('args: with ROLES a process holds and needs only the keys of its roles', async () => {
    const { ATTESTOR_PRIVATE_KEYS } = keys
    const attestor = await rolesOf(real, { ROLES: 'attestor', ATTESTOR_PRIVATE_KEYS })
    expect(Object.keys(attestor)).toEqual(['attestors'])
    expect(attestor.attestors).toHaveLength(2)
    expect(await rolesOf(local, { ROLES: 'worker' })).toEqual({ attestors: [] })
    expect((await rolesOf(local, { ROLES: 'settler' })).settler?.address).toBe(devRoles.settler.address)
  })

  test('error: a real network needs the keys of all roles', async () => {
    expect((await problemsOf({})).map((problem) => problem.split(':')[0])).toEqual([
      'OPERATOR_PRIVATE_KEY',
      'ATTESTOR_PRIVATE_KEYS',
      'SETTLER_PRIVATE_KEY',
    ])
  })

  test.each(['OPERATOR_PRIVATE_KEY', 'ATTESTOR_PRIVATE_KEYS', 'SETTLER_PRIVATE_KEY'])(
    'error: %s is a public key on a real network',
    async (variable) => {
      for (const account of [printed, devRoles.settler, devRoles.attestors[1]]) {
        const problems = await problemsOf({ ...keys, [variable]: account?.privateKey ?? '' })
        expect(problems).toEqual([`${variable}: a public development key, and Real is not a local network`])
      }
    },
  )

  test.each([
    ['SETTLER_PRIVATE_KEY', { SETTLER_PRIVATE_KEY: key(1) }],
    ['ATTESTOR_PRIVATE_KEYS', { ATTESTOR_PRIVATE_KEYS: `${key(2)},${key(2)}` }],
    ['RELAYER_PRIVATE_KEYS', { RELAYER_PRIVATE_KEYS: key(4) }],
  ])('error: the same key has two roles: %s', async (variable, change) => {
    for (const config of [local, real]) {
      const problems = await problemsOf({ ...keys, ...change }, config)
      expect(problems).toEqual([expect.stringContaining(`${variable}: the same key as in`)])
    }
  })

  test('error: a relayer has a public key on a real network', async () => {
    const opened = await openKeys(readEnv({ RELAYER_PRIVATE_KEYS: `${key(5)},${printed?.privateKey}` }))
    expect(() => relayersFor(real, opened)).toThrow(
      'RELAYER_PRIVATE_KEYS: a public development key, and Real is not a local network',
    )
    expect(relayersFor(local, opened)).toHaveLength(2)
  })
})
