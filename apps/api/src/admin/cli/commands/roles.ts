import { type Command, Option } from 'commander'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { CliError } from '../cli-error.ts'
import { ofNetworks } from '../manual.ts'
import {
  collectAddresses,
  type NetworkOptions,
  parseAddress,
  parseBlock,
  parseCount,
  type SendOptions,
} from '../options.ts'
import { callOf, reach, withCall, withStatus } from '../owner-command.ts'
import { findRoleHolders, type NamedHolders } from '../role-holders.ts'
import {
  attestorSet,
  findHolders,
  type Holding,
  lapsesAt,
  type Role,
  type RoleSetting,
  readHolding,
  readRoleSetting,
  roles as roleNames,
  variableOf,
} from '../roles/read-roles.ts'
import { assertGrantable, callToGrant, callToRevoke, leftToGrant } from '../roles/role-calls.ts'
import { rotateOwner } from '../roles/rotate-owner.ts'
import type { OwnerCall } from '../safe-batch.ts'
import type { OwnerSession, SmartBalanceSession } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

const rotation = `
Each run does what can be done now, and says what is left. Run the same command again until it ends with 0.

1. The new key gets the role. An attestor is proposed first, and can be added 14 days later, for 7 days.
2. Give the new key to the processes of the service that have the old one, and restart them.
3. With --retire the old key loses the role. After an operator's restart, wait twenty minutes first: signatures of the
   old key can be used for that long, and are refused once it has no role.

Owner: the old key offers SmartBalance and AttestorSet to the new one. The new key accepts both when the command runs
with it in DEPLOYER_PRIVATE_KEY. The old key still determines the address of \`lanyard deploy\` on other networks.`

const delays = `
For an attestor, the first run proposes it, and a second run 14 to 21 days later adds it, so that anyone who distrusts it
can leave first. After 21 days the proposal lapses. Operators and settlers get their role at once.`

const scanning = `
The contracts have no lists of their role holders. Without --scan-from, the command shows only those that are named here
or whose keys are in the environment. For --scan-from, use the block in which the contracts were deployed.`

const someone = '0x00000000000000000000000000000000000a11ce'
const another = '0x0000000000000000000000000000000000000b0b'

/** `lanyard roles list|grant|revoke|threshold|rotate`. */
export function addRoles(roles: Command): void {
  withStatus<ListOptions>(
    roles
      .command('list')
      .description('show owner, attestors, operators and settlers, and changes that wait for their delay'),
    {
      about: scanning,
      environment: {
        ...ofNetworks,
        OPERATOR_PRIVATE_KEY: 'its address is checked; remote:0x… is enough',
        SETTLER_PRIVATE_KEY: 'the same',
        ATTESTOR_PRIVATE_KEYS: 'the same',
      },
      opensKeys: true,
      examples: ['roles list --network 8453 --scan-from 21000000'],
    },
    listRoles,
  )
    .option('--operator <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--settler <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--attestor <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--scan-from <block>', 'check everyone who got a role since this block', parseBlock)
  withRole(
    withCall<HolderOptions>(roles.command('grant').description('grant a role'), {
      about: delays,
      endings: { unfinished: 'an attestor is proposed, and waits for its 14 days' },
      examples: [`roles grant --network 8453 --role operator --address ${someone}`],
      act: grantRole,
    }),
  )
  withRole(
    withCall<HolderOptions & { readonly force?: boolean }>(
      roles.command('revoke').description('revoke a role, or cancel the proposal of an attestor, at once'),
      {
        about: "\nThe pauser's key in DEPLOYER_PRIVATE_KEY can also revoke operators.",
        examples: [`roles revoke --network 8453 --role settler --address ${someone}`],
        caller: ({ role }) => (role === 'operator' ? 'pauser' : 'owner'),
        act: revokeRole,
      },
    ),
  ).option('--force', 'also remove an attestor if too few are left to agree: settlement then stops')
  withCall<SendOptions & { readonly count: number }>(
    roles.command('threshold').description('set how many attestors must agree; a lower number takes 14 days'),
    {
      endings: { unfinished: 'a lower threshold is proposed, and waits for its 14 days' },
      examples: ['roles threshold --network 8453 --count 2'],
      act: setThreshold,
    },
  ).requiredOption('--count <attestors>', 'at most one less than the number of attestors', parseCount)
  withCall<RotateOptions>(
    roles.command('rotate').description('replace a key, in steps that may be days apart'),
    {
      about: rotation,
      endings: { unfinished: 'a step is left, and the command says which' },
      examples: [
        `roles rotate --network 8453 --role operator --from ${someone} --to ${another}`,
        `roles rotate --network 8453 --role operator --from ${someone} --to ${another} --retire`,
      ],
      check: assertRotatable,
      caller: ({ role }) => (role === 'owner' ? 'anyone' : 'owner'),
      act: (session, options) =>
        isRoleRotation(options) ? rotateRole(session, options) : rotateOwner(session, options),
    },
  )
    .addOption(roleOption([...roleNames, 'owner']))
    .option('--from <address>', 'the current holder of the role; not for the owner', parseAddress)
    .requiredOption('--to <address>', 'the new holder', parseAddress)
    .option('--retire', 'revoke the role of the old key, once no process uses it any more')
}

