import { type KeySource, publishedAddress } from '@lanyard/signers'
import type { Address, LocalAccount } from 'viem'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import { sendsOperations } from '../environment/sends-operations.ts'
import type { Metrics, SignerRole } from '../metrics/metrics.ts'
import { observeSigner } from '../metrics/observe-signer.ts'
import { createKeyOpener } from './key-opener.ts'

export type KeyVariable =
  | 'RELAYER_PRIVATE_KEYS'
  | 'OPERATOR_PRIVATE_KEY'
  | 'ATTESTOR_PRIVATE_KEYS'
  | 'SETTLER_PRIVATE_KEY'
  | 'TOP_UP_PRIVATE_KEY'

/** The keys that the environment names, as far as the process's ROLES need them. */
export interface Keys {
  /** Of each variable, in its order; empty where it is not set, or no role of this process needs it. */
  readonly accounts: Readonly<Record<KeyVariable, readonly LocalAccount[]>>
  /** Every address that can be told without opening what this process does not need, with its variable. */
  readonly named: readonly { readonly variable: KeyVariable; readonly address: Address }[]
}

/**
 * Opens the keys of this process. Other roles' keys are not touched, even where the environment has them.
 *
 * @param metrics - count what remote signers are asked for
 * @throws ConfigurationError listing every key that cannot be opened
 */
export async function openKeys(env: Env, metrics?: Metrics): Promise<Keys> {
  const open = createKeyOpener(env)
  const problems: string[] = []
  const accounts: Record<KeyVariable, LocalAccount[]> = {
    RELAYER_PRIVATE_KEYS: [],
    OPERATOR_PRIVATE_KEY: [],
    ATTESTOR_PRIVATE_KEYS: [],
    SETTLER_PRIVATE_KEY: [],
    TOP_UP_PRIVATE_KEY: [],
  }
  const named: { variable: KeyVariable; address: Address }[] = []
  for (const { variable, role, sources, needed } of variablesOf(env)) {
    const observe = metrics && observeSigner(metrics, role)
    for (const source of sources) {
      try {
        const account = needed ? await open(variable, source, observe) : undefined
        if (account) accounts[variable].push(account)
        const address = account?.address ?? publishedAddress(source)
        if (address) named.push({ variable, address })
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        problems.push(...error.problems)
      }
    }
  }
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
  return { accounts, named }
}

interface KeyVariableUse {
  readonly variable: KeyVariable
  readonly role: SignerRole
  readonly sources: readonly KeySource[]
  /** By a role of this process. */
  readonly needed: boolean
}

const variablesOf = (env: Env): readonly KeyVariableUse[] => [
  {
    variable: 'RELAYER_PRIVATE_KEYS',
    role: 'relayer',
    sources: env.RELAYER_PRIVATE_KEYS,
    needed: sendsOperations(env),
  },
  {
    variable: 'OPERATOR_PRIVATE_KEY',
    role: 'operator',
    sources: optional(env.OPERATOR_PRIVATE_KEY),
    needed: env.ROLES.includes('api'),
  },
  {
    variable: 'ATTESTOR_PRIVATE_KEYS',
    role: 'attestor',
    sources: env.ATTESTOR_PRIVATE_KEYS,
    needed: env.ROLES.includes('attestor'),
  },
  {
    variable: 'SETTLER_PRIVATE_KEY',
    role: 'settler',
    sources: optional(env.SETTLER_PRIVATE_KEY),
    needed: env.ROLES.includes('settler'),
  },
  {
    variable: 'TOP_UP_PRIVATE_KEY',
    role: 'topUp',
    sources: optional(env.TOP_UP_PRIVATE_KEY),
    needed: env.ROLES.includes('topUp'),
  },
]

const optional = (source: KeySource | undefined): readonly KeySource[] =>
  source === undefined ? [] : [source]
