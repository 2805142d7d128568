import { devAccounts, devRoles } from '@lanyard/devnet'
import type { NetworkConfig } from '@lanyard/networks'
import { type Address, isAddressEqual, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import type { Keys, KeyVariable } from './keys.ts'

/** The last of the public, funded accounts of local networks; the first ones are for experiments. */
const localAccount = devAccounts.at(-1)

/** The account that pays for bundles on local networks when no key is configured. */
export const localRelayers: readonly Address[] = localAccount ? [localAccount.address] : []

/**
 * The accounts that pay for a network's bundles: the configured ones, or on local networks a public one.
 *
 * @throws ConfigurationError when a network that is not local has none, or a public one: anyone could take its
 * coins
 */
export function relayersFor(
  { local, bundler, name }: NetworkConfig,
  { accounts }: Keys,
): readonly LocalAccount[] {
  if (bundler.kind === 'remote') return []
  const { RELAYER_PRIVATE_KEYS: configured } = accounts
  const isPublic = configured.some(({ address }) => isPublicDevelopmentKey(address))
  if (!local && isPublic) {
    throw new ConfigurationError('The environment', [
      `RELAYER_PRIVATE_KEYS: a public development key, and ${name} is not a local network`,
    ])
  }
  if (configured.length > 0) return configured
  if (local && localAccount) return [privateKeyToAccount(localAccount.privateKey)]
  throw new ConfigurationError('The environment', [
    `RELAYER_PRIVATE_KEYS: needed, since ${name} uses the embedded bundler`,
  ])
}

/** Who fills up the relayers of a network, and which. */
interface Treasury {
  readonly account: LocalAccount
  readonly relayers: readonly Address[]
}

const variable = 'RELAYER_TREASURY_PRIVATE_KEY'

/**
 * The treasury of a network's relayers; undefined if this process has none, or the network has no `relayerRefill`.
 *
 * @throws ConfigurationError if it is a public key on a real network, has another role too, or does not know every
 * relayer's address
 */
export function treasuryFor(
  { bundler, relayerRefill, local, name }: NetworkConfig,
  { ROLES, RELAYER_PRIVATE_KEYS }: Pick<Env, 'ROLES' | 'RELAYER_PRIVATE_KEYS'>,
  { accounts, named }: Keys,
): Treasury | undefined {
  if (bundler.kind === 'remote' || relayerRefill === undefined || !ROLES.includes('topUp')) return undefined
  const [account] = accounts[variable]
  if (!account) return undefined
  const known = named.filter((key) => key.variable === 'RELAYER_PRIVATE_KEYS').map(({ address }) => address)
  const relayers = known.length === 0 && local ? localRelayers : known
  const other = named.find((key) => key.variable !== variable && isAddressEqual(key.address, account.address))
  const problems = [
    ...(!local && isPublicDevelopmentKey(account.address)
      ? [`${variable}: a public development key, and ${name} is not a local network`]
      : []),
    ...(other ? [`${variable}: the same key as in ${other.variable}; each role needs its own`] : []),
    ...(relayers.length === 0 || known.length < RELAYER_PRIVATE_KEYS.length
      ? [
          `RELAYER_PRIVATE_KEYS: ${variable} fills up these accounts, so a process with only the role topUp needs each as remote:<address>, <key of a key service>#<address> or 0x…`,
        ]
      : []),
  ]
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
  return { account, relayers }
}

/** The accounts of the smart balance of one network; only those that the process's ROLES need. */
interface RoleKeys {
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