const withRole = (command: Command): Command =>
  command
    .addOption(roleOption(roleNames))
    .requiredOption('--address <address>', 'the holder; may be repeated', collectAddresses)

const roleOption = (names: readonly string[]) =>
  new Option('--role <role>', 'which role').choices(names).makeOptionMandatory()

/** As parsed from the command line. */
interface ListOptions extends NetworkOptions, NamedHolders {
  readonly scanFrom?: bigint
}

async function listRoles(session: SmartBalanceSession, options: ListOptions) {
  const { env, network, contract } = session
  const setting = await readRoleSetting(session)
  const scanned =
    options.scanFrom === undefined ? undefined : await findHolders(session, setting, options.scanFrom)
  const named = await findRoleHolders(network.config, env, options)
  const read = (role: Role) =>
    readHoldings(session, setting, role, [...new Set([...named[`${role}s`], ...(scanned?.[role] ?? [])])])
  const [operators, settlers, attestors] = await Promise.all([
    read('operator'),
    read('settler'),
    read('attestor'),
  ])
  return {
    lines: [
      ...describeSetting(contract.address, setting),
      ...[...operators, ...settlers, ...attestors].map((holding) => `  ${describe(holding)}`),
    ],
    result: { complete: scanned !== undefined, ...setting, operators, settlers, attestors },
  }
}

const readHoldings = (
  session: SmartBalanceSession,
  setting: RoleSetting,
  role: Role,
  addresses: readonly Address[],
): Promise<Holding[]> => Promise.all(addresses.map((address) => readHolding(session, setting, role, address)))

function describeSetting(smartBalance: Address, setting: RoleSetting): string[] {
  const { owner, pauser, pendingOwner, verifier, threshold, attestorCount, pendingThreshold } = setting
  const pending = isAddressEqual(pendingOwner, zeroAddress) ? '' : `, offered to ${pendingOwner}`
  return [
    `SmartBalance ${smartBalance}, owner ${owner}${pending}`,
    isAddressEqual(pauser, zeroAddress) ? '  no pauser' : `  pauser ${pauser}`,
    `AttestorSet ${verifier}, ${threshold} of ${attestorCount} must agree`,
    ...(pendingThreshold
      ? [
          `  only ${pendingThreshold.threshold} must, from ${formatTime(pendingThreshold.readyAt)} on, if applied`,
        ]
      : []),
  ]
}

function describe({ role, address, active, readyAt }: Holding): string {
  const waits = readyAt === null ? '' : `, can be added from ${formatTime(readyAt)} on`
  return `${role.padEnd(9)} ${address} ${active ? 'has the role' : `has it NOT${waits}`}`
}

/** As parsed from the command line. */
interface HolderOptions extends SendOptions {
  readonly role: Role
  readonly address: readonly Address[]
}

const areSo = 'Nothing to do: the roles are so already.'

async function grantRole(session: OwnerSession, { role, address: addresses }: HolderOptions) {
  await assertGrantable(session, await readRoleSetting(session), role, addresses)
  return reach({
    async read() {
      const setting = await readRoleSetting(session)
      return { setting, holdings: await readHoldings(session, setting, role, addresses) }
    },
    calls: ({ setting, holdings }) => holdings.flatMap((one) => callToGrant(session, setting, one) ?? []),
    left: ({ setting, holdings }) => holdings.flatMap((one) => leftToGrant(setting, one) ?? []),
    end: (_state, sent) => sent.length === 0 && areSo,
    result: ({ holdings }) => ({ role, holdings }),
  })
}

/** Takes effect immediately, since it may be urgent. */
async function revokeRole(
  session: OwnerSession,
  { role, address: addresses, force }: HolderOptions & { readonly force?: boolean },
) {
  const setting = await readRoleSetting(session)
  const holdings = await readHoldings(session, setting, role, addresses)
  if (!force) assertEnoughAttestors(setting, holdings)
  return reach({
    read: async () => undefined,
    calls: () => holdings.flatMap((holding) => callToRevoke(session, setting, holding) ?? []),
    end: (_state, sent) => sent.length === 0 && areSo,
    result: () => ({ role }),
  })
}

