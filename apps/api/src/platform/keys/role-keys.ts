import { devAccounts, devRoles } from '@lanyard/devnet'
import type { NetworkConfig } from '@lanyard/networks'
import { type Address, isAddressEqual, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import type { Keys, KeyVariable } from './keys.ts'

/** The accounts of the smart balance of one network; only those that the process's ROLES need. */
export interface RoleKeys {
  /** Signs orders and withdrawals: role `api`. */
  readonly operator?: LocalAccount
  /** Attest the outcome of orders: role `attestor`. */
  readonly attestors: readonly LocalAccount[]
  /** Sends settlements: role `settler`. */
  readonly settler?: LocalAccount
  /** Tops up the gas deposit: role `topUp`. Absent on a real network without a key. */
  readonly topUp?: LocalAccount
}

type Roles = Pick<Env, 'ROLES'>

/** The keys of these accounts are public: they are in the documentation. */
export const isPublicDevelopmentKey = (address: Address) =>
  [...devAccounts, ...Object.values(devRoles).flat()].some((account) =>
    isAddressEqual(account.address, address),
  )

/**
 * The accounts of a network's smart balance: the configured ones, or on local networks public ones. None if
 * the network has no smart balance.
 *
 * @throws ConfigurationError listing every key that is missing, public, or in two roles
 */
export function roleKeysFor(network: NetworkConfig, { ROLES }: Roles, keys: Keys): RoleKeys {
  if (network.smartBalance === undefined) return { attestors: [] }
  const problems = [
    ...missingKeys(network, { ROLES }, keys),
    ...publicKeys(network, keys),
    ...sharedKeys(keys),
  ]
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)

  const { OPERATOR_PRIVATE_KEY, ATTESTOR_PRIVATE_KEYS, SETTLER_PRIVATE_KEY, TOP_UP_PRIVATE_KEY } =
    keys.accounts
  const [operator = privateKeyToAccount(devRoles.operator.privateKey)] = OPERATOR_PRIVATE_KEY
  const [settler = privateKeyToAccount(devRoles.settler.privateKey)] = SETTLER_PRIVATE_KEY
  const attestors =
    ATTESTOR_PRIVATE_KEYS.length > 0
      ? ATTESTOR_PRIVATE_KEYS
      : devRoles.attestors.map(({ privateKey }) => privateKeyToAccount(privateKey))
  const [topUp = network.local ? privateKeyToAccount(devRoles.topUp.privateKey) : undefined] =
    TOP_UP_PRIVATE_KEY
  return {
    ...(ROLES.includes('api') && { operator }),
    attestors: ROLES.includes('attestor') ? attestors : [],
    ...(ROLES.includes('settler') && { settler }),
    ...(ROLES.includes('topUp') && topUp && { topUp }),
  }
}

/** The variable with the keys of each role. Without the last one, the deposit is topped up by hand. */
const holders = [
  { variable: 'OPERATOR_PRIVATE_KEY', role: 'api' },
  { variable: 'ATTESTOR_PRIVATE_KEYS', role: 'attestor' },
  { variable: 'SETTLER_PRIVATE_KEY', role: 'settler' },
  { variable: 'TOP_UP_PRIVATE_KEY', role: 'topUp' },
] as const satisfies readonly { variable: KeyVariable; role: Env['ROLES'][number] }[]

const missingKeys = ({ local, name }: NetworkConfig, { ROLES }: Roles, { accounts }: Keys) =>
  local
    ? []
    : holders
        .filter(({ role }) => role !== 'topUp')
        .filter(({ role, variable }) => accounts[variable].length === 0 && ROLES.includes(role))
        .map(
          ({ variable, role }) =>
            `${variable}: needed by the role ${role}, since ${name} has a smart balance`,
        )

const publicKeys = ({ local, name }: NetworkConfig, { named }: Keys) =>
  local
    ? []
    : holders
        .filter(({ variable }) =>
          named.some((key) => key.variable === variable && isPublicDevelopmentKey(key.address)),
        )
        .map(({ variable }) => `${variable}: a public development key, and ${name} is not a local network`)

/** The order of precedence: the later variable is the one to change. */
const byPrecedence: readonly KeyVariable[] = [
  ...holders.map(({ variable }) => variable),
  'RELAYER_PRIVATE_KEYS',
]

/**
 * A stolen key must not give access to two roles, and two senders with the same key would compete for nonces.
 */
function sharedKeys({ named }: Keys): string[] {
  const ordered = byPrecedence.flatMap((variable) => named.filter((key) => key.variable === variable))
  return ordered.flatMap(({ variable, address }, index) => {
    const earlier = ordered.slice(0, index).find((other) => isAddressEqual(other.address, address))
    return earlier ? [`${variable}: the same key as in ${earlier.variable}; each role needs its own`] : []
  })
}
