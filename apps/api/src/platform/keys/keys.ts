import { isKmsKey, type KeySource, publishedAddress } from '@lanyard/signers'
import type { Address, LocalAccount } from 'viem'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import { sendsOperations } from '../environment/sends-operations.ts'
import type { Metrics, SignerRole } from '../metrics/metrics.ts'
import { observeSigner } from '../metrics/observe.ts'
import { createKeyOpener } from './key-opener.ts'

export type KeyVariable =
  | 'RELAYER_PRIVATE_KEYS'
  | 'RELAYER_TREASURY_PRIVATE_KEY'
  | 'OPERATOR_PRIVATE_KEY'
  | 'ATTESTOR_PRIVATE_KEYS'
  | 'SETTLER_PRIVATE_KEY'
  | 'TOP_UP_PRIVATE_KEY'

/** The keys of the environment that the process's ROLES need. */
export interface Keys {
  /**
   * The accounts of each variable, in order; empty when it is not set, or no role of this process needs it.
   */
  readonly accounts: Readonly<Record<KeyVariable, readonly LocalAccount[]>>
  /** Every address that is known without opening keys that this process does not need, with its variable. */
  readonly named: readonly { readonly variable: KeyVariable; readonly address: Address }[]
}

/**
 * Opens the keys of this process. Keys of other roles are not opened, even if the environment has them.
 *
 * @param metrics - count the requests to remote signers
 * @throws ConfigurationError listing every key that cannot be opened
 */
export async function openKeys(env: Env, metrics?: Metrics): Promise<Keys> {
  const open = createKeyOpener(env)
  const problems: string[] = []
  const accounts: Record<KeyVariable, LocalAccount[]> = {
    RELAYER_PRIVATE_KEYS: [],
    RELAYER_TREASURY_PRIVATE_KEY: [],
    OPERATOR_PRIVATE_KEY: [],
    ATTESTOR_PRIVATE_KEYS: [],
    SETTLER_PRIVATE_KEY: [],
    TOP_UP_PRIVATE_KEY: [],
  }
  const named: { variable: KeyVariable; address: Address }[] = []
  for (const { variable, role, sources, needed } of variablesOf(env)) {
    const observe = metrics && observeSigner(metrics, role)
    // Key services are asked for all keys at once. An encrypted file takes much memory, so that they are opened one by one.
    const asked = new Map(
      sources
        .filter((source) => needed && isKmsKey(source))
        .map((source) => [source, open(variable, source, observe)]),
    )
    for (const asking of asked.values()) asking.catch(() => {}) // it is awaited below
    for (const source of sources) {
      try {
        if (needed && (source.kind === 'remote' || isKmsKey(source))) metrics?.announce('signer', { role })
        const account = needed ? await (asked.get(source) ?? open(variable, source, observe)) : undefined
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
  /** Whether a role of this process needs it. */
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
    variable: 'RELAYER_TREASURY_PRIVATE_KEY',
    role: 'treasury',
    sources: optional(env.RELAYER_TREASURY_PRIVATE_KEY),
    needed: env.ROLES.includes('topUp'),
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