/** The contract would allow it, and the holder of the last keys may be a thief. */
function assertEnoughAttestors({ threshold, attestorCount }: RoleSetting, revoked: readonly Holding[]): void {
  const left = attestorCount - revoked.filter(({ role, active }) => role === 'attestor' && active).length
  if (left === attestorCount || left >= threshold) return
  throw new CliError(
    'TOO_FEW_ATTESTORS',
    `${threshold} attestors must agree and ${left} would be left: nothing could be settled. Add others first, lower the threshold, or say --force.`,
  )
}

/** As parsed from the command line. */
interface RotateOptions extends SendOptions {
  readonly role: Role | 'owner'
  readonly from?: Address
  readonly to: Address
  readonly retire?: boolean
}

interface RoleRotation extends RotateOptions {
  readonly role: Role
  readonly from: Address
}

function assertRotatable({ role, from, to }: RotateOptions): void {
  if (role === 'owner' || (from !== undefined && !isAddressEqual(from, to))) return
  throw new ConfigurationError('The rotation', [
    from === undefined ? '--from: needed, who has the role now' : '--to: the same as --from',
  ])
}

const isRoleRotation = (options: RotateOptions): options is RoleRotation =>
  options.role !== 'owner' && options.from !== undefined

/**
 * `lanyard roles rotate`: its progress is read from the chain each time, so that it may be interrupted at any
 * point.
 */
async function rotateRole(session: OwnerSession, { role, from, to, retire }: RoleRotation) {
  await assertGrantable(session, await readRoleSetting(session), role, [to])
  return reach({
    async read() {
      const setting = await readRoleSetting(session)
      const [old, next] = await Promise.all([
        readHolding(session, setting, role, from),
        readHolding(session, setting, role, to),
      ])
      return { setting, old, next }
    },
    calls: ({ setting, next }) => [callToGrant(session, setting, next)].filter((call) => call !== undefined),
    // In a dry run, the new key may have no role yet; retiring the old key is then a later step.
    laterCalls: ({ setting, old, next }) =>
      [next.active && retire ? callToRevoke(session, setting, old) : undefined].filter(
        (call) => call !== undefined,
      ),
    left: ({ setting, old, next }) =>
      [leftToGrant(setting, next), old.active ? leftToRetire(role, from, to) : undefined].filter(
        (line) => line !== undefined,
      ),
    end: () => `Done: ${to} is ${role}, and ${from} is not.`,
    result: ({ old, next }) => ({ role, from: old, to: next }),
  })
}

const leftToRetire = (role: Role, from: Address, to: Address) =>
  `once every process has the key of ${to} in ${variableOf[role]} in place of ${from}'s, run this again with --retire.`

/** Raising is immediate, lowering takes two runs, 14 to 21 days apart. */
async function setThreshold(session: OwnerSession, { count }: { readonly count: number }) {
  const { attestorCount } = await readRoleSetting(session)
  if (count >= attestorCount) {
    throw new CliError(
      'TOO_FEW_ATTESTORS',
      `There are ${attestorCount} attestors: at most ${attestorCount - 1} can be asked for, so that one can be lost.`,
    )
  }
  return reach({
    read: () => readRoleSetting(session),
    calls: (setting) => callsToSet(setting, count),
    left: (setting) => leftToSet(setting, count),
    end: (_setting, sent) => sent.length === 0 && `Nothing to do: ${count} must agree already.`,
    result: ({ threshold, pendingThreshold }) => ({ threshold, pendingThreshold }),
  })
}

function callsToSet(
  { verifier, threshold, pendingThreshold, now }: RoleSetting,
  count: number,
): readonly OwnerCall[] {
  const set = attestorSet(verifier)
  if (count === threshold) return []
  if (count > threshold)
    return [callOf(set, `raise the threshold to ${count}`, 'raiseThreshold', [BigInt(count)])]
  if (pendingThreshold?.threshold !== count)
    return [callOf(set, `propose a threshold of ${count}`, 'proposeThreshold', [BigInt(count)])]
  if (pendingThreshold.readyAt > now) return []
  return [callOf(set, `lower the threshold to ${count}`, 'applyThreshold')]
}

function leftToSet({ threshold, pendingThreshold, now }: RoleSetting, count: number): string | undefined {
  if (threshold === count) return undefined
  if (pendingThreshold?.threshold !== count) return `the threshold is ${threshold}.`
  return pendingThreshold.readyAt > now
    ? `it can be lowered to ${count} from ${formatTime(pendingThreshold.readyAt)} until ${formatTime(lapsesAt(pendingThreshold.readyAt))}: run this again then.`
    : `it can be lowered to ${count} now: run this again.`
}
