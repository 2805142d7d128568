import { devRoles } from '@lanyard/devnet'
import type { NetworkConfig } from '@lanyard/networks'
import { type KeySource, publishedAddress } from '@lanyard/signers'
import type { Address } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import type { CliEnv } from '../../platform/environment/env.ts'
import { createKeyOpener, type OpenKey } from '../../platform/keys/key-opener.ts'
import { isPublicDevelopmentKey, localRelayers } from '../../platform/keys/role-keys.ts'

/** Addresses from the command line; empty when none are given. */
export interface NamedHolders {
  readonly operator?: readonly Address[]
  readonly settler?: readonly Address[]
  readonly attestor?: readonly Address[]
}

export interface RoleHolders {
  readonly operators: readonly Address[]
  readonly settlers: readonly Address[]
  readonly attestors: readonly Address[]
}

/**
 * The known or intended holders of each role: those named on the command line, otherwise those of the
 * environment's keys, otherwise (on local networks) the public ones.
 */
export async function findRoleHolders(
  { local }: NetworkConfig,
  env: CliEnv,
  named: NamedHolders = {},
): Promise<RoleHolders> {
  const open = createKeyOpener(env)
  const choose = async (
    given: readonly Address[] | undefined,
    variable: string,
    sources: readonly (KeySource | undefined)[],
    development: readonly Address[],
  ) => {
    if (given && given.length > 0) return given
    const keys = sources.filter((source) => source !== undefined)
    if (keys.length === 0) return local ? development : []
    return Promise.all(keys.map((key) => addressOf(open, variable, key)))
  }
  const { OPERATOR_PRIVATE_KEY, SETTLER_PRIVATE_KEY, ATTESTOR_PRIVATE_KEYS } = env
  const { operator, settler, attestors } = devRoles
  const attestorAddresses = attestors.map(({ address }) => address)
  return {
    operators: await choose(
      named.operator,
      'OPERATOR_PRIVATE_KEY',
      [OPERATOR_PRIVATE_KEY],
      [operator.address],
    ),
    settlers: await choose(named.settler, 'SETTLER_PRIVATE_KEY', [SETTLER_PRIVATE_KEY], [settler.address]),
    attestors: await choose(
      named.attestor,
      'ATTESTOR_PRIVATE_KEYS',
      ATTESTOR_PRIVATE_KEYS,
      attestorAddresses,
    ),
  }
}

/**
 * The accounts that pay for bundles: those of the environment's keys, otherwise (on local networks) the
 * public one.
 */
export async function findRelayers(config: NetworkConfig, env: CliEnv): Promise<readonly Address[]> {
  const { RELAYER_PRIVATE_KEYS: sources } = env
  if (sources.length === 0) return config.local ? localRelayers : []
  const open = createKeyOpener(env)
  return Promise.all(sources.map((source) => addressOf(open, 'RELAYER_PRIVATE_KEYS', source)))
}

/**
 * The accounts that fill the gas deposit: that of the environment's key, otherwise (on local networks) the
 * public one.
 */
export async function findTopUps({ local }: NetworkConfig, env: CliEnv): Promise<readonly Address[]> {
  const { TOP_UP_PRIVATE_KEY: source } = env
  if (source === undefined) return local ? [devRoles.topUp.address] : []
  return [await addressOf(createKeyOpener(env), 'TOP_UP_PRIVATE_KEY', source)]
}

/** The address of a key; only one that does not publish it is opened. */
const addressOf = async (open: OpenKey, variable: string, source: KeySource): Promise<Address> =>
  publishedAddress(source) ?? (await open(variable, source)).address

/** The account that fills up relayers: that of the environment's key. */
export async function findTreasuries(env: CliEnv): Promise<readonly Address[]> {
  const { RELAYER_TREASURY_PRIVATE_KEY: source } = env
  if (source === undefined) return []
  return [await addressOf(createKeyOpener(env), 'RELAYER_TREASURY_PRIVATE_KEY', source)]
}

/** @throws ConfigurationError naming each role without a holder, and each public key on a network that is not local */
export function assertRoleHolders({ local, name }: NetworkConfig, holders: RoleHolders): void {
  const roles = [
    ['operator', 'OPERATOR_PRIVATE_KEY', holders.operators],
    ['settler', 'SETTLER_PRIVATE_KEY', holders.settlers],
    ['attestor', 'ATTESTOR_PRIVATE_KEYS', holders.attestors],
  ] as const
  const problems = roles.flatMap(([role, variable, addresses]) => {
    if (addresses.length === 0) return [`no ${role}: give --${role} <address>, or ${variable}`]
    const known = addresses.find((address) => !local && isPublicDevelopmentKey(address))
    return known ? [`${role} ${known} has a public development key, and ${name} is not a local network`] : []
  })
  if (problems.length > 0) throw new ConfigurationError('The roles', problems)
}
