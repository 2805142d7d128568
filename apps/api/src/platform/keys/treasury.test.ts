import { devAccounts } from '@lanyard/devnet'
import { networkConfig } from '@lanyard/networks'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ConfigurationError } from '../environment/configuration-error.ts'
import { readEnv } from '../environment/env.ts'
import { openKeys } from './keys.ts'
import { treasuryFor } from './treasury.ts'

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
